import Foundation
import NacreCore
import NacreUpkeep
@testable import TestSupport
import Testing

/// Tables that are described, and changed by name, with what the catalog says of them.
@Suite struct SchemaChangeTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private enum Plain: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(isUnique: true)),
        .init("power", .number, preset: "7", column: .init(isIndexed: true)),
        .init("secret", .optionalText, sealed: .init(isSearchable: true)),
      ]
    }
  }

  private func names(_ store: Store) throws -> [String] { try store.schema().map(\.name) }

  private func indexes(_ store: Store) throws -> [String] {
    try store.schema().flatMap(\.indexes).map(\.description)
  }

  /// The tables as a file's schema describes them, and as a server's does.
  private static let described = [
    TestPlace.sql(
      """
      Robot
        objectID BLOB NOT NULL DEFAULT randomblob(16) PRIMARY KEY (1)
        name TEXT NOT NULL DEFAULT ''
        power INTEGER NOT NULL DEFAULT 7
        secret BLOB
        secret__index BLOB
        unique index Robot__name (name)
        index Robot__power (power)
        index Robot__secret__index (secret__index)
      """,
      onServer: """
        Robot
          objectID BLOB NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY (1)
          name TEXT NOT NULL DEFAULT ''::text
          power INTEGER NOT NULL DEFAULT 7
          secret BLOB
          secret__index BLOB
          unique index Robot__name (name)
          index Robot__power (power)
          index Robot__secret__index (secret__index)
        """
    ),
    TestPlace.sql(
      """
      counted
        id INTEGER PRIMARY KEY (1)
        n REAL
        index odd (an expression, id)
      """,
      onServer: """
        counted
          id INTEGER NOT NULL DEFAULT nextval('counted_id_seq'::regclass) PRIMARY KEY (1)
          n REAL
          index odd (an expression, id)
        """
    ),
    TestPlace.sql(
      """
      pair
        a TEXT NOT NULL PRIMARY KEY (2)
        b DEFAULT 'x' PRIMARY KEY (1)
      """,
      onServer: """
        pair
          a TEXT NOT NULL PRIMARY KEY (2)
          b TEXT NOT NULL DEFAULT 'x'::text PRIMARY KEY (1)
        """
    ),
  ]

  @Test func `a schema names tables, columns with type, default and key, and indexes`() throws {
    let store = try scene.open()
    try Robot<Plain>.use(in: store)
    try store.write { database in
      try database.execute(
        TestPlace.sql(
          """
          CREATE TABLE pair (a TEXT NOT NULL, b DEFAULT 'x', PRIMARY KEY (b, a));
          CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, n REAL);
          """,
          onServer: """
            CREATE TABLE pair (a text NOT NULL, b text DEFAULT 'x', PRIMARY KEY (b, a));
            CREATE TABLE counted (id bigserial PRIMARY KEY, n double precision);
            """
        ) + "CREATE INDEX odd ON counted (abs(n), id)"
      )
    }
    let tables = try store.schema()
    #expect(tables.map(\.description) == Self.described)
    #expect(tables[0].columns[2].defaultValue == "7" && tables[0].columns[2].isNotNull)
    let all = try store.schema(includesOwnTables: true).map(\.name)
    #expect(all.contains("nacre_store"))
    #expect(all.contains("sqlite_sequence") == !TestPlace.isOnServer)
  }

  @Test func `an index is made by name, over several columns, once, and dropped`() throws {
    let store = try scene.open()
    try Robot<Plain>.store(in: store) { $0[text: "name"] = "a" }
    try store.write { database in
      for _ in 0..<2 { try database.createIndex(on: "Robot", columns: ["power", "name"]) }
      try database.createIndex(on: "Robot", columns: ["power"], unique: true, name: "once")
      expectError(.sealedCondition) {
        try database.createIndex(on: "Robot", columns: ["secret"])
      }
      expectError(.badStatement) { try database.createIndex(on: "Robot", columns: ["none"]) }
    }
    #expect(try indexes(store).contains("index Robot_by_power_name (power, name)"))
    #expect(try indexes(store).contains("unique index once (power)"))
    expectError(.constraint) { try Robot<Plain>.store(in: store) { $0[text: "name"] = "b" } }
    try store.write { database in
      for _ in 0..<2 { try database.dropIndex("once") }
      try database.dropIndex("Robot_by_power_name")
    }
    try Robot<Plain>.store(in: store) { $0[text: "name"] = "b" }
    #expect(try indexes(store).count == 3)
    try store.write { database in
      expectError(.constraint) {
        try database.createIndex(on: "Robot", columns: ["power"], unique: true)
      }
    }
  }

  @Test(.sqliteOnly("a server drops no table whose rows the same transaction has just inserted"))
  func `dropping an entity's table drops what leads to it, and a class makes it anew`() throws {
    let store = try scene.open()
    let car = Car.create()
    (car.spare, car.wheels) = (Wheel.create(), [Wheel.create()])
    car.owner = Link(Person.create())
    try scene.save(car, in: store)
    try store.write { try $0.dropTable("Wheel") }
    #expect(try !names(store).contains("Wheel") && !names(store).contains("Car_wheels"))
    #expect(try scene.columns(of: "Car") == ["objectID", "name", "vin", "owner"])
    #expect(try store.verify().isSound)
    try store.write { database in
      try database.execute("INSERT INTO \"Car\" (\"objectID\", name) VALUES (?, 'raw')", UUID())
      for _ in 0..<2 { try database.dropTable("Car") }
    }
    #expect(try names(store) == ["Person"])
    #expect(try store.inspect().entities.map(\.name) == ["Person"])
    try scene.save(Car.create(), in: store)
    #expect(try store.read { _ in try Car.fetchAll().count } == 1)
    try store.write { database in
      expectError(.badStatement) { try database.dropTable("nacre_key") }
    }
  }

  @Test func `a table is dropped in a step`() throws {
    let old = try scene.open()
    try Robot<Plain>.store(in: old)
    try old.write { try $0.execute("CREATE TABLE other (a text)") }
    try old.close()
    let store = try scene.open { options in
      options.migrator = Migrator(
        .init("1") { database in
          try database.dropTable("Robot")
          try database.dropTable("other")
          try database.dropTable("none")
        }
      )
    }
    #expect(try names(store) == [])
    #expect(try scene.edit("SELECT * FROM nacre_entity") == [])
    #expect(try scene.edit("SELECT * FROM nacre_property") == [])
    try Robot<Plain>.store(in: store)
  }

  private enum Lettered: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(isUnique: true)),
        .init("power", column: .init(isIndexed: true)),
        .init("secret", .optionalText, sealed: .init(isSearchable: true)),
      ]
    }
  }

  @Test func `a step gives a property another type`() throws {
    let old = try scene.open()
    try Robot<Plain>.store(in: old) { $0[number: "power"] = 90 }
    try old.close()
    let store = try scene.open { options in
      options.migrator = Migrator(
        .init("1") { database in
          try database.changeType(
            of: "power",
            in: "Robot",
            to: .text,
            using: "power || ' hp'"
          )
          expectError(.schemaMismatch, entity: "Robot", property: "secret") {
            try database.changeType(of: "secret", in: "Robot", to: .text, using: "''")
          }
        }
      )
    }
    #expect(try Robot<Lettered>.texts("power", in: store) == ["90 hp"])
    #expect(try indexes(store).contains("index Robot__power (power)"))
    expectError(.schemaMismatch, entity: "Robot", property: "power") {
      try Robot<Plain>.use(in: store)
    }
    #expect(try store.migrationPlan(Robot<Lettered>.self).isEmpty)
  }

  private enum Renamed: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(isUnique: true)),
        .init("force", .number, preset: "7", column: .init(isIndexed: true)),
        .init("plate", .optionalText, sealed: .init(isSearchable: true)),
      ]
    }
  }

  @Test
  func `a step renames columns with their properties, sealed ones, too`() throws {
    let old = try scene.open()
    try Robot<Plain>.store(in: old) { robot in
      robot[number: "power"] = 90
      robot[optionalText: "secret"] = "MARKER-1"
    }
    try old.close()
    let store = try scene.open { options in
      options.migrator = Migrator(
        .init("1") { database in
          try database.renameColumn("power", of: "Robot", to: "force")
          try database.renameColumn("secret", of: "Robot", to: "plate")
        }
      )
    }
    #expect(try store.migrationPlan(Robot<Renamed>.self).isEmpty)
    try store.read { (_) throws in
      let found = try Robot<Renamed>.fetchAll(\.[optionalText: "plate"], equals: "MARKER-1")
      #expect(found.map { $0[number: "force"] } == [90])
    }
    #expect(try indexes(store).contains("index Robot__force (force)"))
    #expect(try store.verify().isSound)
  }

  @Test func `tables without a class are changed by name`() throws {
    let store = try scene.open()
    try store.write { (database) throws in
      try database.execute("CREATE TABLE t (a text)")
      try database.addColumn("b", to: "t", type: .integer, isNotNull: true, default: 5)
      try database.renameColumn("a", of: "t", to: "c")
      try database.execute("INSERT INTO t (c) VALUES ('x')")
      try database.createIndex(on: "t", columns: ["c", "b"])
      try database.dropColumn("c", of: "t")
      #expect(try database.query("SELECT * FROM t") == [[5]])
    }
    #expect(try store.schema().map(\.description) == ["t\n  b INTEGER NOT NULL DEFAULT 5"])
  }

  private struct Refusal: Error {}

  @Test
  func `changes of tables are taken back with their transaction`() throws {
    let store = try scene.open()
    try Robot<Plain>.store(in: store) { $0[optionalText: "secret"] = "MARKER-1" }
    let before = try scene.edit("SELECT * FROM \"Robot\", nacre_property")
    #expect(throws: Refusal.self) {
      try store.write { (database) throws in
        try database.renameColumn("secret", of: "Robot", to: "plate")
        try database.dropColumn("power", of: "Robot")
        #expect(try Robot<Lettered>.fetchAll().map { $0[text: "power"] } == [""])
        throw Refusal()
      }
    }
    #expect(try scene.edit("SELECT * FROM \"Robot\", nacre_property") == before)
    try store.read { (_) throws in
      #expect(try Robot<Plain>.fetchAll().map { $0[number: "power"] } == [7])
      expectError(.sealedCondition) { _ = try Robot<Plain>.fetchAll(where: "secret = 'x'") }
    }
    try store.write { (database) throws in
      try database.dropColumn("power", of: "Robot")
      #expect(try Robot<Plain>.fetchAll().map { $0[number: "power"] } == [7])
    }
  }
}
