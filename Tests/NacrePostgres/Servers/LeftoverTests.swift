#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// The server that `script/postgres` starts for a command.
@Suite struct LeftoverTests {
  @Test func `a server ends with the script that has started it, also if that is killed`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let process = Process()
    process.executableURL = root.appendingPathComponent("../../../script/postgres")
    process.arguments = ["sh", "-c", "echo \"$NACRE_POSTGRES\"; read line"]
    var environment = ProcessInfo.processInfo.environment
    environment["NACRE_POOL_SIZE"] = nil
    process.environment = environment
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let url = line.trimmingCharacters(in: .newlines)
    let directory = try #require(url.firstMatch(of: /host=(.*)/)).output.1
    let connection = try TestServer.connect(to: url)
    #expect(try connection.values("SELECT 1") == [.integer(1)])
    try #require(kill(process.processIdentifier, SIGKILL) == 0)
    let deadline = ContinuousClock.now + .seconds(240)
    while FileManager.default.fileExists(atPath: String(directory)) {
      try #require(ContinuousClock.now < deadline, "the server's directory is still there")
      usleep(10_000)
    }
    expect(.connectionLost) { _ = try connection.values("SELECT 1") }
    try input.fileHandleForWriting.close()
  }
}
#endif
