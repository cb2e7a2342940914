import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreSQLite
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// A new store key, for which every slot is made anew.
@Suite struct RewrapTests {
  private let ring: RingScene
  private let second = RingScene.unlock(2)

  init() throws { ring = try RingScene() }

  private func wrapped() throws -> [[Value]] {
    try ring.scene.edit("SELECT sealed FROM nacre_key UNION ALL SELECT sealed FROM nacre_slot")
  }

  @Test func `a rewrap replaces all that is wrapped, and the secrets that are kept unlock`() throws
  {
    let store = try ring.open()
    try store.addSlot(second)
    try store.addSlot(.passphrase("MARKER-phrase"))
    let former = try #require(try store.inspect().ring?.keys.first { $0.purpose == .field })
    try store.promoteKey(try store.addKey(.field))
    let before = try wrapped()
    let keys = try ring.scene.edit(
      #"SELECT id, purpose, suite, state, created, "check" FROM nacre_key"#
    )
    let report = try store.rewrap(keeping: [second, .passphrase("MARKER-phrase"), Scene.unlock])
    #expect(report.kept == [1, 2, 3])
    #expect(report.dropped.isEmpty)
    #expect(report.generation == 4)
    #expect(report.isLogEmptied)
    let after = try wrapped()
    #expect(after.count == before.count)
    #expect(after.allSatisfy { !before.contains($0) })
    #expect(
      try ring.scene.edit(#"SELECT id, purpose, suite, state, created, "check" FROM nacre_key"#)
        == keys
    )
    for unlock in [Scene.unlock, second, .passphrase("MARKER-phrase")] { ring.expectOpens(unlock) }
    // The same store goes on, and its keys are the same ones.
    try store.promoteKey(former.id)
    try ring.saveVault("MARKER-new", in: store)
  }

  @Test func `slots whose secrets are not given are named, and nothing is changed`() throws {
    let store = try ring.open()
    try store.addSlot(second)
    try store.addSlot(.passphrase("MARKER-phrase"))
    try ring.scene.edit("INSERT INTO nacre_slot VALUES (9, 'MARKER-odd', '', x'')")
    let error = try ring.expectUnchanged(.slotsWouldBeLost) { try store.rewrap(keeping: [second]) }
    #expect(error?.detail == "slot 1 (secret), slot 3 (passphrase), slot 9 (of an unknown kind)")
    try ring.expectUnchanged(.slotsWouldBeLost) { try store.rewrap(keeping: []) }
    for unlock in [Scene.unlock, second] { ring.expectOpens(unlock) }
  }

  @Test func `slots are dropped when that is asked for`() throws {
    let store = try ring.open()
    try store.addSlot(second)
    try store.addSlot(RingScene.unlock(3))
    let report = try store.rewrap(keeping: [second], dropsOthers: true)
    #expect(report.kept == [2])
    #expect(report.dropped.map(\.id) == [1, 3])
    #expect(try store.slots().map(\.id) == [2])
    ring.expectOpens(second)
    ring.expectShut(Scene.unlock)
    ring.expectShut(RingScene.unlock(3))
    // This store was opened with a secret that is gone, and goes on until it is closed.
    try ring.saveVault("MARKER-on", in: store)
    try store.promoteKey(store.addKey(.field))
    try ring.saveVault("MARKER-and on", in: store)
    ring.expectOpens(second)
  }

  @Test func `a secret that opens no slot is a slip, and nothing is changed`() throws {
    let store = try ring.open()
    for secrets in [
      [Scene.unlock, Scene.wrong], [Scene.wrong], [Scene.unlock, .passphrase("MARKER-typo")],
    ] {
      try ring.expectUnchanged(.wrongSecret) {
        try store.rewrap(keeping: secrets, dropsOthers: true)
      }
    }
    try ring.expectUnchanged(.lastSlot) { try store.rewrap(keeping: [], dropsOthers: true) }
    struct Refusal: Error {}
    let before = try ring.ring()
    #expect(throws: Refusal.self) { try store.rewrap(keeping: [.callback { throw Refusal() }]) }
    #expect(try ring.ring() == before)
  }

  @Test func `a secret that opens several slots keeps them all, and may be given twice`() throws {
    let store = try ring.open()
    try store.addSlot(second)
    try store.addSlot(second)
    let report = try store.rewrap(keeping: [second, second, Scene.unlock])
    #expect(report.kept == [1, 2, 3])
    try store.removeSlot(2)
    ring.expectOpens(second)
  }

  @Test func `a rewrap needs the secret, and a transaction of its own`() throws {
    let locked = try ring.open(nil)
    try ring.expectUnchanged(.storeLocked) { try locked.rewrap(keeping: [Scene.unlock]) }
    try RingScene.withoutRing { empty in
      expectError(.noKeyRing) { try empty.rewrap(keeping: [Scene.unlock]) }
    }
    let store = try ring.open()
    let before = try ring.ring()
    try store.write { _ in
      expectError(.transactionState) { try store.rewrap(keeping: [Scene.unlock]) }
    }
    #expect(try ring.ring() == before)
  }

  @Test func `a kept copy of a removed slot opens the store until a rewrap`() throws {
    let store = try ring.open()
    try store.addSlot(second)
    let stolen = ring.scene.directory.file("stolen.db")
    try store.backup(to: stolen)
    let slot = try ring.scene.edit("SELECT sealed FROM nacre_slot WHERE id = 1")[0][0]
    let putBack = "INSERT INTO nacre_slot VALUES (1, 'secret', '', ?1)"

    try store.removeSlot(1)
    ring.expectShut(Scene.unlock)
    try ring.scene.edit(putBack, slot)
    ring.expectOpens(Scene.unlock)

    try store.removeSlot(1)
    try store.rewrap(keeping: [second])
    try ring.scene.edit(putBack, slot)
    // The slot itself still opens, to a store key that is none any more.
    expectError(.ringTampered) { _ = try ring.open() }
    try store.removeSlot(1)
    ring.expectShut(Scene.unlock)
    ring.expectOpens(second)
    // What was copied before stays open to the old secret, for ever.
    let copy = try Store.open(stolen, unlock: Scene.unlock)
    #expect(try copy.read { _ in try Vault.fetch(id: ring.id)?.secret } == Marker.text)
  }

  @Test func `a slot of a former store key is not kept by a rewrap`() throws {
    let store = try ring.open()
    try store.addSlot(second)
    let slot = try ring.scene.edit("SELECT sealed FROM nacre_slot WHERE id = 1")[0][0]
    try store.rewrap(keeping: [second], dropsOthers: true)
    try ring.scene.edit("INSERT INTO nacre_slot VALUES (1, 'secret', '', ?1)", slot)
    try ring.expectUnchanged(.wrongSecret) { try store.rewrap(keeping: [second, Scene.unlock]) }
    try ring.expectUnchanged(.slotsWouldBeLost) { try store.rewrap(keeping: [second]) }
  }

  @Test func `a rewrap leaves no former slot or wrapped key in any file`() throws {
    let store = try ring.open()
    try store.addSlot(second)
    let former = try wrapped().compactMap {
      if case .blob(let bytes)? = $0.first { bytes } else { nil }
    }
    #expect(former.count == 4)
    let report = try store.rewrap(keeping: [second], dropsOthers: true)
    #expect(report.isLogEmptied)
    for (name, bytes) in try ring.scene.fileBytes() {
      for wrapped in former { #expect(bytes.range(of: wrapped) == nil, "\(name)") }
    }
  }

  @Test func `a reader keeps the log, which the report tells`() throws {
    let store = try ring.scene.open { $0.busyTimeout = 0 }
    let reader = try Connection(path: ring.scene.path, mode: .readOnly)
    try reader.begin(.deferred)
    let statement = try reader.cached("SELECT count(*) FROM Vault")
    #expect(try statement.step())
    #expect(try !store.rewrap(keeping: [Scene.unlock]).isLogEmptied)
    statement.reset()
    try reader.rollback()
    #expect(try store.rewrap(keeping: [Scene.unlock]).isLogEmptied)
    try reader.close()
  }

  @Test func `a process that dies in a rewrap leaves the old ring whole`() async throws {
    try addSecond()
    let before = try ring.ring()
    let path = ring.scene.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try RewrapTests.dieInRewrap(path)
    }
    try expectOld(before)
  }

  private func addSecond() throws {
    let store = try ring.open()
    try store.addSlot(second)
    try store.close()
  }

  private func expectOld(_ before: [[Value]]) throws {
    #expect(try ring.ring() == before)
    for unlock in [Scene.unlock, second] { ring.expectOpens(unlock) }
    #expect(try ring.open().rewrap(keeping: [Scene.unlock, second]).kept == [1, 2])
  }

  /// Dies once the whole new ring is written and before it is committed.
  private static func dieInRewrap(_ path: String) throws {
    let written = Mutex(0)
    var options = StoreOptions()
    options.trace = { event in
      guard case .statement(let sql) = event, sql.contains("INTO \"nacre_store\"") else { return }
      // The generation and the MAC, the catalog with its own, and both again.
      if written.withLock({
        $0 += 1; return $0
      }) == 6 {
        kill(getpid(), SIGKILL)
      }
    }
    let store = try Store.open(path, unlock: Scene.unlock, options: options)
    try store.rewrap(keeping: [Scene.unlock, RingScene.unlock(2)])
  }
}
