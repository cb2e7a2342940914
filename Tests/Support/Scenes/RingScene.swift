import Foundation
import NacreCore
import NacreCrypto
import NacreUpkeep
import Testing

/// A scene with one vault, and what the ring's tables and the secrets' sources do in it.
struct RingScene {
  let scene: Scene
  /// The vault that is stored from the beginning.
  let id: UUID

  init(_ change: (inout StoreOptions) -> Void = { _ in }) throws {
    scene = try Scene()
    let store = try scene.open(Scene.unlock, change)
    let vault = Vault.create()
    vault.secret = Marker.text
    try scene.save(vault, in: store)
    id = vault.objectID
    try store.close()
  }

  /// A secret of 32 equal bytes.
  static func unlock(_ byte: UInt8) -> Unlock {
    .callback {
      try [UInt8](repeating: byte, count: 32).withUnsafeBytes { try SecretBytes(copying: $0) }
    }
  }

  func open(_ unlock: Unlock? = Scene.unlock) throws -> Store { try scene.open(unlock) }

  /// Opens, and closes at once: whether a secret unlocks.
  func expectOpens(_ unlock: Unlock, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(throws: Never.self, sourceLocation: sourceLocation) {
      let store = try open(unlock)
      let secret = try store.read { _ in try Vault.fetch(id: id)?.secret }
      #expect(secret == Marker.text, sourceLocation: sourceLocation)
      try store.close()
    }
  }

  func expectShut(_ unlock: Unlock, sourceLocation: SourceLocation = #_sourceLocation) {
    expectError(.wrongSecret, sourceLocation: sourceLocation) { _ = try open(unlock) }
  }

  /// Runs `body` with a store that has no key ring.
  static func withoutRing(_ body: (Store) throws -> Void) throws {
    let scene = try Scene()
    try withExtendedLifetime(scene) { try body(scene.open(nil)) }
  }

  /// All that the ring and its slots are in the file.
  func ring() throws -> [[Value]] {
    try scene.edit("SELECT * FROM nacre_key ORDER BY id")
      + scene.edit("SELECT * FROM nacre_slot ORDER BY id")
      + scene.edit("SELECT * FROM nacre_store ORDER BY name")
  }

  /// Runs `body`, which must throw that code and leave the ring's tables as they are.
  @discardableResult
  func expectUnchanged(
    _ code: NacreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) throws -> NacreError? {
    let before = try ring()
    let error = thrown(code, sourceLocation: sourceLocation, body)
    #expect(try ring() == before, sourceLocation: sourceLocation)
    return error
  }

  /// The key ids that the vaults' secrets name, each once, as hex.
  func namedKeys() throws -> Set<String> {
    let rows = try scene.edit("SELECT DISTINCT hex(substr(secret, 2, 4)) FROM \"Vault\"")
    return Set(
      rows.compactMap { if case .text(let hex)? = $0.first { hex.lowercased() } else { nil } }
    )
  }

  /// Adds a slot for a passphrase at the least cost that scrypt may have, for tests that try it
  /// many times.
  func addCheapSlot(_ id: UInt32, passphrase: String) throws {
    let store = try open()
    let secret = try Array(passphrase.utf8).withUnsafeBytes { try SecretBytes(copying: $0) }
    let slot = try store.keys.unlocked()
      .makeSlot(id: id, secret: .passphrase(secret), scryptN: 1 << 14)
    try store.close()
    try scene.edit(
      "INSERT INTO nacre_slot VALUES (?1, ?2, ?3, ?4)",
      .integer(Int64(id)),
      .text(slot.kind.rawValue),
      .text(slot.parameters),
      .blob(Data(slot.sealed))
    )
  }

  func saveVault(_ secret: String, in store: Store) throws {
    let vault = Vault.create()
    vault.secret = secret
    try scene.save(vault, in: store)
  }
}

extension Store {
  /// The key in a state, of which there must be one.
  func key(_ state: KeyState, _ purpose: KeyPurpose = .field) throws -> KeyID {
    let keys = try #require(try inspect().ring).keys
    let found = keys.filter { $0.state == state && $0.purpose == purpose }
    #expect(found.count == 1)
    return try #require(found.first).id
  }
}
