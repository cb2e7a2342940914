import NacreCore
import NacreOpen
import NacreRecords
import Testing
@testable import TestSupport

/// A table of robots as the first version of an application declares it.
private struct FirstRobot: Record {
  var id: Int64?
  var name = ""
  init() {}
  static var tableName: String { "Robot" }
  static let columns: [RecordColumn<FirstRobot>] = [.key(\.id), .column(\.name)]
}

/// The same table in version 3, with a first row for new tables.
private struct ThirdRobot: Record {
  var id: Int64?
  var name = ""
  var model = ""
  init() {}
  static var tableName: String { "Robot" }
  static var recordVersion: Int { 3 }
  static let columns: [RecordColumn<ThirdRobot>] = [
    .key(\.id), .column(\.name), .column(\.model, default: "T"),
  ]
  static func migrate(_ table: String, from old: Int, to new: Int) -> [SQLStatement] {
    if old == 0 {
      return [
        SQLStatement("INSERT INTO \"\(table)\" (name, model) VALUES (?, ?)", "first", "T\(new)")
      ]
    }
    return [SQLStatement("UPDATE \"\(table)\" SET model = model || ?", "\(old)-\(new)")]
  }
}

/// The same table in version 4, with a hook whose second statement fails.
private struct FailingRobot: Record {
  var id: Int64?
  var name = ""
  var size = 0
  init() {}
  static var tableName: String { "Robot" }
  static var recordVersion: Int { 4 }
  static let columns: [RecordColumn<FailingRobot>] = [
    .key(\.id), .column(\.name), .column(\.size),
  ]
  static func migrate(_ table: String, from old: Int, to new: Int) -> [SQLStatement] {
    ["UPDATE \"Robot\" SET name = 'lost'", "UPDATE \"Robot\" SET nothing = 1"]
  }
}

/// A record that is used in its own hook.
private struct SelfishRobot: Record {
  var id: Int64?
  init() {}
  static var recordVersion: Int { 2 }
  static let columns: [RecordColumn<SelfishRobot>] = [.key(\.id)]
  static func migrate(_ table: String, from old: Int, to new: Int) throws -> [SQLStatement] {
    _ = try Table<SelfishRobot>().count()
    return []
  }
}

/// A record with a sealed column, which is in the catalog, too.
private struct SecretRobot: Record {
  var id: Int64?
  var code: String?
  var size = 0
  init() {}
  static var recordVersion: Int { 2 }
  static let columns: [RecordColumn<SecretRobot>] = [
    .key(\.id), .column(\.code, sealed: SealedOptions()), .column(\.size),
  ]
  static func migrate(_ table: String, from old: Int, to new: Int) -> [SQLStatement] {
    old == 0 ? [SQLStatement("INSERT INTO \"\(table)\" (size) VALUES (?)", 7)] : []
  }
}

@Suite struct RecordVersionTests {
  private let scene: RecordScene

  init() throws { scene = try RecordScene() }

  private var first: Table<FirstRobot> { Table().in(scene.store) }
  private var third: Table<ThirdRobot> { Table().in(scene.store) }

  private func add(_ name: String) throws {
    var robot = FirstRobot()
    robot.name = name
    try first.insert(&robot)
  }

  @Test func `a hook gives a new table its first rows`() throws {
    #expect(FirstRobot.recordVersion == 1)
    #expect(try third.fetchAll().map(\.model) == ["T3"])
    #expect(try third.fetchAll().map(\.name) == ["first"])
    #expect(try Table<ThirdRobot>("other").in(scene.store).count() == 1)
  }

  @Test func `a raised version calls the hook once, after the new columns`() throws {
    try add("R2")
    #expect(try third.fetchAll().map(\.model) == ["T1-3"])
    #expect(try third.fetchAll().map(\.model) == ["T1-3"])
    try scene.store.close()
    let again = try scene.scene.open()
    #expect(try Table<ThirdRobot>().in(again).fetchAll().map(\.model) == ["T1-3"])
  }

  @Test func `a record of an earlier version is refused`() throws {
    try third.create()
    let error = thrown(.newerSchema, entity: "Robot") { try first.create() }
    #expect(error?.detail == "the table has version 3, the record has 1")
    try scene.store.write { try $0.execute("DROP TABLE \"Robot\"") }
    #expect(try first.count() == 0)
    // The version of the table that is gone does not hold for the new one.
    try scene.store.close()
    let again = try scene.scene.open()
    #expect(try Table<FirstRobot>().in(again).count() == 0)
  }

  @Test func `a hook that fails is taken back with the new columns, and says the versions`() throws
  {
    try add("kept")
    let table = Table<FailingRobot>().in(scene.store)
    let error = thrown(.migrationFailed, entity: "Robot") { try table.create() }
    #expect(error?.detail == "version 1 → 4")
    #expect(try first.fetchAll().map(\.name) == ["kept"])
    #expect(try first.columnNames() == ["id", "name"])
  }

  @Test func `a record that is used in its own hook is refused`() throws {
    expectError(.insideMigration, entity: "SelfishRobot") {
      try Table<SelfishRobot>().in(scene.store).create()
    }
  }

  @Test func `a table with sealed columns has a version and a hook, too`() throws {
    let table = Table<SecretRobot>().in(scene.store)
    var robot = try #require(try table.first())
    #expect(robot.size == 7 && robot.code == nil)
    robot.code = "open"
    try table.update(robot)
    #expect(try table.first()?.code == "open")
  }
}
