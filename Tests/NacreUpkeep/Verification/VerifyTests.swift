import Foundation
@testable import NacreCore
import NacreCrypto
import NacreOpen
import NacreSQLite
@testable import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// The faults that verification finds, each planted in a real file.
@Suite struct VerifyTests {
  private let stock: Stock
  private var store: Store { stock.store }

  init() throws { stock = try Stock() }

  @Test func `every error of a value is a fault of its cell, and no other error is`() {
    for code in CryptoError.Code.all {
      let error = CryptoError(code, message: "")
      #expect((BadCell.Fault(error) != nil) == error.isOfValue, "\(code)")
    }
  }

  // MARK: Sound

  @Test func `a sound store is sound, and everything in it is counted`() throws {
    try stock.expect([])
    let report = try store.verify()
    #expect(report.isComplete)
    #expect(report.rowCount == 4 + 3 + 3 + 2 + 10)
    // A spare wheel and an owner a car; four wheels each; three and two drivers.
    #expect(report.referenceCount == 2 * 2 + 8 + 5)
    let key = try stock.fieldKey
    let plate = try #require(report.properties.first { $0.property == "plate" })
    #expect(plate.openedByKey == [key: 3])
    #expect(plate.nilCount == 1)
    let hidden = try #require(report.properties.first { $0.property == "hidden" })
    #expect(hidden.openedByKey == [key: 1])
    #expect(hidden.nilCount == 3)
    #expect(report.properties.count == 7 + 6 + 2 + 1)
    #expect(report.openedCount == 3 + 16 + 1 + 4 + 17 + 3 + 2 + 2)
    #expect(report.properties.allSatisfy { $0.badCount == 0 && $0.underOtherKeys == 0 })
    #expect(try store.check() == [])
    try report.requireSound()
  }

  @Test func `the golden store is sound`() throws {
    let directory = try TemporaryDirectory()
    try GoldenFiles("format-1").copy(to: directory.path)
    let store = try Store.open(
      directory.file("store.db"),
      unlock: .keyFile(directory.file("store.key"))
    )
    let report = try store.verify()
    #expect(report.isSound, "\(report.badCells) \(report.faults)")
    #expect(report.openedCount > 10)
    #expect(report.referenceCount > 5)
    #expect(try store.check() == [])
  }

  @Test func `an empty store and one without a ring are sound`() throws {
    let plain = try Scene()
    let store = try plain.open(nil)
    #expect(try store.verify().isSound)
    try store.write { _ in try Wheel.create().save() }
    let report = try store.verify()
    #expect(report.isSound)
    #expect(report.rowCount == 1)
  }

  @Test func `gaps that a deleted child leaves are sound`() throws {
    try store.write { _ in try stock.cars[0].wheels[1].delete() }
    try stock.expect([])
  }

  @Test func `a locked store is not verified`() throws {
    let locked = try stock.scene.open(nil)
    expectError(.storeLocked) { _ = try locked.verify() }
    #expect(try locked.check() == [])
    var options = VerificationOptions()
    options.entities = ["Nobody"]
    expectError(.noSuchEntity) { _ = try store.verify(options) }
  }

  // MARK: Cells

  @Test(arguments: [
    Value.text("MARKER plain"), .text(""), .integer(7), .real(0.5), .blob(Data()),
    .blob(Data("MARKER that is longer than 45 bytes, so that length alone says nothing".utf8)),
    .blob(Data(repeating: 1, count: 44)),
  ])
  func `verification finds a value that was never sealed`(value: Value) throws {
    let id = stock.vaults[1].objectID
    try stock.put(value, "Vault", "secret", id)
    try stock.expect([bad("Vault", "secret", id, .notAnEnvelope)])
  }

  @Test func `a changed bit, a moved value and a foreign key are found`() throws {
    let (first, second) = (stock.vaults[0].objectID, stock.vaults[1].objectID)
    let key = try stock.fieldKey
    let intact = try stock.cell("Vault", "secret", first)
    try stock.put(intact.flipped(at: 50), "Vault", "secret", first)
    try stock.put(intact, "Vault", "secret", second)
    try stock.put(try stock.cell("Vault", "data", second).flipped(at: 4), "Vault", "data", second)
    try stock.put(try stock.cell("Vault", "other", second).flipped(at: 0), "Vault", "other", second)
    let named = try stock.cell("Vault", "data", second).bytes[1..<5].map { String($0, radix: 16) }
      .map { $0.count == 1 ? "0" + $0 : $0 }.joined()
    try stock.expect([
      bad("Vault", "secret", first, .tampered, key: key),
      bad("Vault", "secret", second, .tampered, key: key),
      bad("Vault", "data", second, .unknownKey, key: named),
      bad("Vault", "other", second, .notAnEnvelope),
    ])
  }

  @Test func `an unknown suite is not taken for plain text`() throws {
    let id = stock.vaults[0].objectID
    var data = try stock.cell("Vault", "secret", id).bytes
    data[0] = 0x1F
    try stock.put(.blob(data), "Vault", "secret", id)
    try stock.expect([bad("Vault", "secret", id, .unsupportedSuite)])
  }

  @Test func `disabled and destroyed keys are told apart`() throws {
    let old = try #require(KeyID(stock.fieldKey))
    let next = try store.addKey(.field)
    try store.promoteKey(next)
    let vault = stock.vaults[0]
    vault.secret = "anew"
    try store.write { _ in try vault.save() }
    try store.disableKeyInUse(old)
    let all = try store.verify()
    #expect(all.badCellCount == all.properties.reduce(0) { $0 + $1.badCount })
    #expect(Set(all.badCells.map(\.fault)) == [.disabledKey])
    #expect(Set(all.badCells.map(\.keyID)) == [old.description])
    #expect(all.openedCount == 1)
    #expect(all.properties.contains { $0.openedByKey == [next.description: 1] })
    try store.enableKey(old)
    try stock.expect([])
  }

  @Test func `a value under a destroyed key is found`() throws {
    let id = stock.vaults[0].objectID
    let intact = try stock.cell("Vault", "secret", id)
    let key = try store.addKey(.field)
    try store.destroyKey(key)
    var data = intact.bytes
    withUnsafeBytes(of: key.rawValue.bigEndian) { data.replaceSubrange(1..<5, with: $0) }
    try stock.put(.blob(data), "Vault", "secret", id)
    try stock.expect([bad("Vault", "secret", id, .destroyedKey, key: key.description)])
  }

  @Test func `authentic payloads of a wrong type or form are found`() throws {
    let id = stock.vaults[0].objectID
    let key = try stock.fieldKey
    let cases: [([UInt8], String, BadCell.Fault)] = [
      ([3] + Array("7".utf8), "number", .wrongType),
      ([1, 0, 0, 0, 0, 0, 0, 0, 7], "secret", .wrongType),
      ([3] + Array("text".utf8), "data", .wrongType),
      ([0], "note", .wrongType),
      ([0], "secret", .wrongType),
      ([1, 0, 0, 0], "number", .malformed),
      ([9], "secret", .malformed),
      ([3, 0xFF, 0xFE], "secret", .malformed),
      ([0x83, 0, 0, 0, 1, 65, 1], "secret", .malformed),
    ]
    for (payload, property, fault) in cases {
      let intact = try stock.cell("Vault", property, id)
      try stock.put(try stock.envelope(payload, "Vault", property, id), "Vault", property, id)
      try stock.expect([bad("Vault", property, id, fault, key: key)])
      try stock.put(intact, "Vault", property, id)
    }
    // A type of any bytes that may be nil could be a `Value`, of which every type is right.
    try stock.expect([])
  }

  @Test func `nil is found where it is not allowed, also a hidden one`() throws {
    let id = stock.vaults[0].objectID
    try stock.put(.null, "Vault", "secret", id)
    try stock.expect([bad("Vault", "secret", id, .nullNotAllowed)])
    try stock.put(.null, "Vault", "note", stock.vaults[1].objectID)
    try stock.expect([bad("Vault", "secret", id, .nullNotAllowed)])
    // The first stores of format 1 do not say whether nil is allowed.
    try stock.scene.editCatalog("UPDATE nacre_property SET optional = NULL WHERE entity = 'Vault'")
    try stock.expect([])
  }

  // MARK: Indexes

  @Test func `wrong, missing and stray indexes are found`() throws {
    let ids = stock.badges.map(\.objectID)
    let key = try stock.fieldKey
    try stock.put(
      try stock.cell("Badge", "plate__index", ids[0]).flipped(at: 0),
      "Badge",
      "plate__index",
      ids[0]
    )
    try stock.put(.null, "Badge", "plate__index", ids[1])
    try stock.put(.blob(Data([0, 0])), "Badge", "plate__index", ids[3])
    try stock.put(.text("MARKER"), "Badge", "email__index", ids[1])
    try stock.put(.null, "Badge", "hidden__index", ids[2])
    try stock.expect([
      bad("Badge", "plate", ids[0], .wrongIndex, key: key),
      bad("Badge", "plate", ids[1], .missingIndex, key: key),
      bad("Badge", "plate", ids[3], .strayIndex),
      bad("Badge", "email", ids[1], .wrongIndex, key: key),
      bad("Badge", "hidden", ids[2], .missingIndex, key: key),
    ])
  }

  @Test func `indexes under another index key are counted, not refused`() throws {
    try store.promoteKey(store.addKey(.index))
    try store.write { _ in
      stock.badges[0].plate = "anew"
      try stock.badges[0].save()
    }
    try stock.expect([])
    let report = try store.verify()
    let plate = try #require(report.properties.first { $0.property == "plate" })
    #expect(plate.underOtherKeys == 2)
    #expect(report.properties.first { $0.property == "hidden" }?.underOtherKeys == 4)
    // Disabled, it makes no token that is looked for.
    let old = try #require(
      store.keys.unlocked().keys.first { $0.purpose == .index && $0.state == .enabled }
    )
    try store.changeRing { database, ring in
      try database.replaceRing(by: ring.setting(old.id, to: .disabled))
    }
    let faults = try store.verify().badCells
    #expect(Set(faults.map(\.fault)) == [.wrongIndex])
    #expect(!faults.contains { $0.objectID == stock.badges[0].objectID && $0.property == "plate" })
  }

  @Test func `a unique value that two objects have under different index keys is found`() throws {
    let ids = stock.badges.map(\.objectID)
    try store.promoteKey(store.addKey(.index))
    // What a writer that did not ask under both keys would have stored.
    let serial = "serial of 0"
    try stock.put(
      try stock.envelope([3] + Array(serial.utf8), "Badge", "serial", ids[1]),
      "Badge",
      "serial",
      ids[1]
    )
    let ring = try store.keys.unlocked()
    let context = try FieldContext(storeID: store.storeID, entity: "Badge", property: "serial")
    let index = try BlindIndex(key: ring.primary(.index), context: context, bits: 128)
    let token = try Array(serial.utf8).withUnsafeBytes { try index.token(.text, $0) }
    try stock.put(.blob(Data(token)), "Badge", "serial__index", ids[1])
    try stock.expect([bad("Badge", "serial", ids[0], .duplicateUnique, key: try stock.fieldKey)])
  }

  // MARK: References

  @Test func `references that lead nowhere are found`() throws {
    let (first, second) = (stock.cars[0], stock.cars[1])
    let missing = UUID()
    try stock.put(missing.storedValue, "Car", "owner", first.objectID)
    try stock.put(.text("MARKER"), "Car", "spare", second.objectID)
    try stock.scene.edit(
      "UPDATE Car_wheels SET child = ?1 WHERE owner = ?2 AND position IN (1, 2)",
      missing.storedValue,
      first.objectID.storedValue
    )
    try stock.scene.edit(
      "INSERT INTO Car_drivers (owner, child) VALUES (?1, ?2)",
      missing.storedValue,
      stock.people[0].objectID.storedValue
    )
    try stock.expect([
      bad("Car", "owner", first.objectID, .danglingReference),
      bad("Car", "spare", second.objectID, .danglingReference),
      bad("Car", "wheels", first.objectID, .danglingReference),
      bad("Car", "drivers", missing, .danglingReference),
    ])
  }

  @Test(arguments: [Value.integer(-1), .integer(.max), .text("MARKER"), .real(0.5)])
  func `a child's position that is not valid is found`(position: Value) throws {
    let car = stock.cars[1].objectID
    try stock.scene.edit(
      "UPDATE Car_wheels SET position = ?1 WHERE owner = ?2 AND position = 3",
      position,
      car.storedValue
    )
    try stock.expect([bad("Car", "wheels", car, .malformed)])
  }

  @Test func `rows with a malformed identifier are counted, however they sort`() throws {
    for (code, id) in [Value.text("b"), .blob(Data([1])), .integer(5), .blob(Data())].enumerated() {
      try stock.scene.edit(
        "INSERT INTO Person (objectID, code) VALUES (?1, ?2)",
        id,
        .text("x\(code)")
      )
    }
    try stock.scene.edit(
      "INSERT INTO Person (objectID, code) VALUES (CAST(x'61FF' AS TEXT), 'y')"
    )
    try stock.expect([], faults: [.badIdentifier])
    #expect(try store.verify().faults.first?.entity == "Person")
  }
}
