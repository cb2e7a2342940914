import Foundation
import Synchronization
import Testing
@testable import TestSupport

@testable import NacreCore

/// Properties that are stored as JSON.
final class Dossier: Entity {
  struct Note: Codable, Equatable {
    var when = Date(timeIntervalSince1970: 1_732_183_456.125)
    var bytes = Data([0, 255])
    var link = "a/b"
  }

  var list: [JSONValue] = [] { didSet { entityState.markChanged(0) } }
  var table: [String: JSONValue] = [:] { didSet { entityState.markChanged(1) } }
  var anything: JSONValue = .null { didSet { entityState.markChanged(2) } }
  var maybe: JSONValue? { didSet { entityState.markChanged(3) } }
  var note = Note() { didSet { entityState.markChanged(4) } }
  var secret: [String: JSONValue]? { didSet { entityState.markChanged(5) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    list = try row.read(at: 0)
    table = try row.read(at: 1)
    anything = try row.read(at: 2)
    maybe = try row.read(at: 3)
    note = try row.read(at: 4)
    secret = try row.open(at: 5)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(list, at: 0)
    try row.bind(table, at: 1)
    try row.bind(anything, at: 2)
    try row.bind(maybe, at: 3)
    try row.bind(note, at: 4)
    try row.seal(secret, at: 5)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Dossier.self, name: "Dossier")
    schema.add("list", \Dossier.list)
    schema.add("table", \Dossier.table)
    schema.add("anything", \Dossier.anything)
    schema.add("maybe", \Dossier.maybe)
    schema.add("note", \Dossier.note)
    schema.add("secret", \Dossier.secret, sealed: SealedOptions())
    return schema.build()
  }()
}

@Suite struct JSONStoredTests {
  private func makeStore(_ change: (inout JSONOptions) -> Void = { _ in }) throws -> TestStore {
    try TestStore { change(&$0.json) }
  }

  private func makeDossier() -> Dossier {
    let dossier = Dossier.create()
    dossier.list = [1, "two", .null, [3.5]]
    dossier.table = ["z": true, "a": ["b": "c/d"]]
    dossier.secret = ["pin": 1234]
    return dossier
  }

  /// The texts of the columns.
  private func columns(_ test: TestStore) throws -> [String: Value] {
    try test.store.read { database in
      let names = ["list", "table", "anything", "maybe", "note"]
      let row = try database.query(
        "SELECT \(names.map { "\"\($0)\"" }.joined(separator: ", ")) FROM Dossier"
      )
      return Dictionary(uniqueKeysWithValues: zip(names, try #require(row.first)))
    }
  }

  @Test func `arrays and dictionaries of JSON values are text, plain and sealed`() throws {
    let test = try makeStore()
    let dossier = makeDossier()
    try test.store.write { _ in try dossier.save() }
    let stored = try columns(test)
    #expect(stored["list"] == "[1,\"two\",null,[3.5]]")
    #expect(stored["table"] == "{\"a\":{\"b\":\"c/d\"},\"z\":true}")
    let found = try #require(try test.store.read { _ in try Dossier.fetchOne() })
    #expect(found.list == dossier.list && found.table == dossier.table)
    #expect(found.secret == ["pin": 1234])
  }

  @Test func `JSON's null is a text and nil is NULL`() throws {
    let test = try makeStore()
    try test.store.write { _ in try makeDossier().save() }
    let stored = try columns(test)
    #expect(stored["anything"] == "null" && stored["maybe"] == .null)
    try test.store.write { (_) throws in
      let dossier = try #require(try Dossier.fetchOne())
      #expect(dossier.anything == .null && dossier.maybe == nil)
      dossier.maybe = .some(.null)
      try dossier.save()
      let again = try #require(try Dossier.fetchOne())
      #expect(again.maybe == .some(.null))
    }
  }

  // MARK: - The store's options

  @Test func `the writing options of the store are used`() throws {
    let test = try makeStore { $0.writing = [.prettyPrinted, .sortedKeys] }
    let dossier = makeDossier()
    try test.store.write { _ in try dossier.save() }
    let stored = try columns(test)
    guard case .text(let text)? = stored["table"] else {
      Issue.record("no text")
      return
    }
    #expect(text.contains("\n") && text.contains("c\\/d"))
    try test.store.read { (_) throws in
      #expect(try Dossier.fetchOne()?.table == dossier.table)
      #expect(try Dossier.fetchAll(\.table, equals: dossier.table).count == 1)
    }
  }

  @Test func `the reading options of the store are used`() throws {
    func fetch(_ column: String, _ text: String, _ change: (inout JSONOptions) -> Void) throws
      -> Dossier?
    {
      let test = try makeStore(change)
      return try test.store.write { database in
        try makeDossier().save()
        try database.execute("UPDATE Dossier SET \"\(column)\" = ?", text)
        return try Dossier.fetchOne()
      }
    }
    let json5 = "{a: 0x10, /* why */ 'b': [1, 2,],}"
    expectError(.valueMismatch, entity: "Dossier", property: "table") {
      _ = try fetch("table", json5) { _ in }
    }
    let lenient = try fetch("table", json5) { $0.allowsJSON5 = true }
    #expect(lenient?.table == ["a": 16, "b": [1, 2]])
  }

  @Test(arguments: [
    (JSONOptions.Dates.secondsSince2001, "753876256.125"), (.secondsSince1970, "1732183456.125"),
    (.millisecondsSince1970, "1732183456125"), (.iso8601, "\"2024-11-21T10:04:16.125Z\""),
  ])
  func `dates inside JSON have the form that the store asks for`(
    _ dates: JSONOptions.Dates,
    _ text: String
  ) throws {
    let test = try makeStore { $0.dates = dates }
    let dossier = makeDossier()
    try test.store.write { _ in try dossier.save() }
    let stored = try columns(test)
    #expect(stored["note"] == .text("{\"bytes\":\"AP8=\",\"link\":\"a/b\",\"when\":\(text)}"))
    try test.store.read { (_) throws in
      #expect(try Dossier.fetchOne()?.note == dossier.note)
      let notes = try Dossier.fetchValues(\.note)
      #expect(notes == [dossier.note])
    }
  }

  @Test func `bytes inside JSON have the form that the store asks for`() throws {
    let test = try makeStore { $0.data = .numbers }
    let dossier = makeDossier()
    try test.store.write { _ in try dossier.save() }
    let stored = try columns(test)
    #expect(stored["note"] == "{\"bytes\":[0,255],\"link\":\"a/b\",\"when\":753876256.125}")
    let found = try test.store.read { _ in try Dossier.fetchOne() }
    #expect(found?.note == dossier.note)
  }

  @Test func `a cursor of its own and two stores at once each read by their store's options`()
    throws
  {
    let (plain, text) = (try makeStore(), try makeStore { $0.dates = .iso8601 })
    let (first, second) = (makeDossier(), makeDossier())
    try plain.store.write { _ in
      try first.save()
      try text.store.write { _ in try second.save() }
      // Of this store again, after the other's transaction.
      try first.save()
    }
    for test in [plain, text] {
      let cursor = try Dossier.in(test.store).cursor()
      #expect(try cursor.next()?.note == first.note)
      #expect(try cursor.next() == nil)
    }
  }

  // MARK: - JSON values

  @Test func `a JSON value is written as literals and asked by name and index`() {
    var value: JSONValue = ["name": "Ada", "marks": [1, 2.5, .null], "old": false]
    #expect(value["name"] == "Ada" && value["marks"]?[1] == 2.5 && value["marks"]?[2] == .null)
    #expect(value["nonesuch"] == nil && value["marks"]?[3] == nil && value["name"]?[0] == nil)
    #expect(value["marks"]?[-1] == nil && value[0] == nil && JSONValue.null["a"] == nil)
    value["old"] = nil
    value["new"] = true
    #expect(value == ["name": "Ada", "marks": [1, 2.5, .null], "new": true])
    var text: JSONValue = "text"
    text["a"] = 1
    #expect(text == "text")
  }

  @Test func `a number is one however it is written, and not a Bool or a text`() {
    #expect(JSONValue.integer(2) == .number(2) && JSONValue.number(2) == .integer(2))
    #expect(Set<JSONValue>([.integer(2), .number(2), .number(2.5)]).count == 2)
    #expect(JSONValue.integer(1) != .bool(true) && JSONValue.integer(1) != .string("1"))
    // A Double has no Int64.max: the nearest is one above it.
    #expect(JSONValue.integer(.max) != .number(9_223_372_036_854_775_808))
    #expect(JSONValue.null != [:] && JSONValue.array([]) != .object([:]))
  }

  @Test func `a number of more than 64 bits is the nearest Double, and a NaN is refused`() throws {
    let large = try JSONValue(storedValue: "18446744073709551615")
    #expect(large == .number(18_446_744_073_709_551_616))
    let test = try makeStore()
    let dossier = makeDossier()
    dossier.list = [.number(.nan)]
    expectError(.valueMismatch, entity: "Dossier", property: "list", objectID: dossier.objectID) {
      try test.store.write { _ in try dossier.save() }
    }
    dossier.list = []
    dossier.anything = .number(.infinity)
    expectError(.valueMismatch, entity: "Dossier", property: "anything") {
      try test.store.write { _ in try dossier.save() }
    }
  }

  @Test(arguments: ["", "{", "[1", "nul", "{\"a\":1}x", "'a'", "\u{1}"])
  func `a text that is no JSON is malformed`(_ text: String) throws {
    // Whatever the default store of the process allows.
    let test = try makeStore()
    try test.store.read { (_) throws in
      _ = #expect(throws: ValueError.malformed(type: "JSONValue")) {
        _ = try JSONValue(storedValue: .text(text))
      }
    }
  }

  @Test func `an array and a dictionary are arguments of a statement, as JSON texts`() throws {
    let test = try makeStore()
    let list: JSONValue = [1, "two", .null]
    let table: JSONValue = ["a": ["b": 2.5]]
    try test.store.write { database in
      try database.execute("CREATE TABLE report (list TEXT, details TEXT)")
      try database.execute("INSERT INTO report VALUES (?, ?)", list, table)
    }
    let rows = try test.store.read { database in
      try database.query("SELECT list, details, typeof(list) FROM report")
    }
    #expect(rows == [["[1,\"two\",null]", "{\"a\":{\"b\":2.5}}", "text"]])
  }
}
