import Foundation
import NacreCore
import NacreRecords
import NacreUpkeep
import Testing
@testable import TestSupport

/// Names of tables and columns that Swift and SQLite do not both take for one: SQLite ignores the
/// case of ASCII letters, and of no others.
@Suite struct SchemaNameTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  // MARK: Two names to SQLite

  /// Properties whose names are equal after Swift's `lowercased()`.
  private enum Accents: RobotForm {
    static let parts: [RobotPart] = [
      .init("É", .number), .init("é", sealed: .init(isSearchable: true)),
      .init("\u{212a}", .number), .init("k"),
    ]
  }

  private struct Letters: Record, Equatable {
    var id: Int64?
    var upper = ""
    var lower: String?

    init() {}

    static let columns: [RecordColumn<Letters>] = [
      .key(\.id), .column(\.upper, "É"), .column(\.lower, "é", sealed: SealedOptions()),
    ]
  }

  private func storeAccents() throws -> Robot<Accents> {
    try Robot<Accents>.store(in: store) { robot in
      robot[number: "É"] = 7
      robot[text: "é"] = "MARKER-1"
      robot[number: "\u{212a}"] = 8
      robot[text: "k"] = "plain"
    }
  }

  private func expectAccents(in store: Store) throws {
    let robots = try store.read { _ in try Robot<Accents>.fetchAll() }
    #expect(robots.map { $0[number: "É"] } == [7])
    #expect(robots.map { $0[text: "é"] } == ["MARKER-1"])
    #expect(robots.map { $0[number: "\u{212a}"] } == [8])
    #expect(robots.map { $0[text: "k"] } == ["plain"])
  }

  @Test func `a condition takes each of two such columns for itself`() throws {
    _ = try storeAccents()
    try store.read { (_) throws in
      #expect(try Robot<Accents>.count(where: "k = ?", "plain") == 1)
      #expect(try Robot<Accents>.count(where: "É = ?", 7) == 1)
      expectError(.unequalArgument, property: "\u{212a}") {
        _ = try Robot<Accents>.count(where: "\u{212a} = ?", "plain")
      }
      expectError(.sealedCondition, property: "é") {
        _ = try Robot<Accents>.count(where: "é = ?", "MARKER-1")
      }
    }
  }

  @Test
  func `verification finds each of two such columns as the catalog has it`() throws {
    _ = try storeAccents()
    #expect(try store.verify().isSound)
  }

  @Test
  func `rows of a migration have both of two such columns`() throws {
    _ = try storeAccents()
    try store.write { database in
      try database.changeRows(of: "Robot") { (row) throws in
        #expect(try row.value("É", as: Int.self) == 7)
        try row.set("é", to: "MARKER-2")
      }
    }
    let robots = try store.read { _ in try Robot<Accents>.fetchAll() }
    #expect(robots.map { $0[text: "é"] } == ["MARKER-2"])
  }

  @Test
  func `an export with two such columns is imported`() throws {
    _ = try storeAccents()
    let lines = try Lines(store, revealing: true)
    let elsewhere = try Scene()
    let other = try elsewhere.open()
    try lines.load(into: other)
    try expectAccents(in: other)
    #expect(try other.verify().isSound)
  }

  @Test
  func `an import finds a table whose name has letters outside of ASCII`() throws {
    enum Named: RobotForm {
      static let parts: [RobotPart] = [.init("name")]
      static let table: String? = "Öl"
    }
    try Robot<Named>.store(in: store)
    let lines = try Lines(store, revealing: true)
    let elsewhere = try Scene()
    let other = try elsewhere.open()
    try other.write { try $0.execute("CREATE TABLE \"Öl\" (a text)") }
    expectError(.badImport, entity: "Robot") { try lines.load(into: other) }
  }

  @Test func `a record has two such columns`() throws {
    let table = Table<Letters>().in(store)
    var letters = Letters()
    letters.upper = "plain"
    letters.lower = "MARKER-1"
    try table.insert(&letters)
    #expect(try table.fetchAll() == [letters])
    #expect(try table.fetch(sql: "SELECT * FROM \"Letters\"") == [letters])
  }

  // MARK: One name to SQLite

  private enum Plain: RobotForm {
    static let parts: [RobotPart] = [
      .init("name", column: .init(isUnique: true)), .init("secret", sealed: .init()),
    ]
  }

  /// Stores a robot, and gives its columns upper case behind the store's back.
  private func storeCapitals() throws -> Robot<Plain> {
    let robot = try Robot<Plain>.store(in: store) { robot in
      robot[text: "name"] = "R2"
      robot[text: "secret"] = "MARKER-1"
    }
    for column in ["name", "secret"] {
      try store.write {
        try $0.execute(
          "ALTER TABLE \"Robot\" RENAME COLUMN \"\(column)\" TO \"\(column.uppercased())\""
        )
      }
    }
    return robot
  }

  @Test(.sqliteOnly("a server tells names apart by the case of their letters"))
  func `an export opens a sealed column whose name has another case in the file`() throws {
    _ = try storeCapitals()
    let lines = try Lines(store, revealing: true)
    #expect(lines.text.contains("MARKER-1"))
    let elsewhere = try Scene()
    for target in [try elsewhere.open(), store] {
      try lines.load(into: target, existing: .replace)
      #expect(try Robot<Plain>.texts("secret", in: target) == ["MARKER-1"])
      #expect(try target.verify().isSound)
    }
  }

  @Test(.sqliteOnly("a server tells names apart by the case of their letters"))
  func `a violated index names the property of a column in another case`() throws {
    _ = try storeCapitals()
    expectError(.constraint, entity: "Robot", property: "name") {
      try Robot<Plain>.store(in: store) { $0[text: "name"] = "R2" }
    }
  }

  @Test(.sqliteOnly("a server tells names apart by the case of their letters"))
  func `the objects of a table in another case are observed`() async throws {
    let robot = try storeCapitals()
    let rename: () throws -> Void = {
      try store.write { database in
        try database.execute("ALTER TABLE \"Robot\" RENAME TO other")
        try database.execute("ALTER TABLE other RENAME TO \"ROBOT\"")
      }
    }
    let change: () throws -> Void = {
      robot[text: "name"] = "C3"
      try store.write { _ in try robot.save() }
    }
    let isSound = { try store.verify().isSound }
    try rename()
    var changes = try await store.changes(of: Robot<Plain>.self).makeAsyncIterator()
    try change()
    #expect(await changes.next()?.updated == [robot.objectID])
    #expect(try Robot<Plain>.texts("name", in: store) == ["C3"])
    #expect(try isSound())
  }

  @Test func `a table that is there in another case is not made again`() throws {
    try store.write { try $0.execute("CREATE TABLE \"ROBOT\" (a text)") }
    expectError(.schemaMismatch, entity: "Robot") { try Robot<Plain>.use(in: store) }
  }

  @Test func `a column is renamed to its own name in another case`() throws {
    enum Renamed: RobotForm {
      static let parts: [RobotPart] = [
        .init("name", column: .init(name: "Name", isUnique: true, renamedFrom: "name")),
        .init("secret", sealed: .init()),
      ]
    }
    _ = try Robot<Plain>.store(in: store) { $0[text: "name"] = "R2" }
    #expect(try Robot<Renamed>.texts("name", in: store) == ["R2"])
    #expect(try scene.columns(of: "Robot") == ["objectID", "Name", "secret"])
    expectError(.constraint, entity: "Robot", property: "name") {
      try Robot<Renamed>.store(in: store) { $0[text: "name"] = "R2" }
    }
    // It is renamed once: who can't write to the catalog can use the class afterwards.
    try store.close()
    let locked = try scene.open(nil)
    #expect(try locked.read { _ in try Robot<Renamed>.count() } == 1)
  }
}
