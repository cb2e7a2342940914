import Dispatch
import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// A second store on the same file, as another process has it, while slots and keys change under it.
@Suite struct RingFollowingTests {
  private let ring: RingScene
  private let second = RingScene.unlock(2)

  init() throws { ring = try RingScene() }

  /// Writes with one store and reads with the other, both ways.
  private func expectBothWork(
    _ stores: [Store],
    _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (number, store) in stores.enumerated() {
      let vault = Vault.create()
      vault.secret = "MARKER-\(text) \(number)"
      try ring.scene.save(vault, in: store)
      for reader in stores {
        let found = try reader.read { _ in try Vault.fetch(id: vault.objectID)?.secret }
        #expect(found == vault.secret, sourceLocation: sourceLocation)
      }
    }
  }

  @Test func `another process goes on through every change of keys and slots`() throws {
    let (store, other) = (try ring.open(), try ring.open())
    let old = try store.key(.primary)
    let id = try store.addKey(.field)
    try expectBothWork([store, other], "added")
    try store.promoteKey(id)
    try expectBothWork([store, other], "promoted")
    #expect(try ring.namedKeys() == ["\(old)", "\(id)"])
    try store.rewrap(keeping: [Scene.unlock])
    try expectBothWork([store, other], "rewrapped")
    try other.addSlot(second)
    try other.promoteKey(other.addKey(.field))
    try expectBothWork([store, other], "promoted by the other")
    try other.rewrap(keeping: [second, Scene.unlock])
    try other.rewrap(keeping: [second, Scene.unlock])
    try expectBothWork([store, other], "rewrapped by the other, twice")
    try store.changeSlot(2, to: RingScene.unlock(3))
    try store.removeSlot(2)
    try store.rewrap(keeping: [Scene.unlock])
    try expectBothWork([other, store], "rewrapped and read first")
    #expect(try other.inspect().ring?.isVerified == true)
    #expect(try store.keys.unlocked().generation == other.keys.unlocked().generation)
  }

  @Test func `another process that only reads meets a new key after a rewrap`() throws {
    let (store, reader) = (try ring.open(), try ring.open())
    try store.rewrap(keeping: [Scene.unlock])
    #expect(try reader.inspect().ring?.isVerified == true)
    try store.rewrap(keeping: [Scene.unlock])
    try store.promoteKey(store.addKey(.field))
    try ring.saveVault("MARKER-new", in: store)
    let secrets = try reader.read { _ in try Vault.fetchAll().map(\.secret) }
    #expect(Set(secrets) == [Marker.text, "MARKER-new"])
  }

  @Test func `a process whose secret was not kept reads what it can and writes no more`() throws {
    let store = try ring.open()
    try store.addSlot(second)
    let asked = Mutex(0)
    let other = try ring.open(
      .callback {
        asked.withLock { $0 += 1 }
        return try Scene.secret(Scene.keyHex)
      }
    )
    try store.rewrap(keeping: [second], dropsOthers: true)
    for _ in 0..<3 {
      let error = thrown(.wrongSecret) { try ring.saveVault("MARKER-late", in: other) }
      #expect(error?.detail?.contains("rewrapped") == true)
    }
    // Once at open, and once after the rewrap: a passphrase costs half a second under the writers' lock.
    #expect(asked.withLock { $0 } == 2)
    #expect(try other.read { _ in try Vault.fetch(id: ring.id)?.secret } == Marker.text)
    try store.promoteKey(store.addKey(.field))
    try ring.saveVault("MARKER-new", in: store)
    try other.read { _ in
      expectError(.wrongSecret, entity: "Vault", property: "secret") { _ = try Vault.fetchAll() }
    }
    for change in [{ _ = try other.addKey(.field) }, { _ = try other.addSlot(second) }] {
      try ring.expectUnchanged(.wrongSecret, change)
    }
    #expect(try store.read { _ in try Vault.count() } == 2)
    ring.expectShut(Scene.unlock)
    ring.expectOpens(second)
  }

  @Test func `a process that was shut out comes back when its secret has a slot again`() throws {
    let (store, other) = (try ring.open(), try ring.open())
    try store.addSlot(second)
    try store.rewrap(keeping: [second], dropsOthers: true)
    try ring.expectUnchanged(.wrongSecret) { try ring.saveVault("MARKER-late", in: other) }
    try store.addSlot(Scene.unlock)
    try expectBothWork([store, other], "back")
    // And when the ring has moved as well.
    try store.rewrap(keeping: [second], dropsOthers: true)
    try ring.expectUnchanged(.wrongSecret) { try ring.saveVault("MARKER-late", in: other) }
    try store.promoteKey(store.addKey(.field))
    try store.addSlot(Scene.unlock)
    try expectBothWork([other, store], "back again")
  }

  @Test func `a value that did not open is tried again under keys that another thread has adopted`()
    throws
  {
    let store = try ring.open()
    let version = store.keys.version
    func areNewer(_ code: CryptoError.Code) throws -> Bool {
      try store.read { database in
        try store.keys.areNewer(
          than: version,
          for: CryptoError(code, message: ""),
          on: database
        )
      }
    }
    #expect(try !areNewer(.unknownKey))
    #expect(try !areNewer(.disabledKey))
    let other = try ring.open()
    try other.promoteKey(other.addKey(.field))
    #expect(try !areNewer(.disabledKey))
    #expect(try areNewer(.unknownKey))
    // The file's ring is this process's by now.
    #expect(try areNewer(.unknownKey))
    #expect(try areNewer(.disabledKey))
  }

  @Test func `a source that fails for a while is asked again`() throws {
    struct Refusal: Error {}
    let isDown = Mutex(false)
    let (store, other) = (
      try ring.open(),
      try ring.open(
        .callback {
          if isDown.withLock({ $0 }) { throw Refusal() }
          return try Scene.secret(Scene.keyHex)
        }
      )
    )
    isDown.withLock { $0 = true }
    try store.rewrap(keeping: [Scene.unlock])
    #expect(throws: Refusal.self) { try ring.saveVault("MARKER-late", in: other) }
    isDown.withLock { $0 = false }
    try expectBothWork([other, store], "again")
  }

  @Test func `a ring that was put back from before a rewrap is refused`() throws {
    let (store, other) = (try ring.open(), try ring.open())
    let former = ring.scene.directory.file("former.db")
    try store.backup(to: former)
    try store.rewrap(keeping: [Scene.unlock])
    try expectBothWork([store, other], "rewrapped")
    let connection = try Connection(path: ring.scene.path, mode: .readWrite)
    try connection.execute("ATTACH '\(former)' AS former")
    for table in ["nacre_key", "nacre_slot", "nacre_store"] {
      try connection.execute("DELETE FROM main.\(table)")
      try connection.execute("INSERT INTO main.\(table) SELECT * FROM former.\(table)")
    }
    try connection.close()
    for store in [store, other] {
      expectError(.ringTampered) { try ring.saveVault("MARKER-lost", in: store) }
    }
  }

  @Test func `a ring of a later generation that its store key has not marked is refused`() throws {
    let store = try ring.open()
    try ring.scene.edit("UPDATE nacre_store SET value = value + 1 WHERE name = 'ringGeneration'")
    expectError(.ringTampered) { try ring.saveVault("MARKER-lost", in: store) }
    // Without slots nobody can say why the secret does not unlock.
    try ring.scene.edit("UPDATE nacre_slot SET sealed = zeroblob(72)")
    expectError(.wrongSecret) { try ring.saveVault("MARKER-lost", in: store) }
    #expect(try store.read { _ in try Vault.count() } == 1)
  }

  @Test func `writers go on while the ring is rewrapped and promoted under them`() throws {
    let (store, other) = (try ring.open(), try ring.open())
    let errors = Mutex<[String]>([])
    let done = DispatchGroup()
    for writer in [store, other] {
      done.enter()
      Thread.detachNewThread {
        do {
          for _ in 0..<40 { try writer.write { _ in try Vault.create().save() } }
        } catch { errors.withLock { $0.append("\(error)") } }
        done.leave()
      }
    }
    for _ in 0..<5 {
      try store.rewrap(keeping: [Scene.unlock])
      try store.promoteKey(store.addKey(.field))
    }
    done.wait()
    #expect(errors.withLock { $0 } == [])
    for store in [store, other] {
      #expect(try store.read { _ in try Vault.fetchAll().count } == 81)
    }
  }

  @Test func `every call has an async twin that does the same`() async throws {
    let store = try ring.open()
    #expect(try await store.addSlot(second) == 2)
    try await store.changeSlot(2, to: RingScene.unlock(3))
    #expect(try await store.slots().map(\.id) == [1, 2])
    #expect(try await store.rewrap(keeping: [Scene.unlock], dropsOthers: true).dropped.count == 1)
    _ = try await store.addSlot(second)
    try await store.removeSlot(1)
    let old = try store.key(.primary)
    let id = try await store.addKey(.field)
    try await store.promoteKey(id)
    try await store.disableKey(old, ignoring: store.keyUses(of: old).map(\.column))
    try await store.enableKey(old)
    #expect(try await store.sealedCounts().map(\.keyID) == [old, old, old, old, old])
    try await store.write { try $0.execute("DELETE FROM Vault") }
    try await store.destroyKey(old)
    #expect(try store.key(.destroyed) == old)
  }
}
