import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Versions of entities, and the hooks that take their rows from one to the next.
@Suite struct EntityVersionTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private enum First: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] { noted(old, new) }
  }

  private enum Second: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] { noted(old, new) }
  }

  private enum Third: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
    static var version: Int { 3 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] { noted(old, new) }
  }

  private enum Fifth: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("model", preset: "T")] }
    static var version: Int { 5 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      noted(old, new) + [SQLStatement("UPDATE \"Robot\" SET model = model || ?", 5)]
    }
  }

  private static func noted(_ old: Int, _ new: Int) -> [SQLStatement] {
    [SQLStatement("INSERT INTO log VALUES (?, ?)", old, new)]
  }

  /// A store in which hooks can note that they were called.
  private func open() throws -> Store {
    let store = try scene.open()
    try store.write { try $0.execute("CREATE TABLE IF NOT EXISTS log (old integer, new integer)") }
    return store
  }

  private func log(_ store: Store) throws -> [[Value]] {
    try store.read { try $0.query("SELECT old, new FROM log") }
  }

  private func version() throws -> [[Value]] {
    try scene.edit("SELECT version FROM nacre_entity WHERE name = 'Robot'")
  }

  @Test func `an entity's version is 1 unless it says otherwise`() {
    #expect(Car.entityVersion == 1)
    #expect(Robot<Fifth>.entityVersion == 5)
  }

  @Test func `the hook is called with 0 when the table is made`() throws {
    let store = try open()
    try Robot<First>.use(in: store)
    try Robot<First>.store(in: store)
    #expect(try log(store) == [[0, 1]])
    #expect(try version() == [[1]])
    let another = try EntityVersionTests()
    let fresh = try another.open()
    try Robot<Third>.use(in: fresh)
    #expect(try another.log(fresh) == [[0, 3]])
    #expect(try another.version() == [[3]])
  }

  @Test func `the hook is called with both versions when the version is raised, after new columns`()
    throws
  {
    let store = try open()
    try Robot<Second>.store(in: store) { $0[text: "name"] = "R2" }
    #expect(
      try store.migrationPlan(Robot<Fifth>.self).description
        == "Robot: version 2 → 5\nRobot.model: added"
    )
    #expect(try Robot<Fifth>.texts("model", in: store) == ["T5"])
    #expect(try Robot<Fifth>.texts("name", in: store) == ["R2"])
    #expect(try log(store) == [[0, 2], [2, 5]])
    #expect(try version() == [[5]])
    try store.close()
    let again = try open()
    try Robot<Fifth>.use(in: again)
    #expect(try log(again) == [[0, 2], [2, 5]])
    #expect(try again.migrationPlan(Robot<Fifth>.self).isEmpty)
  }

  private enum Falling: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
    static var version: Int { 4 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      var statements: [SQLStatement] = []
      func add(_ letter: String) {
        statements.append(SQLStatement("UPDATE \"Robot\" SET name = name || ?", letter))
      }
      switch old + 1 {
      case 1: fallthrough
      case 2:
        add("2")
        fallthrough
      case 3:
        add("3")
        fallthrough
      case 4: add("4")
      default: break
      }
      return statements
    }
  }

  @Test(arguments: [(1, "234"), (2, "34"), (3, "4")])
  func `a hook that falls through runs what is missing, in order`(
    from: Int,
    expected: String
  ) throws {
    let store = try open()
    try Robot<First>.store(in: store)
    try store.close()
    try scene.editCatalog("UPDATE nacre_entity SET version = \(from)")
    #expect(try Robot<Falling>.texts("name", in: scene.open()) == [expected])
  }

  private enum Seeded: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name"), .init("power", .number, preset: "7"),
        .init("secret", .optionalText, sealed: .init()),
      ]
    }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      guard old == 0 else { return [] }
      return [
        SQLStatement("insert into \"Robot\"(name, power) values(?, ?)", "张三", 24),
        SQLStatement("insert into \"Robot\"(name) values(?)", "李四"),
      ]
    }
  }

  @Test func `a hook inserts first rows by SQL that names no objectID, and they are objects`()
    throws
  {
    let store = try scene.open()
    let robots = try store.read { _ in try Robot<Seeded>.fetchAll(orderBy: "power DESC") }
    #expect(robots.map { $0[text: "name"] } == ["张三", "李四"])
    #expect(robots.map { $0[number: "power"] } == [24, 7])
    #expect(Set(robots.map(\.objectID)).count == 2)
    let first = try #require(robots.first)
    first[optionalText: "secret"] = "kept"
    try store.save([first])
    let again = try store.read { _ in try Robot<Seeded>.fetch(id: first.objectID) }
    #expect(again?[optionalText: "secret"] == "kept")
  }

  private enum Failing: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("model")] }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      ["UPDATE \"Robot\" SET name = 'lost'", "UPDATE \"Robot\" SET nothing = 1"]
    }
  }

  @Test func `a hook that fails is taken back and says which entity and versions`() throws {
    let store = try open()
    try Robot<First>.store(in: store) { $0[text: "name"] = "kept" }
    for _ in 0..<2 {
      let error = thrown(.migrationFailed, entity: "Robot") { try Robot<Failing>.use(in: store) }
      #expect(error?.detail == "version 1 → 2")
      #expect((error?.cause as? NacreError)?.code == .badStatement)
    }
    #expect(try version() == [[1]])
    #expect(try scene.columns(of: "Robot") == ["objectID", "name"])
    #expect(try Robot<First>.texts("name", in: store) == ["kept"])
  }

  @Test func `a hook that fails when the table is made leaves no table`() throws {
    let store = try scene.open()
    expectError(.migrationFailed, entity: "Robot") { try Robot<First>.use(in: store) }
    #expect(try store.schema().isEmpty)
    #expect(try version() == [])
  }

  private enum Selfish: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) throws -> [SQLStatement] {
      _ = try Robot<Selfish>.fetchAll()
      return []
    }
  }

  private enum Curious: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) throws -> [SQLStatement] {
      try Car.create().save()
      return []
    }
  }

  @Test func `a class that is used in its own hook is refused, and so is another`() throws {
    let store = try open()
    expectError(.insideMigration, entity: "Robot") { try Robot<Selfish>.use(in: store) }
    try Robot<First>.store(in: store)
    expectError(.insideMigration, entity: "Robot") { try Robot<Selfish>.use(in: store) }
    expectError(.insideMigration, entity: "Car") { try Robot<Curious>.use(in: store) }
    #expect(try version() == [[1]])
    #expect(try Robot<First>.texts("name", in: store) == [""])
    try scene.save(Car.create(), in: store)
  }

  @Test func `an older class is refused, and nothing is changed`() throws {
    let store = try open()
    try Robot<Fifth>.store(in: store)
    let before = try scene.edit("SELECT * FROM \"Robot\", nacre_entity, nacre_property")
    let error = thrown(.newerSchema, entity: "Robot") { try Robot<Second>.use(in: store) }
    #expect(error?.detail == "the store has version 5, the class has 2")
    expectError(.newerSchema, entity: "Robot") { try Robot<Second>.store(in: store) }
    expectError(.newerSchema, entity: "Robot") { try store.migrate(Robot<Second>.self) }
    expectError(.newerSchema, entity: "Robot") {
      _ = try store.migrationPlan(Robot<Second>.self)
    }
    #expect(try scene.edit("SELECT * FROM \"Robot\", nacre_entity, nacre_property") == before)
  }

  // MARK: - Tables

  private enum Named: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
    static var table: String? { "machines" }
  }

  private enum Renamed: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
    static var table: String? { "engines" }
  }

  @Test func `a table is called like its class unless it says otherwise, and is made on first use`()
    throws
  {
    let store = try scene.open()
    #expect(try store.schema().isEmpty)
    try scene.save(Node.create(), in: store)
    try Robot<Named>.store(in: store)
    #expect(try store.schema().map(\.name) == ["Node", "machines"])
  }

  @Test func `a class that names another table later is refused`() throws {
    let store = try scene.open()
    try Robot<Named>.store(in: store)
    let error = thrown(.schemaMismatch, entity: "Robot") { try Robot<Renamed>.use(in: store) }
    #expect(error?.detail?.contains("machines") == true)
    #expect(try Robot<Named>.texts("name", in: store) == [""])
  }

  // MARK: - Types

  private enum Numbered: RobotForm {
    static var parts: [RobotPart] {
      [.init("name"), .init("power", .number, column: .init(isIndexed: true))]
    }
  }

  private enum Lettered: RobotForm {
    static var parts: [RobotPart] {
      [.init("name"), .init("power", column: .init(isIndexed: true))]
    }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      guard old == 1 else { return [] }
      return [
        "ALTER TABLE \"Robot\" ADD COLUMN letters TEXT NOT NULL DEFAULT ''",
        SQLStatement("UPDATE \"Robot\" SET letters = power || ?", " hp"),
        "DROP INDEX \"Robot__power\"",
        "ALTER TABLE \"Robot\" DROP COLUMN power",
        "ALTER TABLE \"Robot\" RENAME COLUMN letters TO power",
      ]
    }
  }

  /// The same type as `Lettered`, without anything that would change the column.
  private enum Guessing: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("power")] }
    static var version: Int { 2 }
  }

  @Test func `a changed type is refused, and a hook can change the column`() throws {
    let store = try scene.open()
    try Robot<Numbered>.store(in: store) { $0[number: "power"] = 90 }
    let plan = try store.migrationPlan(Robot<Guessing>.self)
    #expect(plan.columns.map(\.property) == ["power"])
    #expect(plan.description.contains("in conflict: it is stored as INTEGER and declared as TEXT"))
    let error = thrown(.schemaMismatch, entity: "Robot", property: "power") {
      try Robot<Guessing>.use(in: store)
    }
    #expect(error?.detail?.contains("changeType") == true)
    #expect(try version() == [[1]])
    #expect(try Robot<Lettered>.texts("power", in: store) == ["90 hp"])
    #expect(try version() == [[2]])
    let row = try scene.edit("SELECT type FROM nacre_property WHERE name = 'power'")
    #expect(row == [["TEXT"]])
    #expect(try store.schema()[0].indexes.map(\.name) == ["Robot__power"])
    expectError(.newerSchema) { try Robot<Numbered>.use(in: store) }
  }

  // MARK: - First rows and keys

  private enum Keyed: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("power", .number, preset: "7")] }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      [
        SQLStatement(
          "INSERT INTO \"Robot\" (\"objectID\", name, power) VALUES (?, ?, ?)",
          UUID(),
          "张三",
          24
        ),
        "CREATE UNIQUE INDEX robot_by_name ON \"Robot\" (name)",
        SQLStatement(
          stringLiteral: TestPlace.sql(
            "CREATE TABLE part (robot BLOB NOT NULL REFERENCES \"Robot\" (\"objectID\"))",
            onServer: "CREATE TABLE part (robot uuid NOT NULL REFERENCES \"Robot\" (\"objectID\"))"
          )
        ),
      ]
    }
  }

  @Test func `a hook inserts a first row and adds a unique and a foreign key`() throws {
    let store = try scene.open()
    #expect(try Robot<Keyed>.texts("name", in: store) == ["张三"])
    expectError(.constraint) {
      try Robot<Keyed>.store(in: store) { $0[text: "name"] = "张三" }
    }
    try Robot<Keyed>.store(in: store) { $0[text: "name"] = "李四" }
    try store.write { try $0.execute("INSERT INTO part SELECT \"objectID\" FROM \"Robot\"") }
    expectError(.constraint) {
      try store.write { _ = try $0.execute("INSERT INTO part VALUES (?)", UUID()) }
    }
  }
}
