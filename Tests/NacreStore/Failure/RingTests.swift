import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreStore
import Testing
@testable import TestSupport

/// Keys that were switched off or destroyed, and ring tables that somebody changed.
@Suite struct RingTests {
  private let scene: Scene
  private let id: UUID

  init() throws {
    scene = try Scene()
    let store = try scene.open()
    let vault = Vault.create()
    vault.secret = Marker.text
    try scene.save(vault, in: store)
    id = vault.objectID
    try store.close()
  }

  /// Writes another ring into the file, as another program with the secret would.
  private func change(_ body: (KeyRing) throws -> KeyRing) throws {
    let connection = try Connection(path: scene.path, mode: .readWrite)
    defer { try? connection.close() }
    let bytes = try connection.scalar(CatalogSQL.getValue, ["storeID"])
    guard case .blob(let storeBytes)? = bytes, let storeID = StoreID(storeBytes),
      let record = try RingTable.read(storeID, on: connection)
    else { throw CocoaError(.fileReadUnknown) }
    let ring = try KeyRing.unlock(
      record,
      slots: RingTable.slots(on: connection),
      with: .raw(Scene.secret(Scene.keyHex))
    )
    let changed = try body(ring)
    try connection.execute("DELETE FROM nacre_key")
    try RingTable.write(changed.record(), on: connection)
  }

  private func expectFetch(
    _ code: NacreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try scene.open()
    try store.read { _ in
      expectError(
        code,
        entity: "Vault",
        property: "secret",
        objectID: id,
        sourceLocation: sourceLocation
      ) { _ = try Vault.fetch(id: id) }
    }
    // What is sealed under the new primary key is not concerned.
    let vault = Vault.create()
    vault.secret = "MARKER-new"
    try scene.save(vault, in: store)
    #expect(
      try store.read { _ in try Vault.fetch(id: vault.objectID)?.secret } == "MARKER-new",
      sourceLocation: sourceLocation
    )
  }

  /// A ring whose first field key is no longer primary.
  private func retired(_ ring: KeyRing) throws -> (KeyRing, KeyID) {
    let first = try #require(ring.primaryID(.field))
    let (added, second) = try ring.adding(.field, createdAt: 1)
    return (try added.promoting(second), first)
  }

  @Test func `a value under a disabled key is refused by name until the key is enabled`() throws {
    try change { ring in
      let (ring, first) = try retired(ring)
      return try ring.setting(first, to: .disabled)
    }
    try expectFetch(.disabledKey)
    try change { ring in
      let disabled = try #require(ring.keys.first { $0.state == .disabled })
      return try ring.setting(disabled.id, to: .enabled)
    }
    let store = try scene.open()
    #expect(try store.read { _ in try Vault.fetch(id: id)?.secret } == Marker.text)
  }

  @Test func `a value under a destroyed key is refused by name`() throws {
    try change { ring in
      let (ring, first) = try retired(ring)
      return try ring.destroying(first)
    }
    try expectFetch(.destroyedKey)
  }

  @Test func `an open store seals under the new key from its next transaction on`() throws {
    let store = try scene.open()
    let reader = try scene.open()
    try change { try retired($0).0 }
    let vault = Vault.create()
    vault.secret = "MARKER-next"
    try scene.save(vault, in: store)
    let rows = try scene.edit("SELECT count(DISTINCT substr(secret, 2, 4)) FROM Vault")
    #expect(rows == [[.integer(2)]])
    // The other store has not written since, meets a key that it does not know, and reads the ring again.
    #expect(
      try reader.read { _ in try Vault.fetch(id: vault.objectID)?.secret } == "MARKER-next"
    )
  }

  @Test(arguments: [
    "UPDATE nacre_key SET purpose = 3 - purpose", "UPDATE nacre_key SET suite = 2",
    "UPDATE nacre_key SET state = 3", "UPDATE nacre_key SET created = created + 1",
    "UPDATE nacre_key SET sealed = zeroblob(72)", "UPDATE nacre_key SET sealed = NULL",
    "UPDATE nacre_key SET \"check\" = zeroblob(32)", "UPDATE nacre_key SET \"check\" = NULL",
    "UPDATE nacre_key SET sealed = substr(sealed, 1, 71)", "UPDATE nacre_key SET id = id + 1",
    "UPDATE nacre_key SET state = 5", "UPDATE nacre_key SET state = 9",
    "UPDATE nacre_key SET purpose = 0", "UPDATE nacre_key SET suite = 7",
    "UPDATE nacre_key SET created = -1", "UPDATE nacre_key SET id = -id",
    "UPDATE nacre_key SET state = 'primary'",
    "DELETE FROM nacre_key WHERE purpose = 1", "DELETE FROM nacre_key",
    """
    INSERT INTO nacre_key (id, purpose, suite, state, created, sealed, "check") \
    SELECT id + 1, purpose, suite, 3, created, sealed, "check" FROM nacre_key LIMIT 1
    """,
    "UPDATE nacre_store SET value = value + 1 WHERE name = 'ringGeneration'",
    "UPDATE nacre_store SET value = -1 WHERE name = 'ringGeneration'",
    "UPDATE nacre_store SET value = 'x' WHERE name = 'ringGeneration'",
    "DELETE FROM nacre_store WHERE name = 'ringGeneration'",
    "UPDATE nacre_store SET value = zeroblob(32) WHERE name = 'ringMAC'",
    "UPDATE nacre_store SET value = substr(value, 1, 31) WHERE name = 'ringMAC'",
    "UPDATE nacre_store SET value = 1 WHERE name = 'ringMAC'",
    "DELETE FROM nacre_store WHERE name = 'ringMAC'",
  ])
  func `a ring that was changed in the file is refused and not replaced`(_ sql: String) throws {
    try scene.edit(sql)
    let keys = try scene.edit("SELECT * FROM nacre_key")
    expectError(.ringTampered) { _ = try scene.open() }
    #expect(try scene.edit("SELECT * FROM nacre_key") == keys)
  }

  @Test func `a key that has sealed as often as its suite allows seals no more and still opens`()
    throws
  {
    let scene = try Scene()
    let first = try scene.open { $0.suite = .aes256GCM }
    let vault = Vault.create()
    vault.secret = Marker.text
    try scene.save(vault, in: first)
    try first.close()
    try scene.edit("UPDATE nacre_key SET seals = 4294967296")
    let store = try scene.open()
    let fetched = try #require(try store.read { _ in try Vault.fetchOne() })
    #expect(fetched.secret == Marker.text)
    fetched.secret = "MARKER-one too many"
    expectError(
      .sealLimitReached,
      entity: "Vault",
      property: "secret",
      objectID: vault.objectID
    ) { try fetched.save() }
    #expect(fetched.hasChanges)
    fetched.label = "plain"
    #expect(try store.read { _ in try Vault.fetchOne()?.secret } == Marker.text)
  }

  @Test func `the count of seals is outside of the MAC`() throws {
    try scene.edit("UPDATE nacre_key SET seals = seals + 1000")
    try scene.open().close()
  }

  @Test(arguments: [
    "UPDATE nacre_slot SET sealed = zeroblob(72)", "UPDATE nacre_slot SET sealed = x''",
    "UPDATE nacre_slot SET kind = 'passphrase'", "UPDATE nacre_slot SET kind = 'other'",
    "UPDATE nacre_slot SET id = 2", "UPDATE nacre_slot SET id = -1", "DELETE FROM nacre_slot",
    "UPDATE nacre_store SET value = zeroblob(16) WHERE name = 'storeID'",
  ])
  func `a slot that was changed opens with no secret`(_ sql: String) throws {
    try scene.edit(sql)
    expectError(.wrongSecret) { _ = try scene.open() }
  }

  @Test(arguments: [
    "UPDATE nacre_store SET value = zeroblob(15) WHERE name = 'storeID'",
    "UPDATE nacre_store SET value = 'text' WHERE name = 'storeID'",
    "DELETE FROM nacre_store WHERE name = 'storeID'",
    "DELETE FROM nacre_store WHERE name = 'format'",
    "UPDATE nacre_store SET value = 'one' WHERE name = 'format'",
  ])
  func `a store without its id or format is none`(_ sql: String) throws {
    try scene.edit(sql)
    expectError(.notAStore) { _ = try scene.open() }
  }

  @Test func `a ring that is changed while the store is open is refused at the next write`() throws
  {
    let store = try scene.open()
    let vault = try #require(try store.read { _ in try Vault.fetchOne() })
    try scene.edit("UPDATE nacre_store SET value = value + 1 WHERE name = 'ringGeneration'")
    vault.secret = "MARKER-lost"
    expectError(.ringTampered) { try vault.save() }
    #expect(vault.hasChanges)
    try scene.edit("UPDATE nacre_store SET value = value - 1 WHERE name = 'ringGeneration'")
    try vault.save()
    #expect(try store.read { _ in try Vault.fetchOne()?.secret } == "MARKER-lost")
  }
}
