import Foundation

/// Runs `body` in a fresh directory, which is removed afterwards.
func withBenchDirectory<T>(_ body: (String) throws -> T) throws -> T {
  let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("nacre-bench-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: directory) }
  return try body(directory)
}

/// How long `body` takes, in microseconds.
func microseconds(_ body: () throws -> Void) rethrows -> Double {
  try ContinuousClock().measure(body) / .microseconds(1)
}
