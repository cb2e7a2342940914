import Foundation
@testable import NacreCore
import NacreCrypto
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// Values that are bound to a class and a property, and to no row.
@Suite struct DAOSealingTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  private func sealed(_ value: Value, in store: Store) throws -> Value {
    try store.write { try $0.sealDAO(value, type: "Note", property: "body") }
  }

  private func opened(
    _ stored: Value,
    in store: Store,
    type: String = "Note",
    property: String = "body"
  ) throws -> Value {
    try store.read { try $0.openDAO(stored, type: type, property: property) }
  }

  @Test(arguments: [
    Value.integer(.min), .integer(0), .real(-0.0), .real(.infinity), .text(""), .text("a\0ä🦪"),
    .blob(Data()), .blob(Data([0, 1, 255])),
  ])
  func `a value comes back in its own storage class`(_ value: Value) throws {
    let stored = try sealed(value, in: store)
    #expect(stored.storageClass == .blob)
    #expect(try opened(stored, in: store) == value)
    #expect(try sealed(value, in: store) != stored)
  }

  @Test func `nil stays NULL`() throws {
    #expect(try sealed(.null, in: store) == .null)
    #expect(try opened(.null, in: store) == .null)
  }

  @Test func `a value of another class, property or store does not open`() throws {
    let stored = try sealed(.text(Marker.text), in: store)
    expectError(.tampered, entity: "Memo", property: "body") {
      _ = try opened(stored, in: store, type: "Memo")
    }
    expectError(.tampered, entity: "Note", property: "title") {
      _ = try opened(stored, in: store, property: "title")
    }
    // Names cut elsewhere.
    expectError(.tampered) { _ = try opened(stored, in: store, type: "Noteb", property: "ody") }
    let elsewhere = try Scene()
    let other = try elsewhere.open()
    expectError(.unknownKey, entity: "Note", property: "body") {
      _ = try opened(stored, in: other)
    }
  }

  @Test func `a value in another row of its class and property opens, as SECURITY says`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    try scene.scene.edit(
      "UPDATE notes SET body = (SELECT body FROM notes WHERE id = 4) WHERE id = 8"
    )
    let found = try store.read { database in
      let body = try database.query("SELECT body FROM notes WHERE id = 8")[0][0]
      return try database.openDAO(body, type: "Note", property: "body")
    }
    #expect(found == DAOScene.body(4))
    #expect(try store.verify().isSound)
  }

  @Test func `a value of an entity does not open as a DAO's, nor a DAO's as an entity's`() throws {
    let vault = Vault.create()
    vault.secret = Marker.text
    try scene.save(vault, in: store)
    let stored = try store.read { try $0.query("SELECT secret FROM Vault")[0][0] }
    expectError(.tampered) {
      _ = try opened(stored, in: store, type: "Vault", property: "secret")
    }
    let dao = try store.write {
      try $0.sealDAO(.text(Marker.text), type: "Vault", property: "secret")
    }
    try scene.edit("UPDATE Vault SET secret = ?1", dao)
    expectError(.tampered, entity: "Vault", property: "secret") {
      _ = try store.read { _ in try Vault.fetchAll().map(\.secret) }
    }
  }

  @Test func `opening a plain value or a changed envelope is an error`() throws {
    for plain in [Value.text(Marker.text), .integer(5), .real(1.5), .blob(Data(Marker.text.utf8))] {
      expectError(.notAnEnvelope, entity: "Note", property: "body") {
        _ = try opened(plain, in: store)
      }
    }
    guard case .blob(var bytes) = try sealed(.text(Marker.text), in: store) else {
      return #expect(Bool(false))
    }
    bytes[bytes.count - 1] ^= 1
    expectError(.tampered, entity: "Note", property: "body") {
      _ = try opened(.blob(bytes), in: store)
    }
    bytes.replaceSubrange(1..<5, with: [255, 255, 255, 255])
    expectError(.unknownKey) { _ = try opened(.blob(bytes), in: store) }
  }

  @Test func `disabled and destroyed keys are named`() throws {
    let stored = try sealed(.text(Marker.text), in: store)
    let old = try store.key(.primary)
    try store.promoteKey(store.addKey(.field))
    #expect(try opened(stored, in: store) == .text(Marker.text))
    try store.disableKey(old)
    expectError(.disabledKey, entity: "Note") { _ = try opened(stored, in: store) }
    // No table holds it.
    try store.destroyKey(old)
    expectError(.destroyedKey, entity: "Note") { _ = try opened(stored, in: store) }
  }

  @Test func `a locked store and one without a ring neither seal nor open`() throws {
    let stored = try sealed(.text(Marker.text), in: store)
    try store.close()
    let locked = try scene.open(nil)
    expectError(.storeLocked, entity: "Note") { _ = try sealed(.text(Marker.text), in: locked) }
    expectError(.storeLocked, entity: "Note") { _ = try opened(stored, in: locked) }
    expectError(.storeLocked) { _ = try opened(.text(Marker.text), in: locked) }
    let bare = try Scene()
    let without = try bare.open(nil)
    expectError(.noKeyRing, entity: "Note") { _ = try sealed(.integer(1), in: without) }
  }

  @Test func `a read refuses to seal a value`() throws {
    expectError(.transactionState, entity: "Note", property: "body") {
      _ = try store.read { try $0.sealDAO(.integer(1), type: "Note", property: "body") }
    }
  }

  @Test func `a transaction draws its own nonces`() throws {
    func prefixes() throws -> Set<Data> {
      try store.write { database in
        Set(
          try (0..<3).map { index in
            let stored = try database.sealDAO(
              .integer(Int64(index)),
              type: "Note",
              property: "body"
            )
            guard case .blob(let bytes) = stored else { return Data() }
            return bytes[5..<17]
          }
        )
      }
    }
    let first = try prefixes()
    #expect(first.count == 1)
    #expect(try prefixes().isDisjoint(with: first))
  }

  @Test func `another process's new key opens at once`() throws {
    let other = try scene.open()
    #expect(try opened(sealed(.integer(1), in: other), in: other) == .integer(1))
    try store.promoteKey(store.addKey(.field))
    let stored = try sealed(.integer(2), in: store)
    #expect(try opened(stored, in: other) == .integer(2))
    #expect(try store.key(.primary) == other.key(.primary))
  }
}
