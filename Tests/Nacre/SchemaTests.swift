import Foundation
import Nacre
import Testing
@testable import TestSupport

/// The tables that entities are kept in.
@Suite(.sqliteOnly("it reads SQLite's own schema; PostgresSchemaTests reads a server's"))
struct SchemaTests {
  let test: TestStore

  init() throws { test = try TestStore() }

  private func query(_ sql: String) throws -> [[Value]] {
    try test.store.read { try $0.query(sql) }
  }

  private func tables() throws -> [String] {
    try query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'nacre%' ORDER BY name"
    ).map { row in
      guard case .text(let name) = row[0] else { return "" }
      return name
    }
  }

  // MARK: - First use

  @Test func `an entity's tables and those that it reaches are made on first use`() throws {
    #expect(try tables() == [])
    let count = try test.store.read { _ in try Sticker.count() }
    #expect(count == 0)
    #expect(try tables() == ["Sticker"])
    try test.store.write { _ in try Car.create().save() }
    #expect(
      try tables() == [
        "Car", "Car_drivers", "Car_stickers", "Car_wheels", "Engine", "Person", "Sticker", "Wheel",
      ]
    )
  }

  @Test(arguments: ["fetch", "cursor", "count", "values", "deleteAll", "raw"])
  func `the first call of a class makes its tables, and raw SQL makes none`(_ call: String) throws {
    try test.store.write { (database) throws in
      switch call {
      case "fetch": #expect(try House.fetchAll().isEmpty)
      case "cursor": #expect(try House.cursor().next() == nil)
      case "count": #expect(try House.count() == 0)
      case "values": #expect(try House.fetchValues(\.address).isEmpty)
      case "deleteAll": #expect(try House.deleteAll(where: "address = ?", "") == 0)
      default:
        // Raw SQL knows no classes.
        #expect(throws: NacreError.self) { try database.query("SELECT * FROM House") }
        return
      }
      #expect(try database.query("SELECT * FROM House").isEmpty)
    }
    #expect(try tables() == (call == "raw" ? [] : ["House", "Room", "Visit"]))
  }

  @Test func `tables that are there are taken as they are`() throws {
    _ = try test.store.read { _ in try Car.count() }
    let before = try query("SELECT sql FROM sqlite_schema ORDER BY name")
    try test.store.close()
    let again = try TestStore(in: test.directory)
    let statements = try again.statements {
      _ = try again.store.read { _ in try Car.count() }
    }
    #expect(statements.allSatisfy { $0.hasPrefix("SELECT") })
    let after = try again.store.read { try $0.query("SELECT sql FROM sqlite_schema ORDER BY name") }
    #expect(after == before)
  }

  // MARK: - Tables

  @Test func `every table of an entity lies under its own key`() throws {
    try test.store.write { _ in
      try V2.Truck.create().save()
      try Account.create().save()
    }
    let rowid = try query(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'nacre%'
      AND sql NOT LIKE '% WITHOUT ROWID'
      """
    )
    #expect(rowid == [])
    let keys = try query("SELECT name, type, \"notnull\" FROM pragma_table_info('Truck') WHERE pk")
    #expect(keys == [["objectID", "BLOB", 1]])
    let ordered = try query(
      "SELECT name FROM pragma_table_info('Truck_crates') WHERE pk ORDER BY pk"
    )
    #expect(ordered == [["owner"], ["position"]])
    let linked = try query(
      "SELECT name FROM pragma_table_info('Truck_loaders') WHERE pk ORDER BY pk"
    )
    #expect(linked == [["owner"], ["child"]])
  }

  @Test func `references are deferred foreign keys`() throws {
    _ = try test.store.read { _ in try V2.Truck.count() }
    func keys(_ table: String) throws -> [[Value]] {
      try query(
        """
        SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list('\(table)')
        ORDER BY "from"
        """
      )
    }
    #expect(
      try keys("Truck") == [
        ["cabin", "Cabin", "objectID", "SET NULL"], ["driver", "Driver", "objectID", "SET NULL"],
      ]
    )
    #expect(
      try keys("Truck_crates") == [
        ["child", "Crate", "objectID", "CASCADE"], ["owner", "Truck", "objectID", "CASCADE"],
      ]
    )
    #expect(try keys("Truck_loaders").count == 2)
    #expect(try keys("Trip") == [["truck", "Truck", "objectID", "SET NULL"]])
    let immediate = try query(
      """
      SELECT name FROM sqlite_schema WHERE sql LIKE '%REFERENCES%'
      AND (length(sql) - length(replace(sql, 'REFERENCES', ''))) / length('REFERENCES')
      <> (length(sql) - length(replace(sql, 'INITIALLY DEFERRED', ''))) / length('INITIALLY DEFERRED')
      """
    )
    #expect(immediate == [])
  }

  @Test func `references, and columns that say so, have an index`() throws {
    try test.store.write { _ in
      _ = try V2.Truck.count()
      _ = try Account.count()
    }
    func indexes(_ table: String) throws -> [[Value]] {
      try query(
        """
        SELECT name, "unique" FROM pragma_index_list('\(table)') WHERE origin = 'c' ORDER BY name
        """
      )
    }
    #expect(
      try indexes("Truck") == [["Truck__cabin", 0], ["Truck__driver", 0], ["Truck__year", 0]]
    )
    #expect(try indexes("Truck_crates") == [["Truck_crates__child", 0]])
    #expect(try indexes("Truck_loaders") == [["Truck_loaders__child", 0]])
    #expect(try indexes("Trip") == [["Trip__truck", 0]])
    #expect(
      try indexes("Account") == [["Account__account_number", 1], ["Account__state", 0]]
    )
  }

  @Test func `a value that is not optional is NOT NULL, and a sealed one is any blob`() throws {
    _ = try test.store.read { _ in try V2.Truck.count() }
    let optional = try query(
      "SELECT name FROM pragma_table_info('Truck') WHERE NOT \"notnull\" ORDER BY name"
    )
    #expect(optional == [["cabin"], ["code"], ["driver"], ["plate"], ["secret"]])
  }

  @Test func `a unique column holds each value once, and any number of nils`() throws {
    let (first, second) = (Account.create(), Account.create())
    try test.store.write { _ in try first.save() }
    let error = #expect(throws: NacreError.self) {
      try test.store.write { _ in try second.save() }
    }
    #expect(error?.code == .constraint)
    #expect(error?.entity == "Account" && error?.property == "number")
    #expect(error?.objectID == second.objectID)
    second.number = 1
    try test.store.write { (_) throws in
      try second.save()
      for _ in 0..<3 { try Drawer.create().save() }
      #expect(try Drawer.fetchAll(\.number, equals: nil).count == 3)
    }
  }

  @Test func `the catalog says what each property is`() throws {
    _ = try test.store.read { _ in try V2.Truck.count() }
    let entities = try query(
      "SELECT name, \"table\", version FROM nacre_entity WHERE name = 'Truck'"
    )
    #expect(entities == [["Truck", "Truck", 1]])
    let rows = try query(
      """
      SELECT name, "column", type, sealed, kind, target, "join", inverse FROM nacre_property
      WHERE entity = 'Truck' AND name IN ('load', 'secret', 'cabin', 'crates', 'driver', 'loaders',
      'trips') ORDER BY name
      """
    )
    #expect(
      rows == [
        ["cabin", "cabin", "BLOB", 0, "child", "Cabin", .null, .null],
        ["crates", .null, "BLOB", 0, "children", "Crate", "Truck_crates", .null],
        ["driver", "driver", "BLOB", 0, "link", "Driver", .null, .null],
        ["load", "load", "REAL", 0, "value", .null, .null, .null],
        ["loaders", .null, "BLOB", 0, "links", "Driver", "Truck_loaders", .null],
        ["secret", "secret", "TEXT", 1, "value", .null, .null, .null],
        ["trips", .null, "BLOB", 0, "children", "Trip", .null, "truck"],
      ]
    )
  }
}
