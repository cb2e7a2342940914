import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

/// The tool on a terminal.
@Suite(.enabled(if: TerminalSession.isAvailable))
struct TerminalTests {
  @Test func `a new passphrase is asked twice, and is not shown`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.db")
    let session = try TerminalSession(.nacre, ["init", path, "--passphrase"])
    try session.answer("New passphrase: ", Bank.passphrase)
    try session.answer("The same again: ", Bank.passphrase)
    #expect(session.finish() == 0)
    #expect(session.text.contains("Made "))
    #expect(!session.text.contains(Bank.passphrase))
    let unlocked = try TerminalSession(.nacre, ["status", path, "--passphrase"])
    try unlocked.answer("Passphrase: ", Bank.passphrase)
    #expect(unlocked.finish() == 0)
    #expect(unlocked.text.contains(", verified"))
  }

  @Test func `two passphrases that differ make no store`() throws {
    let directory = try TemporaryDirectory()
    let session = try TerminalSession(.nacre, ["init", directory.file("a.db"), "--passphrase"])
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
    let slip = try TerminalSession(.nacre, ["key", "destroy", bank.path, "\(id)"] + bank.unlocked)
    try slip.answer(prompt, "yes")
    #expect(slip.finish() == 1)
    #expect(slip.text.contains("the answer was another id; nothing was changed"))
    let session = try TerminalSession(
      .nacre,
      ["key", "destroy", bank.path, "\(id)"] + bank.unlocked
    )
    try session.answer(prompt, "\(id)")
    #expect(session.finish() == 0)
    #expect(try bank.describe().ring?.keys.first { $0.id == id }?.state == .destroyed)
  }

  @Test func `bad cells are set aside when the answer is yes`() throws {
    let bank = try Bank()
    try bank.change("UPDATE Account SET note = 'plain' WHERE holder = 'Ada'")
    let prompt = "Type yes to move 1 bad cell aside: "
    for (answer, status, count) in [("no", 1, 0), ("yes", 0, 1)] as [(String, Int32, Int)] {
      let session = try TerminalSession(
        .nacre,
        ["verify", bank.path, "--quarantine"] + bank.unlocked
      )
      try session.answer(prompt, answer)
      #expect(session.finish() == status)
      #expect(try StoreInspection(path: bank.path).work().quarantinedCount == count)
    }
  }

  @Test func `a rotation draws a bar over itself and takes it away`() throws {
    let bank = try Bank()
    try bank.add(500)
    let session = try TerminalSession(
      .nacre,
      ["rotate", bank.path, "--batch", "20"] + bank.unlocked
    )
    #expect(session.finish() == 0)
    #expect(session.text.contains(/\rsealing .*[█░]+ .*502 rows/))
    #expect(session.text.contains("\r\u{1B}[KRotation finished"))
  }
}
