import Foundation
import TestSupport
import Testing

/// An executable that runs, whose lines are read as they come.
final class RunningProduct {
  private let process = Process()
  private let lines: FileHandle
  private var buffer = Data()
  private(set) var output = ""
  /// Where the stream that is not read goes.
  private let rest: TemporaryDirectory

  /// Which of its streams is read.
  enum Stream { case output, complaint }

  /// Starts the executable; what it writes to the other stream is kept apart.
  init(
    _ product: BuiltProduct,
    _ arguments: [String],
    reading stream: Stream,
    environment: [String: String] = [:],
    through launcher: [String] = []
  ) throws {
    let words = launcher + [try #require(product.path, "\(product.name) is not built")] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = BuiltProduct.mutation.merging(environment) { $1 }
    rest = try TemporaryDirectory()
    try Data().write(to: URL(fileURLWithPath: rest.file("rest")))
    let other = try #require(FileHandle(forWritingAtPath: rest.file("rest")))
    let pipe = Pipe()
    lines = pipe.fileHandleForReading
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = stream == .output ? pipe : other
    process.standardError = stream == .complaint ? pipe : other
    try process.run()
    // Without this end here, the end of the file comes when the process is gone.
    try pipe.fileHandleForWriting.close()
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  var processID: Int32 { process.processIdentifier }

  /// Waits for the next line, or for the end: then nil.
  func nextLine() throws -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer = Data(buffer[(end + 1)...])
        output += line + "\n"
        return line
      }
      let bytes = lines.availableData
      if bytes.isEmpty { return nil }
      buffer += bytes
    }
  }

  /// Waits for a line that holds `text`.
  func wait(for text: String) throws {
    while let line = try nextLine() {
      if line.contains(text) { return }
    }
    Issue.record("no line holds \(text): \(output)")
  }

  /// What it has written to the stream that is not read.
  var otherStream: String {
    String(decoding: (try? rest.bytes("rest")) ?? Data(), as: UTF8.self)
  }

  /// The signal that ended it; nil where none did.
  var signal: Int32? {
    process.isRunning || process.terminationReason == .exit ? nil : process.terminationStatus
  }

  func send(_ signal: Int32) { kill(processID, signal) }

  /// Reads the rest, and waits for the end.
  ///
  /// - Returns: the exit status; nil when a signal ended it.
  func finish() throws -> Int32? {
    while try nextLine() != nil {}
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }
}
