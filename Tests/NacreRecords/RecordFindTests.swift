import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

/// Records that SQL of the caller's own finds, with extra columns.
@Suite struct RecordFindTests {
  private static let join = """
    SELECT s.*, t.name AS t_name, t.name FROM "Student" s
    LEFT JOIN "Student" t ON t."ID" = s."ID" + 1 WHERE s.age >= ? ORDER BY s."ID"
    """

  @Test func `extra columns are read by key beside the record`() throws {
    let scene = try RecordScene()
    let list = try scene.fill(5)
    let found = try scene.students.find(sql: Self.join, 3)
    #expect(found.map(\.object) == [list[3], list[4]])
    #expect(found.map(\.name) == ["S3", "S4"])
    #expect(found.map { $0["t_name"] } == ["S4", .null])
    #expect(found[0].extras.columns == ["t_name", "name"])
    #expect(found[0]["nonesuch"] == nil)
  }

  @Test func `a record type finds records in the current store`() throws {
    let scene = try RecordScene()
    try scene.fill(5)
    let names = try scene.store.read { _ in try Student.find(sql: Self.join, 4).map(\.name) }
    #expect(names == ["S4"])
  }

  @Test func `records are found without blocking a thread`() async throws {
    let scene = try RecordScene()
    _ = try scene.fill(5)
    let found = try await scene.students.find(
      sql: "SELECT \"ID\", name FROM \"Student\" WHERE \"ID\" = 2"
    )
    #expect(found.map(\.name) == ["S1"] && found[0].extras.columns == [])
  }

  @Test func `sealed columns are opened, and the store's own columns are no extras`() throws {
    let scene = try RecordScene()
    var patient = Patient()
    try scene.patients.insert(&patient)
    let found = try scene.patients.find(sql: "SELECT *, 7 AS seven FROM \"Patient\"")
    #expect(found.map(\.object) == [patient])
    #expect(found[0].extras.columns == ["seven"])
  }
}
