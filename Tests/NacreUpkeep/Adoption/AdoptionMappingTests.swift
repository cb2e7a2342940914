import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// Mappings that name what is not there, or contradict themselves, and the forms of values.
@Suite struct AdoptionMappingTests {
  // MARK: JSON

  @Test func `a mapping in JSON says all that one in Swift can say`() throws {
    let json = """
      {"namespace": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "tables": [
        {"table": "a", "entity": "A", "key": "k", "keys": "uuid", "only": {"kind": 2}, "properties": {
          "p": "c", "q": {"column": "d", "as": "bool", "default": true}, "r": {"default": "x"},
          "s": {"column": ["e", "f"], "table": "b", "keys": "derived", "position": "i"}}},
        {"table": "b", "record": "B", "properties": {}}],
       "lists": [{"table": "l", "entity": "A", "property": "p", "owner": "o",
         "child": {"column": ["c"], "table": "b", "keys": "uuid"}, "position": "i"}]}
      """
    let mapping = AdoptionMapping(
      tables: [
        AdoptedTable(
          "a",
          entity: "A",
          key: .uuid("k"),
          properties: [
            "p": "c", "q": .column("d", as: .bool, default: true), "r": .constant("x"),
            "s": .reference("e", "f", to: "b", keys: .derived, position: "i"),
          ],
          only: ["kind": 2]
        ),
        AdoptedTable("b", record: "B", properties: [:]),
      ],
      lists: [
        AdoptedList(
          "l",
          entity: "A",
          property: "p",
          owner: .init("o"),
          child: .init("c", table: "b", keys: .uuid),
          position: "i"
        )
      ],
      namespace: UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
    )
    #expect(try AdoptionMapping(json: Data(json.utf8)) == mapping)
  }

  @Test(arguments: [
    "", "null", "[]", "{}", #"{"tables": {}}"#, #"{"tables": [], "list": []}"#,
    #"{"tables": [], "tables": []}"#, #"{"tables": [{}]}"#, #"{"tables": [], "namespace": "x"}"#,
    #"{"tables": [{"table": "a", "properties": {}}]}"#,
    #"{"tables": [{"table": "a", "entity": "A", "record": "A", "properties": {}}]}"#,
    #"{"tables": [{"table": "a", "entity": "A"}]}"#,
    #"{"tables": [{"table": "a", "entity": "A", "keys": "uuid", "properties": {}}]}"#,
    #"{"tables": [{"table": "a", "entity": "A", "key": "k", "keys": "u", "properties": {}}]}"#,
    #"{"tables": [{"table": "a", "entity": "A", "key": [1], "properties": {}}]}"#,
    #"{"tables": [{"table": "a", "entity": "A", "properties": {"p": 1}}]}"#,
    #"{"tables": [{"table": "a", "entity": "A", "properties": {"p": {"as": "date"}}}]}"#,
    #"{"tables": [{"table": "a", "entity": "A", "properties": {"p": {"form": "bool"}}}]}"#,
    #"{"tables": [{"table": "a", "entity": "A", "properties": {}, "only": {"k": []}}]}"#,
    #"{"tables": [], "lists": [{"table": "a", "entity": "A", "property": "p"}]}"#,
  ])
  func `JSON that is no mapping is refused`(json: String) {
    expectError(.badMapping) { _ = try AdoptionMapping(json: Data(json.utf8)) }
  }

  // MARK: Names

  private func refuse(
    _ table: AdoptedTable,
    lists: [AdoptedList] = [],
    property: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let adopted = try Adopted(
      Adopted.people + "CREATE VIEW w AS SELECT 1 AS id; CREATE TABLE wheel (id, car);"
    )
    let before = try adopted.rows()
    expectError(.badMapping, property: property, sourceLocation: sourceLocation) {
      try adopted.adopt(table, lists: lists)
    }
    #expect(try adopted.rows() == before, sourceLocation: sourceLocation)
  }

  private func person(
    _ properties: [String: AdoptedValue] = [:],
    key: AdoptedKey? = .derived("id"),
    only: [String: Value] = [:]
  ) -> AdoptedTable {
    AdoptedTable(
      "person",
      entity: "Person",
      key: key,
      properties: ["code": "code"].merging(properties) { $1 },
      only: only
    )
  }

  @Test func `unknown tables and columns, and views, are refused`() throws {
    for name in ["people", "w", "sqlite_schema", "", "person;"] {
      try refuse(AdoptedTable(name, entity: "Person", key: .derived("id"), properties: [:]))
    }
    try refuse(person(key: .derived("ID2")))
    try refuse(person(key: .derived()))
    try refuse(person(key: AdoptedKey(["id", "code"], form: .uuid)))
    try refuse(person(["name": "nom"]))
    try refuse(person(only: ["kind": 1]))
  }

  @Test func `unknown entities and properties, and values of the wrong type, are refused`() throws {
    for entity in ["Nobody", "person", "nacre_store", ""] {
      try refuse(AdoptedTable("person", entity: entity, key: .derived("id"), properties: [:]))
      try refuse(AdoptedTable("person", record: entity, properties: ["id": "id"]))
    }
    try refuse(AdoptedTable("person", record: "Car_wheels", properties: ["owner": "id"]))
    try refuse(person(["nobody": "name"]), property: "nobody")
    try refuse(person(["age": .column("age", as: .text)]), property: "age")
    try refuse(person(["name": .column("name", as: .uuid), "age": .column("age", as: .base64)]))
    try refuse(person(["age": .column("age", default: "x")]), property: "age")
    try refuse(person(["age": AdoptedValue(columns: [])]), property: "age")
    try refuse(person(["age": AdoptedValue(columns: ["id", "age"])]), property: "age")
    try refuse(person(["age": .reference("id", to: "person")]), property: "age")
  }

  @Test func `a property that needs a value and gets none is refused`() throws {
    let badge = AdoptedTable(
      "person",
      entity: "Badge",
      key: .derived("id"),
      properties: ["label": "name", "serial": "code", "email": "code", "number": "id"]
    )
    try refuse(badge, property: "name")
  }

  @Test func `references and lists that lead nowhere in the mapping are refused`() throws {
    func car(_ value: AdoptedValue, _ property: String = "owner") -> AdoptedTable {
      AdoptedTable("person", entity: "Car", key: .derived("id"), properties: [property: value])
    }
    func list(_ property: String, position: String? = nil, entity: String = "Car") -> AdoptedList {
      AdoptedList(
        "wheel",
        entity: entity,
        property: property,
        owner: .init("car", table: "person", keys: .derived),
        child: .init("id", table: "wheel", keys: .derived),
        position: position
      )
    }
    try refuse(car("id"))
    try refuse(car(.reference("id", to: "other")))
    try refuse(car(.reference("id", "name", to: "person")))
    try refuse(car(.column("id", as: .number)), property: "owner")
    try refuse(car(.reference("id", to: "person", position: "age"), "spare"), property: "spare")
    try refuse(car("id", "wheels"), property: "wheels")
    try refuse(car("id", "drivers"), property: "drivers")
    for name in ["name", "spare", "owner", "nobody"] {
      try refuse(person(), lists: [list(name)], property: name)
    }
    try refuse(person(), lists: [list("drivers", position: "id")], property: "drivers")
    try refuse(person(), lists: [list("wheels", position: "place")])
    try refuse(person(), lists: [list("wheels", entity: "Nobody")])
  }

  @Test func `tables of the store itself take no rows`() throws {
    for name in ["nacre_store", "NACRE_STORE", "sqlite_schema"] {
      try refuse(AdoptedTable("person", record: name, properties: ["name": "code"]))
    }
  }

  @Test func `the table of a DAO with sealed columns takes no rows`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    let foreign = try ForeignDatabase(Adopted.people)
    let tables = [
      AdoptedTable(
        "person",
        entity: DAOScene.entity,
        key: .derived("id"),
        properties: ["body": "name"]
      ),
      AdoptedTable("person", record: "notes", properties: ["plain": "code"]),
    ]
    for table in tables {
      let error = thrown(.badMapping) {
        try store.adopt(foreign.path, by: AdoptionMapping(tables: [table]))
      }
      #expect(error?.description.contains("a DAO with sealed columns") == true)
    }
    try scene.expectWhole(store)
  }

  @Test func `a property that the application's own provider seals is refused`() throws {
    let adopted = try Adopted()
    let hooks = HookProvider(seal: { payload, _ in payload }, open: { stored, _ in stored })
    try adopted.store.install(hooks, for: \Safe.secret)
    let table = AdoptedTable(
      "person",
      entity: "Safe",
      key: .derived("id"),
      properties: ["secret": "name"]
    )
    try adopted.store.write { _ in _ = try Safe.count() }
    let before = try adopted.rows()
    expectError(.badMapping, entity: "Safe", property: "secret") { try adopted.adopt(table) }
    #expect(try adopted.rows() == before)
  }

  // MARK: Forms

  private func expect(
    _ form: AdoptedForm?,
    _ value: Value,
    as type: String,
    _ expected: Value?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let stored = AdoptionCell.stored(value, form, type)
    #expect(stored == expected, sourceLocation: sourceLocation)
  }

  @Test func `numbers, texts and truth values are read as their forms say`() {
    expect(.number, "12", as: "INTEGER", 12)
    expect(.number, "1.5", as: "REAL", 1.5)
    for text: Value in ["x", "0x10", "nan", ""] { expect(.number, text, as: "REAL", nil) }
    expect(.number, "1.5", as: "INTEGER", nil)
    expect(.text, 7, as: "TEXT", "7")
    expect(.text, 1.5, as: "TEXT", "1.5")
    expect(.text, .blob(Data("é".utf8)), as: "TEXT", "é")
    expect(.text, .blob(Data([0xFF])), as: "TEXT", nil)
    for yes: Value in ["YES", "t", 3, "1", 0.5] { expect(.bool, yes, as: "INTEGER", 1) }
    for no: Value in ["No", "f", 0, "0", 0.0] { expect(.bool, no, as: "INTEGER", 0) }
    expect(.bool, "maybe", as: "INTEGER", nil)
    expect(.decimal, 0.1, as: "TEXT", "0.1")
    expect(.decimal, "1e3", as: "TEXT", "1000")
    expect(.decimal, "1,5", as: "TEXT", nil)
    expect(.base64, "AQI=", as: "BLOB", .blob(Data([1, 2])))
    expect(.base64, "AQ\r\nI=\n", as: "BLOB", .blob(Data([1, 2])))
    for other: Value in [5, "no base64!"] { expect(.base64, other, as: "BLOB", nil) }
    expect(.any, "x", as: "BLOB", "x")
  }

  @Test func `a UUID is read from a text and from bytes`() throws {
    let uuid = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
    let bytes = try #require(UUID(uuidString: uuid)).storedValue
    expect(.uuid, .text(uuid), as: "BLOB", bytes)
    expect(.uuid, bytes, as: "TEXT", .text(uuid))
    expect(.uuid, "6BA7B810", as: "BLOB", nil)
  }

  @Test func `dates are read in each of their forms, and stored as the property does`() {
    expect(.secondsSince1970, 1.5, as: "REAL", 1.5)
    expect(.secondsSince1970, -1.5, as: "INTEGER", -2)
    expect(.secondsSince1970, "12", as: "REAL", 12.0)
    expect(.secondsSince1970, 0, as: "TEXT", "1970-01-01T00:00:00.000Z")
    expect(.secondsSince1970, "now", as: "REAL", nil)
    expect(.secondsSince1970, 1e300, as: "INTEGER", nil)
    expect(.secondsSince1970, 1e300, as: "TEXT", nil)
    expect(.millisecondsSince1970, 1500, as: "REAL", 1.5)
    expect(.secondsSince2001, 0, as: "REAL", 978_307_200.0)
    expect(.julianDay, 2_440_587.5, as: "REAL", 0.0)
    expect(.iso8601, "1970-01-02", as: "INTEGER", 86_400)
    expect(.iso8601, "1970-01-01 00:00:01", as: "REAL", 1.0)
    expect(.iso8601, "1970-01-01 01:00:00 +0100", as: "REAL", 0.0)
    expect(.iso8601, "1970-01-01T01:00:00.500+01:00", as: "REAL", 0.5)
    let others: [Value] = [
      "1970-02-30", "yesterday", 5, "1970-01-01T", "1970-01-01 +", "+123456789", "----------",
      "1970-01-01 00:00:00 +1", .blob(Data("1970-01-01".utf8)),
    ]
    for other in others { expect(.iso8601, other, as: "REAL", nil) }
  }

  @Test func `without a form a value has the property's type, and no digit of it is lost`() {
    expect(nil, 1, as: "INTEGER", 1)
    expect(nil, 2.0, as: "INTEGER", 2)
    for other: Value in [2.5, "2", 1e300] { expect(nil, other, as: "INTEGER", nil) }
    expect(nil, 3, as: "REAL", 3.0)
    expect(nil, .integer(.max), as: "REAL", nil)
    expect(nil, "a", as: "TEXT", "a")
    expect(nil, 1, as: "TEXT", nil)
    expect(nil, .blob(Data()), as: "BLOB", .blob(Data()))
    expect(nil, "a", as: "BLOB", nil)
    expect(nil, "a", as: "VARCHAR", "a")
  }
}
