#if PostgreSQL
import Foundation
import Testing

/// A server of one test's own, which it may kill.
final class OwnServer: Sendable {
  /// The URL of its database.
  let url: String
  private let process = Process()
  private let commands = Pipe()

  /// Starts the server by the script that starts that of all tests.
  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let output = Pipe()
    process.executableURL = root.appendingPathComponent("script/postgres")
    // It ends with the end of its input, also if the tests crash.
    process.arguments = ["sh", "-c", "echo \"$NACRE_POSTGRES\"; exec cat >/dev/null"]
    process.standardInput = commands
    process.standardOutput = output
    try process.run()
    let answers = output.fileHandleForReading
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let byte = answers.readData(ofLength: 1)
      try #require(!byte.isEmpty, "script/postgres has ended")
      line += byte
    }
    url = String(decoding: line.dropLast(), as: UTF8.self)
  }

  /// Kills one of the server's processes, after which the server ends all sessions and recovers from its log.
  func kill(_ process: Int64) throws {
    try #require(Foundation.kill(pid_t(process), SIGKILL) == 0)
  }

  /// Ends the server.
  func stop() {
    try? commands.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
#endif
