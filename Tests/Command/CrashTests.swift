import Foundation
import TestSupport
import Testing

#if os(Linux)
/// The memory that the command leaves behind when it crashes.
@Suite struct CrashTests {
  private let bank: Bank

  init() throws {
    bank = try Bank()
    try bank.add(3000)
  }

  /// A rotation that goes on for seconds, with keys in memory, under a shell that would allow core dumps.
  private func start(reading stream: RunningProduct.Stream) throws -> RunningProduct {
    let words = ["rotate", bank.path, "--rate", "200", "--batch", "20", "--json"] + bank.unlocked
    return try RunningProduct(
      .nacre,
      words,
      reading: stream,
      environment: ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no,timeout=0"],
      through: ["/bin/sh", "-c", "ulimit -S -c unlimited 2>/dev/null; exec \"$0\" \"$@\""]
    )
  }

  private func waitForProgress(_ running: RunningProduct) throws {
    try running.wait(for: "\"progress\"")
  }

  // The others can be blocked where the tests run, and so in what they start.
  @Test(arguments: [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP])
  func `a crash ends the command at once, without a backtrace`(signal: Int32) throws {
    let running = try start(reading: .output)
    try waitForProgress(running)
    running.send(signal)
    #expect(try running.finish() == nil)
    #expect(running.signal == signal)
    let said = running.otherStream
    #expect(!said.contains("crashed") && !said.contains("Registers"), "\(said)")
  }

  @Test func `the command allows no core dump of its memory`() throws {
    let running = try start(reading: .output)
    try waitForProgress(running)
    let limits = try text("/proc/\(running.processID)/limits")
    #expect(limits.contains(/\nMax core file size +0 +0\b/))
    running.send(SIGKILL)
    _ = try running.finish()
  }

  private static let launcher = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"]

  @Test(.enabled(if: getuid() != 0 || FileManager.default.isExecutableFile(atPath: launcher[0])))
  func `no other process of the same user can look into the command's memory`() throws {
    // What the kernel takes for root's is no longer the user's (proc(5)); as root nothing can be told.
    try #require(chmod(bank.directory.path, 0o777) == 0)
    try #require(chmod(bank.path, 0o666) == 0)
    let running = try RunningProduct(
      .nacre,
      ["rotate", bank.path, "--rate", "200", "--batch", "20", "--json", "--key-env", "KEY"],
      reading: .output,
      environment: ["KEY": Bank.keyHex],
      through: getuid() == 0 ? Self.launcher : []
    )
    try waitForProgress(running)
    var status = stat()
    #expect(stat("/proc/\(running.processID)/mem", &status) == 0)
    #expect(status.st_uid == 0)
    running.send(SIGKILL)
    _ = try running.finish()
  }

  /// A file of the kernel's, whose size is not known before.
  private func text(_ path: String) throws -> String {
    let file = try #require(FileHandle(forReadingAtPath: path))
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
  }
}
#endif
