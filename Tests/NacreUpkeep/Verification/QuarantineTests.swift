import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// Bad cells that are set aside.
@Suite struct QuarantineTests {
  private let stock: Stock
  private var store: Store { stock.store }

  init() throws { stock = try Stock() }

  /// Sets aside what verification finds, after which nothing may be left to find.
  private func setAside(
    _ outcomes: [QuarantineReport.Outcome],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try store.verify().badCells
    let report = try store.quarantine(found)
    #expect(report.isComplete, sourceLocation: sourceLocation)
    #expect(report.items.map(\.outcome) == outcomes, sourceLocation: sourceLocation)
    #expect(report.items.map(\.cell) == found, sourceLocation: sourceLocation)
    let after = try store.verify()
    #expect(after.isSound, "\(after.badCells) \(after.faults)", sourceLocation: sourceLocation)
    #expect(try store.check() == [], sourceLocation: sourceLocation)
    #expect(Set(try store.quarantine(found).items.map(\.outcome)).isSubset(of: [.sound, .gone]))
  }

  private func kept() throws -> [[Value]] {
    try stock.scene.edit(
      "SELECT entity, property, fault, cell, indexCell, \"row\" FROM nacre_quarantine ORDER BY id"
    )
  }

  @Test func `quarantine makes no table if it moves no cell`() throws {
    #expect(try store.quarantine([]).isComplete)
    #expect(try store.quarantined() == [])
    let sound = BadCell(
      entity: "Vault",
      objectID: stock.vaults[0].objectID,
      property: "secret",
      fault: .tampered
    )
    let others = [
      BadCell(entity: "Vault", objectID: UUID(), property: "secret", fault: .tampered),
      BadCell(entity: "Vault", objectID: sound.objectID, property: "label", fault: .tampered),
      BadCell(entity: "Nobody", objectID: sound.objectID, property: "x", fault: .tampered),
      BadCell(
        entity: "Car",
        objectID: stock.cars[0].objectID,
        property: "wheels",
        fault: .danglingReference
      ),
    ]
    let report = try store.quarantine([sound] + others)
    #expect(report.items.map(\.outcome) == [.sound, .gone, .unknown, .unknown, .sound])
    #expect(
      try stock.scene.edit("SELECT 1 FROM sqlite_schema WHERE name = 'nacre_quarantine'") == []
    )
  }

  @Test func `a cell that may be nil is moved, and the object is readable again`() throws {
    let id = stock.badges[0].objectID
    let bad = try stock.cell("Badge", "plate", id).flipped(at: 40)
    try stock.put(bad, "Badge", "plate", id)
    try store.read { _ in expectError(.tampered) { _ = try Badge.fetchAll() } }
    let index = try stock.cell("Badge", "plate__index", id)
    try setAside([.cellMoved])
    let badges = try store.read { _ in try Badge.fetchAll() }
    #expect(badges.count == 4)
    #expect(badges.first { $0.objectID == id }?.plate == nil)
    #expect(badges.first { $0.objectID == id }?.serial == "serial of 0")
    #expect(try kept() == [["Badge", "plate", "tampered", bad, index, .null]])
    let listed = try #require(try store.quarantined().first)
    #expect(listed.entity == "Badge" && listed.objectID == id && listed.property == "plate")
    #expect(listed.fault == .tampered && !listed.isWholeRow)
    #expect(listed.byteCount == bad.bytes.count)
    #expect(abs(listed.moved.timeIntervalSinceNow) < 60)
  }

  @Test func `plain text lies in quarantine as it was found, bytes that are no text too`() throws {
    let id = stock.vaults[1].objectID
    try stock.scene.edit("UPDATE Vault SET note = CAST(x'41FF42' AS TEXT)")
    try setAside([.cellMoved, .cellMoved, .cellMoved])
    let rows = try stock.scene.edit(
      "SELECT typeof(cell), hex(cell) FROM nacre_quarantine WHERE objectID = ?1",
      id.storedValue
    )
    #expect(rows == [["text", "41FF42"]])
  }

  @Test func `a row whose property may not be nil is moved with all that hangs on it`() throws {
    let person = stock.people[1]
    try stock.put(.text("plain"), "Vault", "secret", stock.vaults[0].objectID)
    try stock.scene.editCatalog(
      "UPDATE nacre_property SET optional = 0 WHERE entity = 'Person' AND name = 'name'"
    )
    try stock.put(.blob(Data(repeating: 7, count: 60)), "Person", "name", person.objectID)
    try setAside([.rowMoved, .rowMoved])
    #expect(try store.read { _ in try Vault.fetchAll().count } == 2)
    #expect(try store.read { _ in try Person.fetchAll().count } == 2)
    let car = try #require(try store.read { _ in try Car.fetch(id: stock.cars[1].objectID) })
    #expect(car.owner == nil)
    #expect(car.wheels.count == 4)
    #expect(try stock.scene.edit("SELECT count(*) FROM Car_drivers") == [[3]])
    let row = try #require(try kept().first { $0[0] == "Person" })
    guard case .text(let json) = row[5] else {
      Issue.record("no row")
      return
    }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    )
    let columns = try #require(object["row"] as? [String: Any])
    #expect(columns["code"] as? String == "p1")
    let name = Data(repeating: 7, count: 60).base64EncodedString()
    #expect((columns["name"] as? [String: Any])?["base64"] as? String == name)
    #expect((object["joins"] as? [[String: Any]])?.count == 2)
    #expect(try store.quarantined().allSatisfy { $0.isWholeRow })
  }

  @Test func `where the file does not say whether nil is allowed, the row is moved`() throws {
    try stock.scene.editCatalog("UPDATE nacre_property SET optional = NULL")
    let id = stock.vaults[0].objectID
    try stock.put(.text("plain"), "Vault", "note", id)
    try setAside([.rowMoved])
    #expect(try store.read { _ in try Vault.fetchAll().count } == 2)
  }

  @Test func `bad indexes are made anew, and objects are found by them`() throws {
    let ids = stock.badges.map(\.objectID)
    try stock.put(.blob(Data([1, 2])), "Badge", "plate__index", ids[0])
    try stock.put(.null, "Badge", "plate__index", ids[1])
    try stock.put(.blob(Data([0, 0])), "Badge", "plate__index", ids[3])
    try stock.put(.null, "Badge", "hidden__index", ids[2])
    try setAside([.indexRepaired, .indexRepaired, .indexRepaired, .indexRepaired])
    try store.read { (_) throws in
      for badge in stock.badges[..<3] {
        #expect(try Badge.fetchOne(\.plate, equals: badge.plate)?.objectID == badge.objectID)
      }
      #expect(try Badge.fetchAll(\.hidden, equals: nil).count == 3)
    }
    #expect(try store.quarantined() == [])
  }

  @Test func `an index that another object's value has is not made anew`() throws {
    let ids = stock.badges.map(\.objectID)
    try stock.put(
      try stock.envelope([3] + Array("serial of 1".utf8), "Badge", "serial", ids[0]),
      "Badge",
      "serial",
      ids[0]
    )
    try setAside([.rowMoved])
    #expect(try kept().map { $0[2] } == ["duplicateUnique"])
    #expect(try store.read { _ in try Badge.fetchAll().count } == 3)
  }

  @Test func `references that lead nowhere are cleared, and where they led is kept`() throws {
    let (first, second) = (stock.cars[0], stock.cars[1])
    let missing = UUID()
    try stock.put(missing.storedValue, "Car", "owner", first.objectID)
    try stock.scene.edit(
      "UPDATE Car_wheels SET child = ?1 WHERE owner = ?2 AND position IN (1, 2)",
      missing.storedValue,
      first.objectID.storedValue
    )
    try stock.scene.edit(
      "UPDATE Car_wheels SET position = 'x' WHERE owner = ?1 AND position = 0",
      second.objectID.storedValue
    )
    try setAside([.referenceCleared, .referenceCleared, .referenceCleared])
    let cars = try store.read { _ in try Car.fetchAll() }
    #expect(cars.first { $0.objectID == first.objectID }?.wheels.count == 2)
    #expect(cars.first { $0.objectID == second.objectID }?.wheels.count == 3)
    let rows = try kept()
    #expect(rows.count == 4)
    #expect(rows[0][3] == missing.storedValue)
    let base64 = missing.storedValue.bytes.base64EncodedString()
    #expect(rows.count { "\($0[5])".contains("Car_wheels") } == 3)
    #expect(rows.count { "\($0[5])".contains(base64) } == 2)
  }

  @Test func `a locked store moves nothing`() throws {
    try stock.put(.text("x"), "Vault", "note", stock.vaults[0].objectID)
    let found = try store.verify().badCells
    let locked = try stock.scene.open(nil)
    expectError(.storeLocked) { _ = try locked.quarantine(found) }
    #expect(try store.quarantined() == [])
  }

  @Test func `a list goes through JSON, and progress stops between batches`() throws {
    let vaults = try store.write { _ in
      try (0..<1200).map { _ in
        let vault = Vault.create()
        vault.note = "x"
        try vault.save()
        return vault.objectID
      }
    }
    try stock.scene.edit("UPDATE Vault SET note = 'plain' WHERE note IS NOT NULL")
    var options = VerificationOptions()
    options.badCellLimit = 10_000
    let found = try store.verify(options).badCells
    #expect(found.count == vaults.count + 2)
    let list = try JSONDecoder().decode([BadCell].self, from: JSONEncoder().encode(found))
    let stopped = try store.quarantine(list, progress: { $0.done < 600 })
    #expect(!stopped.isComplete)
    #expect(stopped.count(.cellMoved) == 1000)
    #expect(try store.verify().badCellCount == found.count - 1000)
    #expect(try store.quarantine(list).count(.cellMoved) == found.count - 1000)
    #expect(try store.verify().isSound)
  }

  @Test func `a trigger on what is kept is refused before a cell is emptied`() throws {
    let ids = stock.badges.map(\.objectID)
    try stock.put(
      try stock.cell("Badge", "plate", ids[0]).flipped(at: 40),
      "Badge",
      "plate",
      ids[0]
    )
    try setAside([.cellMoved])
    let bad = try stock.cell("Badge", "plate", ids[1]).flipped(at: 40)
    try stock.put(bad, "Badge", "plate", ids[1])
    let found = try store.verify().badCells
    for event in ["BEFORE", "AFTER"] {
      let body = event == "BEFORE" ? "SELECT RAISE(IGNORE)" : "DELETE FROM nacre_quarantine"
      try stock.scene.edit(
        "CREATE TRIGGER t \(event) INSERT ON nacre_quarantine BEGIN \(body); END"
      )
      expectError(.foreignSchema) { _ = try store.quarantine(found) }
      #expect(try stock.cell("Badge", "plate", ids[1]) == bad)
      #expect(try kept().count == 1)
      try stock.scene.edit("DROP TRIGGER t")
    }
    #expect(try store.quarantine(found).count(.cellMoved) == 1)
    #expect(try kept().count == 2)
  }

  @Test(arguments: [
    ("Badge", "plate", "BEFORE UPDATE ON Badge BEGIN SELECT RAISE(IGNORE); END"),
    (
      "Badge", "plate",
      "AFTER UPDATE ON Badge BEGIN UPDATE Badge SET plate = old.plate "
        + "WHERE objectID = old.objectID; END"
    ),
    ("Vault", "secret", "BEFORE DELETE ON Vault BEGIN SELECT RAISE(IGNORE); END"),
    (
      "Vault", "secret",
      "AFTER DELETE ON Vault BEGIN INSERT INTO Vault (objectID, secret, number, real, data) VALUES "
        + "(old.objectID, old.secret, old.number, old.real, old.data); END"
    ),
  ])
  func `a cell that a trigger leaves as it is is not said to be set aside`(
    _ entity: String,
    _ property: String,
    _ trigger: String
  ) throws {
    let id = entity == "Badge" ? stock.badges[0].objectID : stock.vaults[0].objectID
    let bad = try stock.cell(entity, property, id).flipped(at: 40)
    try stock.put(bad, entity, property, id)
    let found = try store.verify().badCells
    try stock.scene.edit("CREATE TRIGGER mine \(trigger)")
    expectError(.corrupt) { _ = try store.quarantine(found) }
    #expect(try stock.cell(entity, property, id) == bad)
    #expect(try store.quarantined() == [])
    try stock.scene.edit("DROP TRIGGER mine")
    #expect(try store.quarantine(found).items.map(\.outcome) != [.sound])
    #expect(try store.verify().isSound)
  }
}
