import ArgumentParser
import Foundation

/// Measures Nacre on a PostgreSQL server against the floor, the same work as loops in C over libpq, in one run.
@main
struct BenchPostgres: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures Nacre on a PostgreSQL server against loops in C over libpq (the floor).",
    discussion: """
      Every round makes fresh databases, and every work is done by all subjects in turn. The table gives medians; a \
      ratio is the median of the rounds' ratios to the floor of the same round. Round trips are counted in a round of \
      their own, which is not timed, by a proxy between the subjects and the server.
      """
  )

  @Option(help: "Rows to store; a graph takes ten.")
  var size = 10_000

  @Option(help: "How often everything is done.")
  var rounds = 5

  @Flag(help: "One quick round at 1,000 rows: shows that everything runs.")
  var short = false

  /// Refuses a run without rounds or rows.
  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
    guard size >= 10 else { throw ValidationError("--size must be at least 10.") }
  }

  /// Measures, and writes what it measured.
  func run() throws {
    let server = try BenchServer.given()
    var results = Results()
    for round in 0..<(short ? 1 : rounds) {
      progress("round \(round + 1)")
      try Round(number: round, server: server, size: short ? 1_000 : size).run(into: &results)
    }
    progress("round trips")
    try withDirectory { directory in
      let proxy = try TripProxy(to: server, in: directory)
      // There is a round trip or none, so fewer rows tell the same.
      let size = min(size, short ? 1_000 : 5_000)
      try Round(number: 0, server: proxy.server, size: size, proxy: proxy).run(into: &results)
    }
    print(results.table())
  }

  private func progress(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

/// Runs `body` in a fresh directory, which is removed afterwards.
func withDirectory<T>(_ body: (String) throws -> T) throws -> T {
  let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("nacre-bench-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: directory) }
  return try body(directory)
}

/// What went wrong in a round, and where.
struct BenchError: Error, CustomStringConvertible {
  let description: String
}
