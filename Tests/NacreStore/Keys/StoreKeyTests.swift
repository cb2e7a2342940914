import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// The data keys' states, changed through the store.
@Suite struct StoreKeyTests {
  private let ring: RingScene

  init() throws { ring = try RingScene() }

  private func state(_ id: KeyID, in store: Store) throws -> KeyState? {
    try store.inspect().ring?.keys.first { $0.id == id }?.state
  }

  /// Seals every value anew, as a rotation will.
  private func reseal(_ store: Store) throws {
    try store.write { _ in
      for vault in try Vault.fetchAll() {
        (vault.secret, vault.other) = (vault.secret, vault.other)
        (vault.number, vault.real, vault.data) = (vault.number, vault.real, vault.data)
        try vault.save()
      }
    }
  }

  @Test func `an added key is pending, and seals nothing`() throws {
    let store = try ring.open()
    let before = Date.now
    let id = try store.addKey(.field)
    let key = try #require(try store.inspect().ring?.keys.first { $0.id == id })
    #expect(key.state == .pending && key.purpose == .field && key.suite == .xaes256GCM)
    #expect(abs(key.created.timeIntervalSince(before)) < 60)
    try ring.saveVault("MARKER-more", in: store)
    #expect(try ring.namedKeys() == ["\(store.key(.primary))"])
    #expect(try ring.open(nil).inspect().ring?.generation == 2)
  }

  @Test func `an added key takes the suite of the primary one, unless another is named`() throws {
    let scene = try Scene()
    let store = try scene.open { $0.suite = .aes256GCM }
    for purpose in KeyPurpose.ofRing {
      let id = try store.addKey(purpose)
      #expect(try store.inspect().ring?.keys.first { $0.id == id }?.suite == .aes256GCM)
      #expect(try store.inspect().ring?.keys.first { $0.id == id }?.purpose == purpose)
    }
    expectError(.noSuchKey) { _ = try store.addKey(.file) }
    let id = try store.addKey(.field, suite: .xaes256GCM)
    #expect(try store.inspect().ring?.keys.first { $0.id == id }?.suite == .xaes256GCM)
  }

  @Test func `a promoted key seals from now on, and the one before opens what it has sealed`()
    throws
  {
    let store = try ring.open()
    let old = try store.key(.primary)
    let id = try store.addKey(.field)
    try store.promoteKey(id)
    #expect(try store.key(.primary) == id)
    #expect(try store.key(.enabled) == old)
    try ring.saveVault("MARKER-new", in: store)
    #expect(try ring.namedKeys() == ["\(old)", "\(id)"])
    #expect(
      try store.read { _ in try Vault.fetchAll().map(\.secret) }.sorted()
        == ["MARKER-new", Marker.text].sorted()
    )
    // And back.
    try store.promoteKey(old)
    #expect(try store.key(.primary) == old)
    ring.expectOpens(Scene.unlock)
  }

  @Test func `a disabled key refuses its values until it is enabled`() throws {
    let store = try ring.open()
    let old = try store.key(.primary)
    try store.promoteKey(store.addKey(.field))
    try store.disableKeyInUse(old)
    try store.read { _ in
      expectError(.disabledKey, entity: "Vault", property: "secret", objectID: ring.id) {
        _ = try Vault.fetch(id: ring.id)
      }
    }
    try store.enableKey(old)
    #expect(try state(old, in: store) == .enabled)
    #expect(try store.read { _ in try Vault.fetch(id: ring.id)?.secret } == Marker.text)
  }

  private func changes(of store: Store) -> [(KeyID) throws -> Void] {
    [store.promoteKey, store.enableKey, { try store.disableKey($0) }, { try store.destroyKey($0) }]
  }

  @Test func `a change that a key's state does not allow is refused, and nothing is changed`()
    throws
  {
    let store = try ring.open()
    let primary = try store.key(.primary)
    for change in changes(of: store) {
      try ring.expectUnchanged(.badKeyState) { try change(primary) }
    }
    let pending = try store.addKey(.field)
    for change in changes(of: store)[1...2] {
      try ring.expectUnchanged(.badKeyState) { try change(pending) }
    }
    try store.promoteKey(pending)
    try ring.expectUnchanged(.badKeyState) { try store.enableKey(primary) }
    try store.disableKeyInUse(primary)
    for change in [changes(of: store)[0], changes(of: store)[2]] {
      let error = try ring.expectUnchanged(.badKeyState) { try change(primary) }
      #expect(error?.detail?.contains("key \(primary) is disabled") == true)
    }
    let gone = try store.addKey(.field)
    try store.destroyKey(gone)
    for change in changes(of: store) {
      try ring.expectUnchanged(.badKeyState) { try change(gone) }
    }
  }

  @Test func `a key that the ring does not have is refused`() throws {
    let store = try ring.open()
    let unknown = KeyID(rawValue: 1)
    for change in changes(of: store) {
      try ring.expectUnchanged(.noSuchKey) { try change(unknown) }
    }
  }

  @Test func `keys are changed by nobody without a secret, and not inside of a read or write`()
    throws
  {
    let locked = try ring.open(nil)
    let store = try ring.open()
    let id = try store.key(.primary)
    try ring.expectUnchanged(.storeLocked) { try locked.addKey(.field) }
    try ring.expectUnchanged(.storeLocked) { try locked.destroyKey(id) }
    try RingScene.withoutRing { empty in
      expectError(.noKeyRing) { try empty.addKey(.field) }
      expectError(.noKeyRing) { try empty.promoteKey(id) }
    }
    let before = try ring.ring()
    try store.write { _ in
      expectError(.transactionState) { try store.addKey(.field) }
      expectError(.transactionState) { try store.destroyKey(id) }
    }
    try store.read { _ in expectError(.transactionState) { try store.promoteKey(id) } }
    #expect(try ring.ring() == before)
  }

  @Test func `a key is not destroyed while a value names it, and the places are told`() throws {
    let store = try ring.open()
    let old = try store.key(.primary)
    let vault = Vault.create()
    vault.note = Marker.text
    try ring.scene.save(vault, in: store)
    try store.promoteKey(store.addKey(.field))
    let error = try ring.expectUnchanged(.keyInUse) { try store.destroyKey(old) }
    #expect(
      error?.detail == "11 values: Vault.data 2, Vault.note 1, Vault.number 2, Vault.other 2, "
        + "Vault.real 2, Vault.secret 2"
    )
    // A disabled key can be in use as well.
    try store.disableKeyInUse(old)
    try ring.expectUnchanged(.keyInUse) { try store.destroyKey(old) }
    try store.enableKey(old)
    try reseal(store)
    let last = try ring.expectUnchanged(.keyInUse) { try store.destroyKey(old) }
    #expect(last?.detail == "1 value: Vault.note 1")
    try ring.scene.edit("UPDATE Vault SET note = NULL")
    try store.destroyKey(old)
    #expect(try state(old, in: store) == .destroyed)
    ring.expectOpens(Scene.unlock)
  }

  @Test
  func `a value counts by its key's number alone, whatever its suite, length or storage class`()
    throws
  {
    let store = try ring.open()
    let pending = try store.addKey(.field)
    for cell in ["x'07\(pending)'", "x'01\(pending)00'"] {
      try ring.scene.edit("UPDATE Vault SET note = \(cell)")
      let error = try ring.expectUnchanged(.keyInUse) { try store.destroyKey(pending) }
      #expect(error?.detail == "1 value: Vault.note 1")
    }
    // Neither plaintext nor what a hook has sealed is an envelope.
    try ring.scene.edit("UPDATE Vault SET note = '1\(pending)'")
    try ring.scene.edit("UPDATE Vault SET secret = x'07\(pending)'")
    try ring.scene.editCatalog("UPDATE nacre_property SET hooked = 1 WHERE name = 'secret'")
    try store.destroyKey(pending)
  }

  @Test func `a destroyed key leaves its number, and its bytes in no file`() throws {
    let store = try ring.open()
    let id = try store.addKey(.field)
    let rows = try ring.scene.edit("SELECT sealed FROM nacre_key WHERE state = 1")
    guard case .blob(let wrapped)? = rows.first?.first else { throw CocoaError(.fileReadUnknown) }
    #expect(try ring.scene.fileBytes().values.contains { $0.range(of: wrapped) != nil })
    try store.destroyKey(id)
    let left = try ring.scene.edit(
      "SELECT state, sealed, \"check\" FROM nacre_key WHERE id = \(id.rawValue)"
    )
    #expect(left == [[.integer(5), .null, .null]])
    #expect(try ring.scene.fileBytes().values.allSatisfy { $0.range(of: wrapped) == nil })
  }

  @Test func `an index key is destroyed only when it is pending or disabled`() throws {
    let store = try ring.open()
    let old = try store.key(.primary, .index)
    try ring.expectUnchanged(.badKeyState) { try store.destroyKey(old) }
    try store.destroyKey(store.addKey(.index))
    try store.promoteKey(store.addKey(.index))
    let error = try ring.expectUnchanged(.keyInUse) { try store.destroyKey(old) }
    #expect(error?.detail?.contains("rotate the indexes first") == true)
    try store.disableKey(old)
    try store.destroyKey(old)
    #expect(try state(old, in: store) == .destroyed)
  }

  @Test func `a key is not destroyed when the catalog names a table that is not there`() throws {
    let store = try ring.open()
    let id = try store.addKey(.field)
    try ring.scene.edit("ALTER TABLE Vault RENAME COLUMN note TO other_note")
    try ring.expectUnchanged(.schemaMismatch) { try store.destroyKey(id) }
    try ring.scene.edit("DROP TABLE Vault")
    try ring.expectUnchanged(.schemaMismatch) { try store.destroyKey(id) }
  }

  @Test func `the count of seals stays when the ring changes`() throws {
    let ring = try RingScene { $0.suite = .aes256GCM }
    let store = try ring.open()
    let seals = "SELECT id, seals FROM nacre_key WHERE seals > 0"
    let before = try ring.scene.edit(seals)
    #expect(before.count == 1)
    try store.promoteKey(store.addKey(.field))
    try store.rewrap(keeping: [Scene.unlock])
    #expect(try ring.scene.edit(seals) == before)
  }

  @Test func `a ring that was changed under its generation is told and not written over`() throws {
    let store = try ring.open()
    try ring.scene.edit("UPDATE nacre_key SET created = created + 1")
    try ring.expectUnchanged(.ringTampered) { try store.addKey(.field) }
    try ring.expectUnchanged(.ringTampered) { try store.addSlot(RingScene.unlock(2)) }
    try ring.expectUnchanged(.ringTampered) { try store.rewrap(keeping: [Scene.unlock]) }
  }

  @Test(arguments: [true, false])
  func `a change that can't be written leaves memory as it was`(_ failsAtCommit: Bool) throws {
    let store = try ring.open()
    let id = try store.key(.primary)
    try ring.scene.edit("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
    try ring.scene.edit("CREATE TABLE child (id REFERENCES parent DEFERRABLE INITIALLY DEFERRED)")
    struct Refusal: Error {}
    let before = try ring.ring()
    #expect(throws: (any Error).self) {
      try store.changeRing { database, ring in
        try database.replaceRing(by: ring.adding(.field, createdAt: 1).0)
        guard failsAtCommit else { throw Refusal() }
        try database.execute("INSERT INTO child VALUES (1)")
      }
    }
    #expect(try ring.ring() == before)
    #expect(try store.keys.unlocked().changeNumber == 1)
    try ring.saveVault("MARKER-on", in: store)
    #expect(try store.key(.primary) == id)
    try store.addKey(.field)
    #expect(try store.keys.unlocked().changeNumber == 2)
  }
}
