import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

/// Gives a command a terminal of its own.
private let launcher = "/usr/bin/script"

/// The tool on a terminal.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: launcher) && isLinux))
struct TerminalTests {
  /// A conversation with the tool over a pseudo-terminal.
  private final class Session {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private(set) var text = ""

    init(_ arguments: [String]) throws {
      let path = try #require(BuiltProduct.nacre.path, "nacre is not built")
      let words = ([path] + arguments).map { "'\($0)'" }
      process.executableURL = URL(fileURLWithPath: launcher)
      process.arguments = ["-qec", words.joined(separator: " "), "/dev/null"]
      process.environment = BuiltProduct.mutation.merging(["SHELL": "/bin/sh"]) { $1 }
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      try output.fileHandleForWriting.close()
    }

    /// Waits until the tool has written `prompt`, and types a line.
    func answer(_ prompt: String, _ line: String) throws {
      while !text.hasSuffix(prompt), read() {}
      #expect(text.hasSuffix(prompt))
      text += "\n"
      try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    func finish() -> Int32 {
      while read() {}
      process.waitUntilExit()
      return process.terminationStatus
    }

    private func read() -> Bool {
      let bytes = output.fileHandleForReading.availableData
      text += String(decoding: bytes, as: UTF8.self)
      return !bytes.isEmpty
    }
  }

  @Test func `a new passphrase is asked twice, and is not shown`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.db")
    let session = try Session(["init", path, "--passphrase"])
    try session.answer("New passphrase: ", Bank.passphrase)
    try session.answer("The same again: ", Bank.passphrase)
    #expect(session.finish() == 0)
    #expect(session.text.contains("Made "))
    #expect(!session.text.contains(Bank.passphrase))
    let unlocked = try Session(["status", path, "--passphrase"])
    try unlocked.answer("Passphrase: ", Bank.passphrase)
    #expect(unlocked.finish() == 0)
    #expect(unlocked.text.contains(", verified"))
  }

  @Test func `two passphrases that differ make no store`() throws {
    let directory = try TemporaryDirectory()
    let session = try Session(["init", directory.file("a.db"), "--passphrase"])
    try session.answer("New passphrase: ", "one")
    try session.answer("The same again: ", "another")
    #expect(session.finish() == 21)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test func `a key is destroyed when its id is typed again`() throws {
    let bank = try Bank()
    let store = try Store.open(bank.path, unlock: .keyFile(bank.keyFile))
    let id = try store.addKey(.field)
    try store.close()
    let prompt = "Type the key's id to destroy it for good: "
    let slip = try Session(["key", "destroy", bank.path, "\(id)"] + bank.unlocked)
    try slip.answer(prompt, "yes")
    #expect(slip.finish() == 1)
    #expect(slip.text.contains("the answer was another id; nothing was changed"))
    let session = try Session(["key", "destroy", bank.path, "\(id)"] + bank.unlocked)
    try session.answer(prompt, "\(id)")
    #expect(session.finish() == 0)
    #expect(try bank.describe().ring?.keys.first { $0.id == id }?.state == .destroyed)
  }

  @Test func `bad cells are set aside when the answer is yes`() throws {
    let bank = try Bank()
    try bank.change("UPDATE Account SET note = 'plain' WHERE holder = 'Ada'")
    let prompt = "Type yes to move 1 bad cell aside: "
    for (answer, status, count) in [("no", 1, 0), ("yes", 0, 1)] as [(String, Int32, Int)] {
      let session = try Session(["verify", bank.path, "--quarantine"] + bank.unlocked)
      try session.answer(prompt, answer)
      #expect(session.finish() == status)
      #expect(try StoreInspection(path: bank.path).work().quarantinedCount == count)
    }
  }

  @Test func `a rotation draws a bar over itself and takes it away`() throws {
    let bank = try Bank()
    try bank.add(500)
    let session = try Session(["rotate", bank.path, "--batch", "20"] + bank.unlocked)
    #expect(session.finish() == 0)
    #expect(session.text.contains(/\rsealing .*[█░]+ .*502 rows/))
    #expect(session.text.contains("\r\u{1B}[KRotation finished"))
  }
}

/// Whether `script` takes the arguments that it has there.
private var isLinux: Bool {
  #if os(Linux)
  true
  #else
  false
  #endif
}
