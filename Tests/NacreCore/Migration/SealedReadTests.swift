import Foundation
import NacreCore
import NacreUpkeep
@testable import TestSupport
import Testing

/// SQL of hooks and steps that would take a sealed column's ciphertext for its value.
@Suite struct SealedReadTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  /// What the hook of `Hooked` runs in a test.
  @TaskLocal private static var statements: [String] = []

  private static let parts: [RobotPart] = [
    .init("name"), .init("domain"), .init("mail", sealed: .init(isSearchable: true)),
  ]

  private enum First: RobotForm {
    static var parts: [RobotPart] { SealedReadTests.parts }
  }

  private enum Hooked: RobotForm {
    static var parts: [RobotPart] { SealedReadTests.parts + [.init("note", sealed: .init())] }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      SealedReadTests.statements.map { SQLStatement($0) }
    }
  }

  private func stored() throws -> Store {
    let store = try scene.open()
    try Robot<First>.store(in: store) { robot in
      robot[text: "name"] = "R2"
      robot[text: "mail"] = "MARKER@droids"
    }
    try store.write { try $0.execute(Self.makingOthers) }
    return store
  }

  private static let makingOthers =
    TestPlace.isOnServer
    ? """
    CREATE TABLE log (mail bytea); CREATE TABLE calls (number integer);
    CREATE VIEW seen AS SELECT mail AS told FROM "Robot";
    CREATE FUNCTION called() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE "Robot" SET domain = substr(mail::text, 1, 3);
      RETURN NULL;
    END $$;
    CREATE TRIGGER called AFTER INSERT ON calls FOR EACH ROW EXECUTE FUNCTION called()
    """
    : """
    CREATE TABLE log (mail text); CREATE TABLE calls (number integer);
    CREATE VIEW seen AS SELECT mail AS told FROM "Robot";
    CREATE TRIGGER called AFTER INSERT ON calls BEGIN
      UPDATE "Robot" SET domain = substr(mail, 1, 3);
    END;
    """
  private static let droppingOthers =
    TestPlace.isOnServer
    ? "DROP TRIGGER called ON calls; DROP VIEW seen" : "DROP TRIGGER called; DROP VIEW seen"

  private static let reading = [
    "UPDATE \"Robot\" SET domain = substr(mail, 8)",
    // A server takes a name in quotes as it is written.
    TestPlace.isOnServer
      ? "UPDATE \"Robot\" SET domain = MAIL" : "UPDATE robot SET domain = \"MAIL\"",
    "UPDATE \"Robot\" SET domain = 'x' WHERE mail IS NOT NULL",
    "UPDATE \"Robot\" SET domain = hex(mail__index)", "INSERT INTO log SELECT mail FROM \"Robot\"",
    "INSERT INTO log SELECT told FROM seen", "INSERT INTO calls VALUES (1)",
    "CREATE TABLE taken AS SELECT * FROM \"Robot\"", "CREATE INDEX \"byMail\" ON \"Robot\" (mail)",
    "UPDATE \"Robot\" SET domain = 'x' RETURNING mail",
  ]

  private func row() throws -> [[Value]] { try scene.edit("SELECT name, domain FROM \"Robot\"") }

  // MARK: - Hooks

  @Test(arguments: reading)
  func `a hook that reads a sealed property is refused, and taken back`(sql: String) throws {
    let store = try stored()
    let error = thrown(.sealedCondition, entity: "Robot", property: "mail") {
      try SealedReadTests.$statements.withValue(["UPDATE \"Robot\" SET name = 'lost'", sql]) {
        try Robot<Hooked>.use(in: store)
      }
    }
    #expect(error?.detail?.contains("Robot version 1 → 2") == true)
    #expect(error?.detail?.contains("copyingSealedCells") == true)
    #expect(try row() == [["R2", ""]])
    #expect(try Robot<First>.texts("mail", in: store) == ["MARKER@droids"])
  }

  @Test func `a hook that reads a sealed property which is new is refused`() throws {
    let store = try stored()
    expectError(.sealedCondition, entity: "Robot", property: "note") {
      try SealedReadTests.$statements.withValue(["UPDATE \"Robot\" SET domain = note"]) {
        try Robot<Hooked>.use(in: store)
      }
    }
  }

  @Test(arguments: [
    "DELETE FROM \"Robot\" WHERE name IN (SELECT name FROM \"Robot\" JOIN log USING (mail))",
    "DELETE FROM \"Robot\" WHERE name IN (SELECT name FROM \"Robot\" NATURAL JOIN log)",
  ])
  func `a join that does not name its columns is refused in a hook`(sql: String) throws {
    let store = try stored()
    expectError(.sealedCondition) {
      try SealedReadTests.$statements.withValue([sql]) { try Robot<Hooked>.use(in: store) }
    }
    #expect(try row() == [["R2", ""]])
  }

  @Test func `a hook changes what is not sealed, beside what is`() throws {
    let store = try stored()
    let making =
      TestPlace.isOnServer
      ? "CREATE TABLE words (word text)" : "CREATE VIRTUAL TABLE words USING fts5(word)"
    let statements = [
      "UPDATE \"Robot\" SET domain = lower(name) || (SELECT count(*) FROM \"Robot\")", making,
      "INSERT INTO words SELECT name FROM \"Robot\"",
    ]
    try SealedReadTests.$statements.withValue(statements) { try Robot<Hooked>.use(in: store) }
    #expect(try row() == [["R2", "r21"]])
    #expect(try Robot<Hooked>.texts("mail", in: store) == ["MARKER@droids"])
  }

  private enum Opened: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("domain"), .init("mail")] }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      old == 1 ? ["UPDATE \"Robot\" SET domain = substr(mail, 8)"] : []
    }
  }

  @Test func `a hook reads a property that is unsealed before it, by migrate alone`() throws {
    let store = try stored()
    try store.write { try $0.execute(Self.droppingOthers) }
    expectError(.migrationPending, entity: "Robot", property: "mail") {
      try Robot<Opened>.use(in: store)
    }
    try store.migrate(Robot<Opened>.self)
    #expect(try row() == [["R2", "droids"]])
  }

  private enum Rebuilt: RobotForm {
    static var parts: [RobotPart] { SealedReadTests.parts }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      guard old == 1 else { return [] }
      return [
        SQLStatement(stringLiteral: SealedReadTests.making),
        .copyingSealedCells("INSERT INTO made SELECT \(SealedReadTests.columns) FROM \"Robot\""),
        "DROP TABLE \"Robot\"", "ALTER TABLE made RENAME TO \"Robot\"",
      ]
    }
  }

  private static let columns = "objectID, name, domain, mail, mail__index"
  private static let making = """
    CREATE TABLE made ("objectID" BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL, \
    domain TEXT NOT NULL DEFAULT '', mail BLOB, mail__index BLOB) WITHOUT ROWID
    """

  @Test(.sqliteOnly("it makes a table with SQLite's types"))
  func `a hook copies whole sealed cells where it says so`() throws {
    let store = try stored()
    try store.write { try $0.execute(Self.droppingOthers) }
    #expect(try Robot<Rebuilt>.texts("mail", in: store) == ["MARKER@droids"])
    #expect(try scene.columns(of: "Robot") == Self.columns.components(separatedBy: ", "))
    #expect(try store.verify().isSound)
  }

  // MARK: - Steps

  /// Runs a step over the store.
  private func step(_ change: @escaping Migrator.Step.Change) throws {
    let store = try scene.open { options in
      options.migrator = Migrator(.init("1"), .init("2", up: change))
    }
    try store.close()
  }

  private struct Told: Decodable { let mail: Data }

  @Test func `a step that reads a sealed property is refused, whatever it reads it by`() throws {
    try stored().close()
    let select = "SELECT mail FROM \"Robot\""
    let ways: [Migrator.Step.Change] = [
      { try $0.execute(Self.reading[0]) },
      { try $0.execute("UPDATE \"Robot\" SET domain = substr(mail, ?)", 8) },
      { try $0.execute("UPDATE \"Robot\" SET domain = substr(mail, :at)", ["at": 8]) },
      { try $0.execute([SQLStatement("UPDATE \"Robot\" SET domain = substr(mail, ?)", 8)]) },
      { try $0.execute("UPDATE \"Robot\" SET name = 'lost'; INSERT INTO calls VALUES (1)") },
      { _ = try $0.query(select) }, { _ = try $0.rows(select) },
      { _ = try $0.cursor(select).next() }, { _ = try $0.value(select, as: Data.self) },
      { _ = try $0.decode(Told.self, select) }, { _ = try $0.store?.read { try $0.rows(select) } },
      { try $0.changeType(of: "domain", in: "Robot", to: .text, using: "substr(mail, 8)") },
    ]
    for way in ways {
      let error = thrown(.sealedCondition, entity: "Robot", property: "mail") { try step(way) }
      #expect(error?.detail?.contains("step 2") == true)
      #expect(try row() == [["R2", ""]])
    }
    let indexing = thrown(.sealedCondition, property: "mail") {
      try step { try $0.createIndex(on: "Robot", columns: ["mail"]) }
    }
    #expect(indexing?.detail?.contains("step 2") == true)
  }

  @Test func `a statement that was prepared before the step is refused in it, and runs after it`()
    throws
  {
    try stored().close()
    let select = "SELECT mail FROM \"Robot\""
    let store = try scene.open { options in
      options.migratesWhenOpened = false
      options.migrator = Migrator(
        .init("1") { database in
          _ = try database.copyingSealedCells { try database.rows(select) }
          expectError(.sealedCondition) { _ = try database.rows(select) }
        }
      )
    }
    func count() throws -> Int { try store.write { try $0.rows(select).count } }
    #expect(try count() == 1)
    try store.migrate(to: "1")
    #expect(try store.schemaVersion == "1")
    #expect(try count() == 1)
  }

  @Test func `the named changes of a step work on tables with sealed properties`() throws {
    try stored().close()
    try step { database in
      try database.execute(Self.droppingOthers)
      try database.execute("UPDATE \"Robot\" SET domain = lower(name)")
      try database.changeType(of: "domain", in: "Robot", to: .text, using: "domain || '.org'")
      try database.createIndex(on: "Robot", columns: ["name", "domain"])
      try database.addColumn("more", to: "Robot", type: .text)
      try database.renameColumn("mail", of: "Robot", to: "address")
      expectError(.sealedCondition, entity: "Robot", property: "address") {
        try database.execute("UPDATE \"Robot\" SET more = address")
      }
      try database.dropProperty("address", of: "Robot")
      try database.addColumn("address", to: "Robot", type: .text)
      try database.execute("UPDATE \"Robot\" SET address = '?' WHERE address IS NULL")
    }
    #expect(try scene.edit("SELECT domain, address FROM \"Robot\"") == [["r2.org", "?"]])
  }

  @Test(.sqliteOnly("it makes a table with SQLite's types"))
  func `a step copies whole sealed cells where it says so`() throws {
    try stored().close()
    try step { database in
      try database.execute(Self.droppingOthers)
      try database.execute(SealedReadTests.making)
      let copy = "INSERT INTO made SELECT \(SealedReadTests.columns) FROM \"Robot\""
      expectError(.sealedCondition) { try database.execute(copy) }
      try database.copyingSealedCells { try database.execute(copy) }
      expectError(.sealedCondition) { try database.execute(copy) }
      try database.execute("DROP TABLE \"Robot\"; ALTER TABLE made RENAME TO \"Robot\"")
    }
    let store = try scene.open()
    #expect(try Robot<First>.texts("mail", in: store) == ["MARKER@droids"])
    #expect(try store.verify().isSound)
  }

  @Test(arguments: [
    "ALTER TABLE \"Robot\" RENAME TO \"Former\"; UPDATE \"Former\" SET domain = substr(mail, 8)",
    "ALTER TABLE \"Robot\" RENAME COLUMN mail TO told; UPDATE \"Robot\" SET domain = told",
    "ALTER TABLE \"Robot\" RENAME COLUMN mail__index TO told; UPDATE \"Robot\" SET domain = told",
    "ALTER TABLE \"Robot\" RENAME TO a; ALTER TABLE a RENAME COLUMN mail TO told; UPDATE a SET domain = told",
    "ALTER TABLE \"Robot\" ADD COLUMN more text; ALTER TABLE \"Robot\" RENAME COLUMN mail TO x; UPDATE \"Robot\" SET more = x",
  ])
  func `a column that a step has renamed is still sealed`(sql: String) throws {
    let store = try stored()
    try store.write { try $0.execute(Self.droppingOthers) }
    try store.close()
    expectError(.sealedCondition) { try step { try $0.execute(sql) } }
    expectError(.sealedCondition) {
      try step { database in
        for part in sql.split(separator: ";") { try database.execute(String(part)) }
      }
    }
    #expect(try row() == [["R2", ""]])
  }

  @Test(
    .sqliteOnly("it makes tables without types"),
    arguments: [
      (
        "CREATE TABLE made (\"objectID\", mail)",
        "INSERT INTO made SELECT \"objectID\", mail FROM \"Robot\"",
        "mail"
      ),
      (
        "CREATE TABLE made (\"objectID\", x)",
        "INSERT INTO made SELECT \"objectID\", mail FROM \"Robot\"", "x"
      ),
      (
        "CREATE TEMP TABLE made (\"objectID\", mail)",
        "INSERT INTO made SELECT \"objectID\", mail FROM \"Robot\"", "mail"
      ),
      (
        "CREATE TABLE made (\"objectID\", x)",
        "INSERT INTO made SELECT \"objectID\", mail__index FROM \"Robot\"",
        ""
      ),
    ]
  )
  func `values that a step copies stay sealed`(make: String, copy: String, column: String) throws {
    try stored().close()
    @Sendable func run(_ database: Database) throws {
      try database.execute(make)
      try database.copyingSealedCells { try database.execute(copy) }
      try database.execute("UPDATE \"Robot\" SET domain = (SELECT count(\"objectID\") FROM made)")
      if column.isEmpty { return }
      expectError(.sealedCondition, property: column) {
        try database.execute("UPDATE \"Robot\" SET domain = (SELECT \(column) FROM made)")
      }
      try database.execute("ALTER TABLE made RENAME TO again")
      expectError(.sealedCondition, property: column) {
        try database.execute("UPDATE \"Robot\" SET domain = (SELECT \(column) FROM again)")
      }
      try database.execute(
        "DROP TABLE again; CREATE TABLE made (\(column)); UPDATE made SET \(column) = 1"
      )
    }
    try step { try run($0) }
    #expect(try row() == [["R2", "1"]])
  }

  @Test func `SQL outside of steps and hooks reads the envelopes as before`() throws {
    let store = try stored()
    try store.write { database in
      try database.execute("INSERT INTO log SELECT mail FROM \"Robot\"")
      #expect(try database.rows("SELECT mail FROM log NATURAL JOIN \"Robot\"").count == 1)
    }
  }
}
