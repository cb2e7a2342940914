import Dispatch
import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreStore
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// A reader's snapshot may be older than the ring that the process already has.
@Suite struct RingSnapshotTests {
  private let scene: Scene

  init() throws {
    scene = try Scene()
    let store = try scene.open()
    let vault = Vault.create()
    vault.secret = Marker.text
    try scene.save(vault, in: store)
    try store.close()
  }

  /// Adds a pending key to the ring in the file, as another process would.
  private func addKey() throws {
    let connection = try Connection(path: scene.path, mode: .readWrite)
    defer { try? connection.close() }
    try connection.transaction(.immediate) {
      guard case .blob(let bytes)? = try connection.scalar(CatalogSQL.getValue, ["storeID"]),
        let storeID = StoreID(bytes), let record = try RingTable.read(storeID, on: connection)
      else { throw CocoaError(.fileReadUnknown) }
      let slots = try RingTable.slots(on: connection)
      let secret = SlotSecret.raw(try Scene.secret(Scene.keyHex))
      let ring = try KeyRing.unlock(record, slots: slots, with: secret)
      try connection.execute("DELETE FROM nacre_key")
      try RingTable.write(ring.adding(.field, createdAt: 2).ring.record(), on: connection)
    }
  }

  private func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
    nonisolated(unsafe) var result = Result<Void, any Error>.success(())
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      result = Result { try body() }
      done.signal()
    }
    done.wait()
    try result.get()
  }

  @Test func `an unknown key in an old snapshot is an unknown key and no tampered ring`() throws {
    // Key id 1 is not in the ring.
    try scene.edit("UPDATE Vault SET secret = x'0100000001' || substr(secret, 6)")
    try scene.edit("UPDATE Vault SET secret = CAST(secret AS BLOB)")
    let store = try scene.open()
    try store.read { _ in
      #expect(try Vault.count() == 1)
      try addKey()
      try onAnotherThread { try store.write { _ in try Vault.create().save() } }
      expectError(.unknownKey) { _ = try Vault.fetchAll() }
    }
    #expect(store.keys.isUnlocked)
    #expect(try store.keys.unlocked().changeNumber == 2)
  }

  @Test func `the process never goes back to an older ring than it has`() throws {
    let store = try scene.open()
    let old = try Connection(path: scene.path, mode: .readOnly)
    try old.begin(.deferred)
    _ = try old.scalar(CatalogSQL.getValue, ["ringGeneration"])
    try addKey()
    try store.write { _ in }
    #expect(try store.keys.unlocked().changeNumber == 2)
    let followed = try? store.keys.follow(on: old, seenBefore: 1)
    #expect(followed == false)
    #expect(try store.keys.unlocked().changeNumber == 2)
    try old.rollback()
    try old.close()
  }

  @Test func `a ring that was put back while the store is open is refused at the next write`()
    throws
  {
    let before = try Connection(path: scene.path, mode: .readOnly)
    let former = try before.scalar(CatalogSQL.getValue, ["ringMAC"])
    try before.close()
    let store = try scene.open()
    try addKey()
    try store.write { _ in }
    #expect(try store.keys.unlocked().changeNumber == 2)
    try scene.edit("DELETE FROM nacre_key WHERE created = 2")
    try scene.edit("UPDATE nacre_store SET value = value - 1 WHERE name = 'ringGeneration'")
    try scene.edit("UPDATE nacre_store SET value = ?1 WHERE name = 'ringMAC'", former ?? .null)
    expectError(.ringTampered) { try store.write { _ in } }
  }

  /// What makes the ring, or its number of the catalog, a newer one.
  enum Newer: CaseIterable {
    case key, storeKey, catalog
  }

  @Test(arguments: Newer.allCases)
  func `an older ring that was put back with its catalog is named by all who look`(
    _ newer: Newer
  ) throws {
    let tables = ["nacre_store", "nacre_key", "nacre_slot", "nacre_entity", "nacre_property"]
    for table in tables { try scene.edit("CREATE TABLE saved_\(table) AS SELECT * FROM \(table)") }
    let store = try scene.open()
    let other = try scene.open()
    switch newer {
    case .key: try other.addKey(.field)
    case .storeKey: try other.rewrap(keeping: [Scene.unlock])
    case .catalog: try scene.save(Wheel.create(), in: other)
    }
    try other.close()
    #expect(try store.verify().isSound)
    for table in tables {
      try scene.edit("DELETE FROM \(table)")
      try scene.edit("INSERT INTO \(table) SELECT * FROM saved_\(table)")
    }
    let faults = try store.verify().faults
    #expect(faults.map(\.kind) == [.ringTampered])
    #expect(faults.first?.detail.contains("older") == true)
    expectError(.ringTampered) { _ = try store.reviewCatalog() }
    expectError(.ringTampered) { _ = try store.inspect() }
    expectError(.ringTampered) { _ = try store.rotationPlan() }
    expectError(.ringTampered) { try store.write { _ in } }
    // To a process that has not seen the newer one it is as good as any.
    #expect(try scene.open().verify().isSound)
  }

  @Test func `a read that goes on is sound under the ring of its own state`() throws {
    let store = try scene.open()
    try store.read { _ in
      #expect(try Vault.count() == 1)
      try addKey()
      try onAnotherThread { try store.write { _ in try Vault.create().save() } }
      #expect(try store.verify().isSound)
      #expect(try store.reviewCatalog().state == .authentic)
    }
    #expect(try store.verify().isSound)
  }
}
