import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
import Testing
@testable import TestSupport

/// Ciphertexts that were cut, flipped, moved or replaced in the file.
@Suite struct TamperTests {
  private let scene: Scene
  private let store: Store
  private let vault: Vault

  init() throws {
    scene = try Scene()
    store = try scene.open()
    vault = Vault.create()
    vault.secret = Marker.text
    vault.other = Marker.text
    vault.number = 42
    vault.real = 1.5
    vault.data = Data("MARKER".utf8)
    try scene.save(vault, in: store)
  }

  private func envelope(_ column: String = "secret", of id: UUID? = nil) throws -> Data {
    let id = id ?? vault.objectID
    let rows = try scene.edit(
      "SELECT \"\(column)\" FROM Vault WHERE objectID = ?1",
      id.storedValue
    )
    guard case .blob(let data)? = rows.first?.first else { throw CocoaError(.fileReadUnknown) }
    return data
  }

  private func put(_ value: Value, _ column: String = "secret") throws {
    try scene.edit(
      "UPDATE Vault SET \"\(column)\" = ?1 WHERE objectID = ?2",
      value,
      vault.objectID.storedValue
    )
  }

  private func expectFetch(
    _ code: NacreError.Code,
    _ property: String = "secret",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try store.read { _ in
      expectError(
        code,
        entity: "Vault",
        property: property,
        objectID: vault.objectID,
        sourceLocation: sourceLocation
      ) { _ = try Vault.fetch(id: vault.objectID) }
      expectError(
        code,
        entity: "Vault",
        property: property,
        objectID: vault.objectID,
        sourceLocation: sourceLocation
      ) { _ = try Vault.fetchValues(\.secret, \.other, \.number, \.real) }
    }
  }

  @Test func `every single bit of an envelope is authenticated`() throws {
    let intact = try envelope()
    for bit in 0..<intact.count * 8 {
      var flipped = intact
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      try put(.blob(flipped))
      let code: NacreError.Code =
        switch bit / 8 {
        case 0: .notAnEnvelope
        case 1...4: .unknownKey
        default: .tampered
        }
      try store.read { _ in
        expectError(code, entity: "Vault", property: "secret", objectID: vault.objectID) {
          _ = try Vault.fetch(id: vault.objectID)
        }
      }
    }
    try put(.blob(intact))
    #expect(try store.read { _ in try Vault.fetchOne()?.secret } == Marker.text)
  }

  @Test func `an envelope that was cut or lengthened does not open`() throws {
    let intact = try envelope()
    for count in 0..<intact.count {
      try put(.blob(intact.prefix(count)))
      try store.read { _ in
        expectError(
          count < 45 ? .notAnEnvelope : .tampered,
          entity: "Vault",
          property: "secret",
          objectID: vault.objectID
        ) { _ = try Vault.fetch(id: vault.objectID) }
      }
    }
    try put(.blob(intact + [0]))
    try expectFetch(.tampered)
  }

  @Test func `a value moved to another row does not open`() throws {
    let second = Vault.create()
    second.secret = "MARKER-2"
    try scene.save(second, in: store)
    try put(.blob(envelope(of: second.objectID)))
    try expectFetch(.tampered)
  }

  @Test func `a value moved to another property does not open`() throws {
    try put(.blob(envelope("other")))
    try expectFetch(.tampered)
  }

  @Test func `a value moved to another entity's row of the same id does not open`() throws {
    let safe = Safe.create(objectID: vault.objectID)
    safe.secret = Marker.text
    try scene.save(safe, in: store)
    try scene.edit("UPDATE Safe SET secret = ?1", .blob(envelope()))
    try store.read { _ in
      expectError(.tampered, entity: "Safe", property: "secret", objectID: safe.objectID) {
        _ = try Safe.fetchAll()
      }
    }
  }

  @Test func `a row that got another objectID does not open`() throws {
    let id = UUID()
    try scene.edit("UPDATE Vault SET objectID = ?1", id.storedValue)
    try store.read { _ in
      expectError(.tampered, entity: "Vault", property: "secret", objectID: id) {
        _ = try Vault.fetchAll()
      }
    }
  }

  @Test func `a value of another store names a key that this one does not have`() throws {
    let twin = try Scene()
    let other = try twin.open()
    let copy = Vault.create(objectID: vault.objectID)
    copy.secret = Marker.text
    try twin.save(copy, in: other)
    guard case .blob(let foreign)? = try twin.edit("SELECT secret FROM Vault").first?.first else {
      Issue.record("no envelope")
      return
    }
    try put(.blob(foreign))
    try expectFetch(.unknownKey)
  }

  @Test func `a value of another store does not open even with this store's key in the ring`()
    throws
  {
    // The other store's id on this store's ring: what a copy of the tables into another file would give.
    let other = try FieldContext(storeID: .random(), entity: "Vault", property: "secret")
    let session = try RingSession(ring: store.keys.unlocked())
    let (writer, scratch) = (PayloadWriter(), ScratchBuffer())
    let sealed = try withExtendedLifetime((writer, scratch)) {
      Data(
        try session.seal(
          writer.text(Marker.text),
          context: other,
          objectID: ObjectIDBytes(ObjectID(vault.objectID)),
          into: scratch
        )
      )
    }
    try put(.blob(sealed))
    try expectFetch(.tampered)
  }

  @Test func `another suite or key of the same ring does not open a value`() throws {
    var moved = try envelope()
    moved[0] = 2
    try put(.blob(moved))
    try expectFetch(.tampered)
    moved[0] = 1
    let index = try #require(try store.keys.unlocked().primaryID(.index)).rawValue
    for (offset, shift) in [24, 16, 8, 0].enumerated() {
      moved[1 + offset] = UInt8(truncatingIfNeeded: index >> UInt32(shift))
    }
    try put(.blob(moved))
    try expectFetch(.tampered)
  }

  @Test func `key id zero is no envelope`() throws {
    var zeroed = try envelope()
    for offset in 1...4 { zeroed[offset] = 0 }
    try put(.blob(zeroed))
    try expectFetch(.notAnEnvelope)
  }

  @Test func `plaintext in a sealed column is never passed through`() throws {
    let plain: [Value] = [
      .text(Marker.text), .integer(7), .real(1.5), .blob(Data(Marker.text.utf8)), .blob(Data()),
      .text(""), .blob(Data(repeating: 0x41, count: 100)),
    ]
    for value in plain {
      try put(value)
      try expectFetch(.notAnEnvelope)
    }
  }

  @Test func `NULL in a sealed property that is not optional is a mismatch`() throws {
    try put(.null)
    try expectFetch(.valueMismatch)
  }

  @Test func `a sealed value of another type is not converted`() throws {
    let values: [(String, Value)] = [
      ("secret", .integer(7)), ("number", .text("7")), ("real", .integer(2)),
      ("secret", .blob(Data("MARKER".utf8))), ("number", .real(2)), ("data", .text("MARKER")),
      ("note", .null),
    ]
    for (property, value) in values {
      let intact = try envelope(property == "note" ? "other" : property)
      try put(.blob(seal(value, property)), property)
      try store.read { _ in
        expectError(
          .wrongSealedType,
          entity: "Vault",
          property: property,
          objectID: vault.objectID
        ) { _ = try Vault.fetch(id: vault.objectID) }
      }
      try put(property == "note" ? .null : .blob(intact), property)
    }
    #expect(try store.read { _ in try Vault.fetchOne()?.secret } == Marker.text)
  }

  /// An authentic envelope with a payload of any type.
  private func seal(_ value: Value, _ property: String) throws -> Data {
    let context = try FieldContext(storeID: store.storeID, entity: "Vault", property: property)
    let session = try RingSession(ring: store.keys.unlocked())
    let (writer, scratch) = (PayloadWriter(), ScratchBuffer())
    let payload =
      switch value {
      case .null: try writer.null()
      case .integer(let value): try writer.integer(value)
      case .real(let value): try writer.real(value)
      case .text(let value): try writer.text(value)
      case .blob(let value): try value.withUnsafeBytes { try writer.blob($0) }
      }
    return try withExtendedLifetime((writer, scratch)) {
      Data(
        try session.seal(
          payload,
          context: context,
          objectID: ObjectIDBytes(ObjectID(vault.objectID)),
          into: scratch
        )
      )
    }
  }

  @Test func `one value that does not open leaves the others readable`() throws {
    let second = Vault.create()
    second.secret = "MARKER-2"
    try scene.save(second, in: store)
    try put(.blob(Data(repeating: 1, count: 80)))
    try expectFetch(.unknownKey)
    #expect(
      try store.read { _ in try Vault.fetch(id: second.objectID)?.secret } == "MARKER-2"
    )
    vault.secret = "MARKER-again"
    try vault.save()
    #expect(
      try store.read { _ in try Vault.fetch(id: vault.objectID)?.secret } == "MARKER-again"
    )
  }
}
