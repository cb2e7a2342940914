import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

@Suite struct RotateSignalTests {
  private static let accountCount = 3000
  private let bank: Bank

  init() throws {
    bank = try Bank()
    try bank.add(Self.accountCount)
  }

  private func start(
    _ arguments: String...,
    reading stream: RunningProduct.Stream
  ) throws -> RunningProduct {
    // Slow enough to be met half-way.
    let words = ["rotate", bank.path, "--rate", "500", "--batch", "50"] + arguments + bank.unlocked
    return try RunningProduct(.nacre, words, reading: stream)
  }

  /// The numbers of the progress events with `--json`.
  private func done(_ line: String) throws -> Int? {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    guard object?["event"] as? String == "progress", object?["phase"] as? String == "sealing" else {
      return nil
    }
    return object?["done"] as? Int
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends a rotation at a batch's edge, and the next rotation goes on`(signal: Int32)
    throws
  {
    let running = try start("--json", reading: .output)
    while let line = try running.nextLine() {
      if let count = try done(line), count > 0 { break }
    }
    running.send(signal)
    #expect(try running.finish() == 130)
    let last = running.output.split(separator: "\n").suffix(2)
    #expect(last.first?.contains(#""outcome":"stopped""#) == true)
    #expect(last.first?.contains(#""event":"done""#) == true)
    #expect(last.last?.contains(#""code":"interrupted","event":"error","exit":130"#) == true)

    let state = try #require(try StoreInspection(path: bank.path).work().rotation)
    #expect(state.finished == nil)
    #expect(state.done > 0)
    #expect(state.done < Self.accountCount)
    let status = try bank.nacre("status", unlock: [])
    #expect(status.output.contains("not run now: 'nacre rotate' goes on with it"))
    #expect(status.output.contains("\n  sealing: \(state.done) of "))

    let again = try bank.nacre("rotate")
    #expect(again.status == 0)
    #expect(again.output.contains("Rotation finished, which had been begun before\n"))
    let counts = try StoreInspection(path: bank.path).sealedCounts()
    #expect(counts.reduce(0) { $0 + $1.count } == Self.accountCount + Bank.ibans.count)
    #expect(Set(counts.map(\.keyID)).count == 1)
    #expect(try bank.nacre("verify").status == 0)
  }

  @Test func `a rotation that a signal stops says so in one line`() throws {
    let running = try start(reading: .complaint)
    try running.wait(for: "sealing: ")
    running.send(SIGINT)
    #expect(try running.finish() == 130)
    let last = running.output.split(separator: "\n").last
    #expect(last == "nacre: stopped at the end of a batch; call 'nacre rotate' again to go on")
  }

  @Test func `a second rotation at once names the process that runs the first`() throws {
    let first = try start(reading: .complaint)
    try first.wait(for: "sealing: ")
    let status = try bank.nacre("status", unlock: [])
    #expect(status.output.contains("\n  run now by process \(first.processID) on host "))
    let second = try bank.nacre("rotate")
    #expect(second.status == 40)
    #expect(second.complainsInOneLine)
    #expect(second.complaint.contains("process \(first.processID) "))
    first.send(SIGINT)
    #expect(try first.finish() == 130)
  }
}
