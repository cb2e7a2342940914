import Foundation
import NacreCore
import NacreUpkeep
@testable import TestSupport
import Testing

/// Properties that are taken out of a class, put in again, or declared otherwise.
@Suite struct PropertyChangeTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func catalog(_ columns: String, _ property: String) throws -> [[Value]] {
    try scene.edit("SELECT \(columns) FROM nacre_property WHERE name = ?1", .text(property))
  }

  // MARK: - Removed

  private enum Whole: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name"), .init("code", column: .init(isUnique: true)),
        .init("model", preset: "T", column: .init(defaultValue: .null)),
        .init("secret", preset: "MARKER-0", sealed: .init(isUnique: true)),
        .init("note", .optionalText, sealed: .init(isSearchable: true, hidesNil: true)),
      ]
    }
  }

  private enum Bare: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
  }

  private func storeWhole(in store: Store) throws {
    try Robot<Whole>.store(in: store) { robot in
      robot[text: "name"] = "old"
      robot[text: "code"] = "C"
      robot[text: "model"] = "A"
      robot[text: "secret"] = "MARKER-1"
      robot[optionalText: "note"] = "MARKER-2"
    }
  }

  @Test
  func `removed properties stay hidden, and objects are stored without them`() throws {
    let store = try scene.open()
    try storeWhole(in: store)
    #expect(
      try store.migrationPlan(Robot<Bare>.self).description == """
        Robot.code: no longer declared, kept
        Robot.model: no longer declared, kept
        Robot.note: no longer declared, kept
        Robot.secret: no longer declared, kept
        """
    )
    for name in ["x", "y"] { try Robot<Bare>.store(in: store) { $0[text: "name"] = name } }
    #expect(try Robot<Bare>.texts("name", in: store) == ["old", "x", "y"])
    let columns = [
      "objectID", "name", "code", "secret", "secret__index", "note", "note__index", "model",
    ]
    #expect(Set(try scene.columns(of: "Robot")) == Set(columns))
    let properties = try #require(try store.inspect().entities.first).properties
    #expect(
      properties.filter { !$0.isDeclared }.map(\.name) == ["code", "model", "note", "secret"]
    )
    #expect(properties.filter(\.isDeclared).map(\.name) == ["name"])
    #expect(try store.verify().isSound)
  }

  @Test
  func `a property that is put in again finds its old values, and others get its default`()
    throws
  {
    let store = try scene.open()
    try storeWhole(in: store)
    try Robot<Bare>.store(in: store) { $0[text: "name"] = "young" }
    // Nothing tells a row without a sealed value from one whose value was taken away.
    expectError(.migrationPending, entity: "Robot", property: "secret") {
      try Robot<Whole>.use(in: store)
    }
    #expect(try store.migrate(Robot<Whole>.self).isEmpty)
    let robots = try store.read { _ in try Robot<Whole>.fetchAll(orderBy: "name") }
    #expect(robots.map { $0[text: "code"] } == ["C", ""])
    #expect(robots.map { $0[text: "model"] } == ["A", "T"])
    #expect(robots.map { $0[text: "secret"] } == ["MARKER-1", "MARKER-0"])
    #expect(robots.map { $0[optionalText: "note"] } == ["MARKER-2", nil])
    #expect(try catalog("hidden", "code") == [[.null]])
    try store.read { (_) throws in
      let found = try Robot<Whole>.fetchAll(\.[optionalText: "note"], equals: nil)
      #expect(found.map { $0[text: "name"] } == ["young"])
    }
    expectError(.constraint, entity: "Robot", property: "code") {
      try Robot<Whole>.store(in: store) { robot in
        robot[text: "code"] = "C"
        robot[text: "secret"] = "another"
      }
    }
    #expect(try store.verify().isSound)
    #expect(try store.migrationPlan(Robot<Whole>.self).isEmpty)
  }

  @Test func `a removed property without a default does not keep objects from being stored`()
    throws
  {
    let store = try scene.open()
    try Robot<Required>.store(in: store) { $0[number: "power"] = 90 }
    try store.write { database in
      try database.execute(
        TestPlace.sql(
          """
          CREATE TABLE made ("objectID" BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL,
          power INTEGER NOT NULL) WITHOUT ROWID;
          """,
          onServer: """
            CREATE TABLE made ("objectID" uuid PRIMARY KEY, name text COLLATE "C" NOT NULL, power bigint NOT NULL);
            """
        ) + """
          INSERT INTO made SELECT "objectID", name, power FROM "Robot";
          DROP TABLE "Robot";
          ALTER TABLE made RENAME TO "Robot";
          """
      )
    }
    try Robot<Bare>.store(in: store) { $0[text: "name"] = "young" }
    #expect(try Robot<Bare>.texts("name", in: store) == ["", "young"])
    let robots = try store.read { _ in try Robot<Required>.fetchAll(orderBy: "name") }
    #expect(robots.map { $0[number: "power"] } == [90, 0])
  }

  @Test
  func `a removed property is dropped by name, with its columns`() throws {
    let store = try scene.open()
    try storeWhole(in: store)
    try Robot<Bare>.use(in: store)
    try store.write { database in
      for name in ["code", "model", "secret", "note"] {
        try database.dropProperty(name, of: "Robot")
      }
    }
    #expect(try scene.columns(of: "Robot") == ["objectID", "name"])
    #expect(try Robot<Bare>.texts("name", in: store) == ["old"])
    #expect(try store.inspect().entities.first?.properties.map(\.name) == ["name"])
    #expect(try store.verify().isSound)
    try store.write { database in
      expectError(.noSuchProperty) { try database.dropProperty("code", of: "Robot") }
      expectError(.noSuchEntity) { try database.dropProperty("code", of: "Nobody") }
    }
    try store.read { database in
      expectError(.transactionState) { try database.dropProperty("name", of: "Robot") }
    }
  }

  @Test(.sqliteOnly("it changes a table while a transaction reads it, for which a server waits"))
  func `a column that SQL has dropped is forgotten, or its class refused`() throws {
    let store = try scene.open()
    try storeWhole(in: store)
    try store.write { database in
      try database.execute("DROP INDEX \"Robot__code\"")
      try database.execute("ALTER TABLE \"Robot\" DROP COLUMN code")
    }
    let error = thrown(.schemaMismatch, entity: "Robot", property: "code") {
      try Robot<Whole>.use(in: store)
    }
    #expect(error?.detail == "its column is gone from the file")
    try Robot<Bare>.use(in: store)
    #expect(try catalog("name", "code") == [])
    #expect(try store.verify().isSound)
    #expect(try Robot<Whole>.texts("code", in: store) == [""])
  }

  // MARK: - Declared otherwise

  private enum Optional: RobotForm {
    static var parts: [RobotPart] {
      [.init("name", .optionalText), .init("power", .optionalNumber)]
    }
  }

  private enum Required: RobotForm {
    static var parts: [RobotPart] {
      [.init("name", column: .init(isIndexed: true)), .init("power", .number)]
    }
  }

  private enum Mended: RobotForm {
    static var parts: [RobotPart] { Required.parts }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      [SQLStatement("UPDATE \"Robot\" SET name = ? WHERE name IS NULL", "nobody")]
    }
  }

  @Test func `a property that becomes optional takes nil`() throws {
    let store = try scene.open()
    try Robot<Required>.store(in: store) { $0[text: "name"] = "old" }
    #expect(
      try store.migrationPlan(Robot<Optional>.self).description
        == "Robot.name: may be nil\nRobot.power: may be nil"
    )
    try Robot<Optional>.store(in: store)
    #expect(try Robot<Optional>.texts("name", in: store) == [nil, "old"])
    #expect(try store.schema().first?.indexes.map(\.name) == ["Robot__name"])
  }

  @Test func `a property that must have a value from now on is refused while rows hold nil`()
    throws
  {
    let store = try scene.open()
    try Robot<Optional>.store(in: store) { $0[optionalNumber: "power"] = 7 }
    expectError(.schemaMismatch, entity: "Robot", property: "name") {
      try Robot<Required>.use(in: store)
    }
    #expect(try Robot<Mended>.texts("name", in: store) == ["nobody"])
    #expect(try store.schema().first?.indexes.map(\.name) == ["Robot__name"])
  }

  private enum Unique: RobotForm {
    static var parts: [RobotPart] { [.init("name", column: .init(isUnique: true))] }
  }

  @Test func `an index follows its declaration`() throws {
    let store = try scene.open()
    func indexes() throws -> [String] {
      try store.schema().first?.indexes.map(\.description) ?? []
    }
    try Robot<Bare>.store(in: store) { $0[text: "name"] = "a" }
    #expect(try indexes() == [])
    try Robot<Unique>.use(in: store)
    #expect(try indexes() == ["unique index Robot__name (name)"])
    expectError(.constraint, entity: "Robot", property: "name") {
      try Robot<Unique>.store(in: store) { $0[text: "name"] = "a" }
    }
    try Robot<Bare>.store(in: store) { $0[text: "name"] = "a" }
    #expect(try indexes() == [])
    expectError(.constraint) { try Robot<Unique>.use(in: store) }
    #expect(try Robot<Bare>.texts("name", in: store) == ["a", "a"])
  }
}
