import Foundation
import NacreCore
import NacreCrypto
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Adding, removing and changing who unlocks a store.
@Suite struct StoreSlotTests {
  private let ring: RingScene

  init() throws { ring = try RingScene() }

  @Test func `a secret that was added unlocks beside the one before`() throws {
    let store = try ring.open()
    #expect(try store.addSlot(RingScene.unlock(2)) == 2)
    #expect(try store.slots().map(\.id) == [1, 2])
    #expect(try store.slots().map(\.kind) == ["secret", "secret"])
    ring.expectOpens(Scene.unlock)
    ring.expectOpens(RingScene.unlock(2))
    ring.expectShut(RingScene.unlock(3))
  }

  @Test func `a passphrase that was added unlocks`() throws {
    let store = try ring.open()
    #expect(try store.addSlot(.passphrase("MARKER-a phrase")) == 2)
    #expect(try store.slots().map(\.kind) == ["secret", "passphrase"])
    ring.expectOpens(.passphrase("MARKER-a phrase"))
    ring.expectShut(.passphrase("MARKER-another phrase"))
  }

  @Test func `a new slot makes its key file only when it may`() throws {
    let store = try ring.open()
    let file = ring.scene.directory.file("second.key")
    try ring.expectUnchanged(.badKeyFile) { try store.addSlot(.keyFile(file)) }
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try store.addSlot(.keyFile(file, createIfMissing: true)) == 2)
    ring.expectOpens(.keyFile(file))
    let other = ring.scene.directory.file("third.key")
    try store.changeSlot(2, to: .keyFile(other, createIfMissing: true))
    ring.expectOpens(.keyFile(other))
    ring.expectShut(.keyFile(file))
  }

  @Test func `a removed slot's secret unlocks no more, and the others do`() throws {
    let store = try ring.open()
    try store.addSlot(RingScene.unlock(2))
    try store.addSlot(RingScene.unlock(3))
    try store.removeSlot(2)
    #expect(try store.slots().map(\.id) == [1, 3])
    ring.expectShut(RingScene.unlock(2))
    ring.expectOpens(RingScene.unlock(3))
    // The number of a slot that was not the last is not given again.
    #expect(try store.addSlot(RingScene.unlock(4)) == 4)
    try store.removeSlot(1)
    ring.expectShut(Scene.unlock)
    // Who has unlocked already goes on.
    try ring.saveVault("MARKER-on", in: store)
  }

  @Test func `the last slot and one that does not exist are not removed`() throws {
    let store = try ring.open()
    try ring.expectUnchanged(.lastSlot) { try store.removeSlot(1) }
    try ring.expectUnchanged(.noSuchSlot) { try store.removeSlot(2) }
    try ring.expectUnchanged(.noSuchSlot) { try store.removeSlot(-1) }
    // A slot that no secret can open is not counted, and can be removed.
    try ring.scene.edit("INSERT INTO nacre_slot VALUES (-1, 'MARKER-other', '', x'')")
    try ring.expectUnchanged(.lastSlot) { try store.removeSlot(1) }
    try store.removeSlot(-1)
    #expect(try store.slots().map(\.id) == [1])
  }

  @Test func `slots that somebody has planted do not count as ones that open`() throws {
    let store = try ring.open()
    let planted = "INSERT INTO nacre_slot VALUES (?1, 'secret', '', zeroblob(72))"
    try ring.scene.edit(planted, .integer(7))
    try ring.expectUnchanged(.lastSlot) { try store.removeSlot(1) }
    try store.removeSlot(7)
    try ring.scene.edit(planted, .integer(7))
    let added = try store.addSlot(RingScene.unlock(2))
    // What this store has written itself is known to open.
    try store.removeSlot(1)
    ring.expectOpens(RingScene.unlock(2))
    try ring.scene.edit("DELETE FROM nacre_slot WHERE id = ?1", .integer(added))
    try ring.expectUnchanged(.lastSlot) { try store.removeSlot(7) }
  }

  @Test func `the slot of the secret in use goes where another is given that opens`() throws {
    let first = try ring.open()
    try first.addSlot(RingScene.unlock(2))
    try first.addSlot(.passphrase("MARKER-a phrase"))
    try first.close()
    let store = try ring.open()
    try ring.expectUnchanged(.lastSlot) { try store.removeSlot(1) }
    try ring.expectUnchanged(.lastSlot) { try store.removeSlot(1, keeping: [RingScene.unlock(5)]) }
    try ring.expectUnchanged(.lastSlot) {
      try store.removeSlot(1, keeping: [.passphrase("MARKER-a phrase").slot(2)])
    }
    try store.removeSlot(1, keeping: [.passphrase("MARKER-a phrase").slot(3)])
    ring.expectShut(Scene.unlock)
    try store.close()
    // Its own slot stays.
    let other = try ring.open(RingScene.unlock(2))
    try other.removeSlot(3)
    try ring.expectUnchanged(.lastSlot) { try other.removeSlot(2) }
    ring.expectOpens(RingScene.unlock(2))
  }

  @Test func `a slot that was written before another rewrap is not known to open`() throws {
    let (store, other) = (try ring.open(), try ring.open())
    try store.addSlot(RingScene.unlock(2))
    let kept = try ring.scene.edit("SELECT sealed FROM nacre_slot WHERE id = 2")[0][0]
    try other.rewrap(keeping: [Scene.unlock], dropsOthers: true)
    try ring.scene.edit("INSERT INTO nacre_slot VALUES (2, 'secret', '', ?1)", kept)
    try ring.expectUnchanged(.lastSlot) { try store.removeSlot(1) }
    try store.removeSlot(2)
  }

  @Test(arguments: [
    "(7, 'x', '', zeroblob(72))", "(7, 'secret', '', zeroblob(71))",
    "(7, 'secret', '{}', zeroblob(72))",
    "(7, 'passphrase', '', zeroblob(72))", "(7, 'passphrase', '{\"n\":1}', zeroblob(72))",
    "(-1, 'secret', '', zeroblob(72))",
    "(7, CAST('secret' AS BLOB), '', zeroblob(72))",
    "(7, 'secret', '', CAST(zeroblob(72) AS TEXT))",
  ])
  func `a row that no secret can open is named by check and verify`(_ row: String) throws {
    let store = try ring.open()
    #expect(try store.check().isEmpty)
    try ring.scene.edit("INSERT INTO nacre_slot VALUES \(row)")
    #expect(try store.check().map(\.kind.rawValue) == ["badSlot"])
    let report = try store.verify()
    #expect(report.faults.map(\.kind.rawValue) == ["badSlot"] && report.isComplete)
    try ring.expectUnchanged(.lastSlot) { try store.removeSlot(1) }
  }

  @Test func `a changed slot keeps its number and takes another secret`() throws {
    let store = try ring.open()
    try store.addSlot(RingScene.unlock(2))
    try store.changeSlot(1, to: RingScene.unlock(5))
    #expect(try store.slots().map(\.id) == [1, 2])
    ring.expectShut(Scene.unlock)
    ring.expectOpens(RingScene.unlock(5))
    ring.expectOpens(RingScene.unlock(2))
    try store.changeSlot(2, to: .passphrase("MARKER-phrase"))
    #expect(try store.slots().map(\.kind) == ["secret", "passphrase"])
    ring.expectShut(RingScene.unlock(2))
    ring.expectOpens(.passphrase("MARKER-phrase"))
  }

  @Test func `slots move no generation, so that nobody has to follow`() throws {
    let (store, other) = (try ring.open(), try ring.open())
    let before = try #require(try store.inspect().ring).generation
    try store.addSlot(RingScene.unlock(2))
    try ring.saveVault("MARKER-a", in: other)
    try store.changeSlot(1, to: RingScene.unlock(3))
    try store.removeSlot(2)
    try ring.saveVault("MARKER-b", in: other)
    #expect(try #require(try other.inspect().ring).generation == before)
    #expect(try store.read { _ in try Vault.count() } == 3)
  }

  @Test func `a call that has to fail does not ask for a secret`() throws {
    let asked = Mutex(0)
    let source = Unlock.callback {
      asked.withLock { $0 += 1 }
      return try SecretBytes(random: 32)
    }
    let locked = try ring.open(nil)
    try ring.expectUnchanged(.storeLocked) { try locked.addSlot(source) }
    try ring.expectUnchanged(.storeLocked) { try locked.changeSlot(1, to: source) }
    try ring.expectUnchanged(.storeLocked) { try locked.removeSlot(1) }
    #expect(try locked.slots().map(\.id) == [1])
    try RingScene.withoutRing { (empty) throws in
      expectError(.noKeyRing) { try empty.addSlot(source) }
      expectError(.noKeyRing) { try empty.removeSlot(1) }
      #expect(try empty.slots().isEmpty)
    }
    let store = try ring.open()
    try ring.expectUnchanged(.noSuchSlot) { try store.changeSlot(7, to: source) }
    try store.write { _ in
      expectError(.transactionState) { try store.addSlot(source) }
    }
    #expect(asked.withLock { $0 } == 0)
  }

  @Test func `a slot is not changed inside of a read or write`() throws {
    let store = try ring.open()
    let before = try ring.ring()
    try store.write { _ in
      expectError(.transactionState) { try store.addSlot(RingScene.unlock(2)) }
      expectError(.transactionState) { try store.changeSlot(1, to: RingScene.unlock(2)) }
    }
    try store.read { _ in expectError(.transactionState) { try store.removeSlot(1) } }
    try store.begin()
    expectError(.transactionState) { try store.addSlot(RingScene.unlock(2)) }
    try store.rollback()
    #expect(try ring.ring() == before)
    #expect(try store.addSlot(RingScene.unlock(2)) == 2)
  }

  @Test func `a secret that can't be had changes nothing`() throws {
    struct Refusal: Error {}
    let store = try ring.open()
    let before = try ring.ring()
    #expect(throws: Refusal.self) { try store.addSlot(.callback { throw Refusal() }) }
    expectError(.badSecret) { try store.addSlot(.callback { try SecretBytes(random: 31) }) }
    expectError(.badSecret) { try store.changeSlot(1, to: .passphrase("")) }
    #expect(try ring.ring() == before)
  }

  @Test func `the highest slot number there can be is not passed`() throws {
    try ring.scene.edit("INSERT INTO nacre_slot VALUES (4294967295, 'secret', '', zeroblob(72))")
    try ring.scene.edit("INSERT INTO nacre_slot VALUES (4294967296, 'secret', '', zeroblob(72))")
    let store = try ring.open()
    try ring.expectUnchanged(.constraint) { try store.addSlot(RingScene.unlock(2)) }
    try store.removeSlot(4_294_967_295)
    #expect(try store.addSlot(RingScene.unlock(2)) == 2)
  }
}
