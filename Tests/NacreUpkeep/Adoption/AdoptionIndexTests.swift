import Foundation
import NacreCore
import NacreCrypto
import NacreEngine
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import TestSupport

/// Adoptions of many rows, whose indexes are made at the end.
@Suite struct AdoptionIndexTests {
  /// Badges with the numbers 1 to 1500; the serials of `equals` are that of the badge 3.
  private func scene(equals: Int...) throws -> Adopted {
    let same = equals.map(String.init).joined(separator: ", ")
    return try Adopted(
      """
      CREATE TABLE badge (id INTEGER PRIMARY KEY, serial TEXT, owner INTEGER);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO badge SELECT i, 's' || CASE WHEN i IN (\(same)) THEN 3 ELSE i END, i FROM n;
      """
    )
  }

  private static let badge = AdoptedTable(
    "badge",
    entity: "Badge",
    key: .derived("id"),
    properties: [
      "label": .constant("l"), "serial": "serial", "email": .column("serial"),
      "number": "id", "name": .constant("n"),
    ]
  )

  /// Adopts the file, and returns the report and the indexes of a table that were there after a thousand rows.
  private func adopt(
    _ adopted: Adopted,
    _ table: AdoptedTable = badge,
    namespace: UUID? = nil,
    misfits: MisfitTreatment = .refuse,
    indexesOf name: String = "Badge"
  ) throws -> (report: AdoptionReport, indexes: [EngineIndex]) {
    var mapping = AdoptionMapping(tables: [table])
    mapping.namespace = namespace
    var indexes: [EngineIndex] = []
    let report = try adopted.store.adopt(
      adopted.foreign.path,
      by: mapping,
      misfits: misfits
    ) { progress in
      guard progress.done == 1000 else { return }
      indexes = try adopted.store.withWriter { try $0.connection.schema.indexes(of: name) }
    }
    return (report, indexes)
  }

  private func definitions(_ adopted: Adopted, of table: String = "Badge") throws -> [String] {
    try adopted.store.withWriter { database in
      try database.connection.schema.indexDefinitions(of: [table]).map(\.index.definition)
    }
  }

  @Test func `the indexes are made again after the rows`() throws {
    let adopted = try scene()
    let before = try definitions(adopted)
    let found = try adopt(adopted)
    #expect(found.indexes.isEmpty && found.report.objects == ["Badge": 1500])
    #expect(before.count == 6)
    #expect(try definitions(adopted) == before)
    try adopted.store.read { (_) throws in
      #expect(try Badge.fetchOne(\.serial, equals: "s1500")?.number == 1500)
      #expect(try Badge.fetchOne(\.email, equals: "S700")?.serial == "s700")
    }
    #expect(try adopted.store.verify().isSound)
    #expect(try adopted.store.check() == [])
  }

  @Test func `of many rows, those with a value that another has are named`() throws {
    let adopted = try scene(equals: 1200, 1400)
    let before = try definitions(adopted)
    let error = thrown(.notAdopted) { _ = try adopt(adopted) }
    #expect(error?.detail?.contains("table badge, column serial, row 1200") == true)
    let plan = try adopt(adopted, misfits: .list).report
    #expect(plan.isDryRun && plan.objects == ["Badge": 1498])
    #expect(plan.misfits.map(\.reason) == [.duplicateValue])
    #expect(plan.misfits.first?.rows == [1200, 1400])
    #expect(try adopted.rows()["Badge"] == [])
    #expect(try adopt(adopted, misfits: .leaveOut).report.objects == ["Badge": 1498])
    #expect(try definitions(adopted) == before)
    #expect(try adopted.store.verify().isSound)
  }

  @Test func `a table that has more rows keeps its indexes`() throws {
    let adopted = try scene()
    _ = try adopt(adopted)
    try adopted.foreign.execute("UPDATE badge SET serial = 't' || serial")
    let found = try adopt(adopted, namespace: UUID())
    #expect(found.indexes.count == 6 && found.report.objects == ["Badge": 1500])
  }

  @Test func `an adoption inside a transaction keeps the indexes`() throws {
    let adopted = try scene()
    try adopted.store.write { (_) throws in
      let found = try adopt(adopted)
      #expect(found.indexes.count == 6 && found.report.objects == ["Badge": 1500])
    }
    #expect(try adopted.store.verify().isSound)
  }

  @Test func `while an index key is changed, the unique index stays`() throws {
    let adopted = try scene()
    try adopted.store.write { _ in try Badge.make("x") { $0.serial = "s7" }.save() }
    try adopted.store.promoteKey(adopted.store.addKey(.index))
    let found = try adopt(adopted, misfits: .leaveOut)
    #expect(found.indexes.count == 1 && found.indexes.first?.isUnique == true)
    #expect(found.report.misfits.first?.rows == [7])
  }

  @Test func `the indexes of references and of plain unique properties stay`() throws {
    let adopted = try scene()
    let person = AdoptedTable(
      "badge",
      entity: "Person",
      key: .derived("id"),
      properties: ["code": "serial"]
    )
    let people = try definitions(adopted, of: "Person").count
    #expect(try adopt(adopted, person, indexesOf: "Person").indexes.count == people && people > 0)
    let car = AdoptedTable(
      "badge",
      entity: "Car",
      key: .derived("id"),
      properties: ["owner": .reference("owner", to: "badge", keys: .derived)]
    )
    let cars = try definitions(adopted, of: "Car").count
    #expect(try adopt(adopted, car, indexesOf: "Car").indexes.count == cars && cars > 0)
  }
}
