import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
import Synchronization
import Testing
import TestSupport

/// What verification finds, each fault planted in a real file.
@Suite struct VerifyTests {
  private let stock: Stock
  private var store: Store { stock.store }

  init() throws { stock = try Stock() }

  /// Verifies, and expects these bad cells and nothing else.
  private func expect(
    _ expected: [BadCell],
    faults: [StoreFault.Kind] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for batchSize in [1, 2, 10_000] {
      var options = VerificationOptions()
      options.batchSize = batchSize
      var told: [BadCell] = []
      let report = try store.verify(options, onBadCell: { told.append($0) })
      #expect(Set(told) == Set(expected), sourceLocation: sourceLocation)
      #expect(told.count == expected.count, sourceLocation: sourceLocation)
      #expect(report.badCells == told, sourceLocation: sourceLocation)
      #expect(report.badCellCount == expected.count, sourceLocation: sourceLocation)
      #expect(report.faults.map(\.kind) == faults, "\(report.faults)", sourceLocation: sourceLocation)
      #expect(report.isSound == (expected.isEmpty && faults.isEmpty), sourceLocation: sourceLocation)
      let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
      Marker.expectAbsent(json + "\(told)", sourceLocation: sourceLocation)
    }
  }

  private func bad(
    _ entity: String,
    _ property: String,
    _ id: UUID,
    _ fault: BadCell.Fault,
    key: String? = nil
  ) -> BadCell {
    BadCell(entity: entity, objectID: id, property: property, fault: fault, keyID: key)
  }

  // MARK: Sound

  @Test func `a sound store is sound, and everything in it is counted`() throws {
    try expect([])
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
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Golden/format-1").standardizedFileURL
    let directory = try TemporaryDirectory()
    for name in ["store.db", "store.key"] {
      try FileManager.default.copyItem(
        atPath: golden.appendingPathComponent(name).resolvingSymlinksInPath().path,
        toPath: directory.file(name)
      )
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: directory.file("store.key")
    )
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
    try expect([])
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
  func `what was never sealed is found`(value: Value) throws {
    let id = stock.vaults[1].objectID
    try stock.put(value, "Vault", "secret", id)
    try expect([bad("Vault", "secret", id, .notAnEnvelope)])
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
    try expect([
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
    try expect([bad("Vault", "secret", id, .unsupportedSuite)])
  }

  @Test func `disabled and destroyed keys are told apart`() throws {
    let old = try #require(KeyID(stock.fieldKey))
    let next = try store.addKey(.field)
    try store.promoteKey(next)
    let vault = stock.vaults[0]
    vault.secret = "anew"
    try store.write { _ in try vault.save() }
    try store.disableKey(old)
    let all = try store.verify()
    #expect(all.badCellCount == all.properties.reduce(0) { $0 + $1.badCount })
    #expect(Set(all.badCells.map(\.fault)) == [.disabledKey])
    #expect(Set(all.badCells.map(\.keyID)) == [old.description])
    #expect(all.openedCount == 1)
    #expect(all.properties.contains { $0.openedByKey == [next.description: 1] })
    try store.enableKey(old)
    try expect([])
  }

  @Test func `a value under a destroyed key is found`() throws {
    let id = stock.vaults[0].objectID
    let intact = try stock.cell("Vault", "secret", id)
    let key = try store.addKey(.field)
    try store.destroyKey(key)
    var data = intact.bytes
    withUnsafeBytes(of: key.rawValue.bigEndian) { data.replaceSubrange(1..<5, with: $0) }
    try stock.put(.blob(data), "Vault", "secret", id)
    try expect([bad("Vault", "secret", id, .destroyedKey, key: key.description)])
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
      try expect([bad("Vault", property, id, fault, key: key)])
      try stock.put(intact, "Vault", property, id)
    }
    // A type of any bytes that may be nil could be a `Value`, of which every type is right.
    try expect([])
  }

  @Test func `nil is found where it is not allowed, also a hidden one`() throws {
    let id = stock.vaults[0].objectID
    try stock.put(.null, "Vault", "secret", id)
    try expect([bad("Vault", "secret", id, .nullNotAllowed)])
    try stock.put(.null, "Vault", "note", stock.vaults[1].objectID)
    try expect([bad("Vault", "secret", id, .nullNotAllowed)])
    // The first stores of format 1 do not say whether nil is allowed.
    try stock.scene.edit("UPDATE nacre_property SET optional = NULL WHERE entity = 'Vault'")
    try expect([])
  }

  // MARK: Indexes

  @Test func `wrong, missing and stray indexes are found`() throws {
    let ids = stock.badges.map(\.objectID)
    let key = try stock.fieldKey
    try stock.put(try stock.cell("Badge", "plate__index", ids[0]).flipped(at: 0), "Badge", "plate__index", ids[0])
    try stock.put(.null, "Badge", "plate__index", ids[1])
    try stock.put(.blob(Data([0, 0])), "Badge", "plate__index", ids[3])
    try stock.put(.text("MARKER"), "Badge", "email__index", ids[1])
    try stock.put(.null, "Badge", "hidden__index", ids[2])
    try expect([
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
    try expect([])
    let report = try store.verify()
    let plate = try #require(report.properties.first { $0.property == "plate" })
    #expect(plate.underOtherKeys == 2)
    #expect(report.properties.first { $0.property == "hidden" }?.underOtherKeys == 4)
    // Disabled, it makes no token that is looked for.
    let old = try #require(store.keys.unlocked().keys.first { $0.purpose == .index && $0.state == .enabled })
    try store.disableKey(old.id)
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
    try stock.put(.blob(Data(try index.token(text: serial))), "Badge", "serial__index", ids[1])
    try expect([bad("Badge", "serial", ids[0], .duplicateUnique, key: try stock.fieldKey)])
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
    try expect([
      bad("Car", "owner", first.objectID, .danglingReference),
      bad("Car", "spare", second.objectID, .danglingReference),
      bad("Car", "wheels", first.objectID, .danglingReference),
      bad("Car", "drivers", missing, .danglingReference),
    ])
  }

  @Test(arguments: [Value.integer(-1), .integer(.max), .text("MARKER"), .real(0.5)])
  func `a position that is none is found`(position: Value) throws {
    let car = stock.cars[1].objectID
    try stock.scene.edit(
      "UPDATE Car_wheels SET position = ?1 WHERE owner = ?2 AND position = 3",
      position,
      car.storedValue
    )
    try expect([bad("Car", "wheels", car, .malformed)])
  }

  @Test func `rows whose identifier is none are counted, however they sort`() throws {
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
    try expect([], faults: [.badIdentifier])
    #expect(try store.verify().faults.first?.entity == "Person")
  }

  // MARK: The ring and the catalog

  @Test func `a changed ring is found`() throws {
    try stock.scene.edit("UPDATE nacre_key SET created = created + 1")
    try expect([], faults: [.ringTampered])
    expectError(.unsound) { try store.verify().requireSound() }
  }

  @Test func `missing tables, columns and indexes are found, and the rest is verified`() throws {
    let id = stock.badges[0].objectID
    try stock.scene.edit("DROP TABLE Car_drivers")
    try stock.scene.edit("ALTER TABLE Car DROP COLUMN vin")
    try stock.scene.edit("DROP INDEX Badge__serial__index")
    try stock.scene.edit("DROP INDEX Badge__plate__index")
    try stock.scene.edit("ALTER TABLE Vault RENAME COLUMN label TO title")
    try stock.put(.text("plain"), "Badge", "plate", id)
    try stock.scene.edit("UPDATE nacre_property SET kind = 'widget' WHERE name = 'size'")
    try expect(
      [bad("Badge", "plate", id, .notAnEnvelope)],
      faults: [
        .missingIndex, .missingIndex, .missingTable, .missingColumn, .missingColumn, .badCatalog,
      ]
    )
    let locked = try stock.scene.open(nil)
    let found = try locked.check()
    let kinds = Set(found.map(\.kind))
    #expect(kinds.isSuperset(of: [.missingIndex, .missingTable, .missingColumn, .badCatalog]))
  }

  @Test func `an entity without its table does not keep the others from being verified`() throws {
    try stock.scene.edit("DROP TABLE Wheel")
    let report = try store.verify()
    #expect(report.faults.map(\.kind) == [.missingTable, .missingTable, .missingTable])
    #expect(report.openedCount > 20)
  }

  @Test func `the file's own faults are found without a key`() throws {
    try stock.scene.edit("UPDATE Car SET owner = randomblob(16)")
    try stock.scene.edit(
      """
      INSERT INTO nacre_rotation (kind, "from", "to", phase, started, updated, done, total) \
      VALUES ('field', 'a', 'b', 'resealing', 1, 1, 3, 9)
      """
    )
    let found = try store.check()
    #expect(found.map(\.kind) == [.foreignKey, .unfinished])
    #expect(found[0].detail == "2 rows of Car refer to no row of Person")
    #expect(found[1].detail.contains("3 of 9"))
  }

  @Test func `a damaged page is found`() throws {
    let row = try stock.scene.edit(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'Badge__plate__index'"
    )
    guard case .integer(let page)? = row.first?.first else { return }
    try store.close()
    let handle = try #require(FileHandle(forUpdatingAtPath: stock.scene.path))
    // An index has its cells at the end of its page.
    try handle.seek(toOffset: UInt64(page) * 4096 - 20)
    try handle.write(contentsOf: Data(repeating: 0, count: 20))
    try handle.close()
    let found = try stock.scene.open(nil).check()
    #expect(!found.isEmpty)
    #expect(Set(found.map(\.kind)) == [.damaged])
  }

  // MARK: The run

  @Test func `hooked properties and those being converted are skipped by name`() throws {
    let hooks = HookProvider(seal: { payload, _ in payload }, open: { stored, _ in stored })
    try store.install(hooks, for: \Vault.other)
    try store.write { _ in
      stock.vaults[0].other = "MARKER"
      try stock.vaults[0].save()
    }
    try stock.scene.edit(
      """
      INSERT INTO nacre_rotation (kind, "from", "to", entity, property, phase, started, updated) \
      VALUES ('reseal', 'a', 'b', 'Badge', 'plate', 'converting', 1, 1)
      """
    )
    let report = try store.verify()
    #expect(report.isSound)
    #expect(
      report.skipped == [
        SkippedProperty(entity: "Badge", property: "plate", reason: .converting),
        SkippedProperty(entity: "Vault", property: "other", reason: .hooked),
      ]
    )
    #expect(!report.properties.contains { ["plate", "other"].contains($0.property) })
  }

  @Test func `progress reaches the total, and false stops`() throws {
    var options = VerificationOptions()
    options.batchSize = 2
    var steps: [VerificationProgress] = []
    let report = try store.verify(options, progress: {
      steps.append($0)
      return true
    })
    let last = try #require(steps.last)
    #expect(last.rowsDone == last.rowsTotal)
    #expect(last.rowsDone == report.rowCount + 8 + 5)
    let stopped = try store.verify(options, progress: { $0.rowsDone < 4 })
    #expect(!stopped.isComplete && !stopped.isSound)
    #expect(stopped.badCellCount == 0)
    expectError(.interrupted) { try stopped.requireSound() }
  }

  @Test func `the report holds so many bad cells, and the callback is told of all`() throws {
    for vault in stock.vaults { try stock.put(.text("x"), "Vault", "secret", vault.objectID) }
    var options = VerificationOptions()
    options.badCellLimit = 1
    var told = 0
    let report = try store.verify(options, onBadCell: { _ in told += 1 })
    #expect(told == 3)
    #expect(report.badCellCount == 3)
    #expect(report.badCells.count == 1)
    struct Enough: Error {}
    #expect(throws: Enough.self) { try store.verify(onBadCell: { _ in throw Enough() }) }
  }

  @Test func `a callback may write to the store`() throws {
    let id = stock.vaults[0].objectID
    try stock.put(.text("x"), "Vault", "note", id)
    let report = try store.verify(onBadCell: { _ = try stock.store.quarantine([$0]) })
    #expect(report.badCellCount == 1)
    try expect([])
  }

  @Test func `keys that come during a run are followed`() throws {
    var options = VerificationOptions()
    options.batchSize = 1
    options.entities = ["Vault"]
    let other = try stock.scene.open()
    let late = stock.vaults[2].objectID
    let done = Mutex(false)
    let report = try store.verify(options, progress: { _ in
      let isFirst = done.withLock { done in
        defer { done = true }
        return !done
      }
      if isFirst {
        do {
          try other.promoteKey(other.addKey(.field))
          try other.write { _ in
            let vault = try #require(try Vault.fetch(id: late))
            vault.secret = "later"
            try vault.save()
          }
        } catch {
          Issue.record(error)
        }
      }
      return true
    })
    #expect(report.isSound, "\(report.badCells)")
    #expect(report.properties.first { $0.property == "secret" }?.openedByKey.count == 2)
  }

  @Test func `the async twins do the same`() async throws {
    let id = stock.vaults[0].objectID
    try stock.put(.text("x"), "Vault", "note", id)
    let report = try await store.verify()
    #expect(report.badCells.map(\.fault) == [.notAnEnvelope])
    let moved = try await store.quarantine(report.badCells)
    #expect(moved.items.map(\.outcome) == [.cellMoved])
    #expect(try await store.quarantined().count == 1)
    #expect(try await store.check() == [])
  }
}
