import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Dates in each form, plain and sealed; what `@Column(dates:)` makes.
final class Errand: Entity {
  var begun = Date(timeIntervalSince1970: 0) { didSet { entityState.markChanged(0) } }
  var due = Date(timeIntervalSince1970: 0) { didSet { entityState.markChanged(1) } }
  var done: Date? { didSet { entityState.markChanged(2) } }
  var seen = Date(timeIntervalSince1970: 0) { didSet { entityState.markChanged(3) } }
  var paid: Date? { didSet { entityState.markChanged(4) } }
  var born = Date(timeIntervalSince1970: 0) { didSet { entityState.markChanged(5) } }
  var died: Date? { didSet { entityState.markChanged(6) } }
  var plain: Date? { didSet { entityState.markChanged(7) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    begun = try row.read(dateAs: .real, at: 0)
    due = try row.read(dateAs: .integer, at: 1)
    done = try row.read(dateAs: .integer, at: 2)
    seen = try row.read(dateAs: .iso8601, at: 3)
    paid = try row.read(dateAs: .iso8601, at: 4)
    born = try row.open(dateAs: .integer, at: 5)
    died = try row.open(dateAs: .iso8601, at: 6)
    plain = try row.read(dateAs: .real, at: 7)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(date: begun, as: .real, at: 0)
    try row.bind(date: due, as: .integer, at: 1)
    try row.bind(date: done, as: .integer, at: 2)
    try row.bind(date: seen, as: .iso8601, at: 3)
    try row.bind(date: paid, as: .iso8601, at: 4)
    try row.seal(date: born, as: .integer, at: 5)
    try row.seal(date: died, as: .iso8601, at: 6)
    try row.bind(date: plain, as: .real, at: 7)
  }

  func visitChildren(_ walk: GraphWalk) { walk.visit(begun, at: 0) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Errand.self, name: "Errand")
    schema.add("begun", \Errand.begun)
    schema.add("due", \Errand.due, column: ColumnOptions(dates: .integer))
    schema.add("done", \Errand.done, column: ColumnOptions(dates: .integer))
    schema.add("seen", \Errand.seen, column: ColumnOptions(dates: .iso8601))
    schema.add("paid", \Errand.paid, column: ColumnOptions(dates: .iso8601))
    let searchable = SealedOptions(isSearchable: true)
    schema.add("born", \Errand.born, column: ColumnOptions(dates: .integer), sealed: searchable)
    schema.add("died", \Errand.died, column: ColumnOptions(dates: .iso8601), sealed: searchable)
    schema.add("plain", \Errand.plain, column: ColumnOptions(dates: .real))
    return schema.build()
  }()

  /// A later version, whose `due` is a REAL.
  final class Later: Entity {
    var due = Date(timeIntervalSince1970: 0) { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      due = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(due, at: 0) }
    func visitChildren(_ walk: GraphWalk) {}
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Later.self, name: "Errand")
      schema.add("due", \Later.due)
      return schema.build()
    }()
  }
}

@Suite struct DateFormTests {
  let test: TestStore
  /// 2024-11-21T10:04:16.125Z.
  private let date = Date(timeIntervalSince1970: 1_732_183_456.125)
  private let wholeDate = Date(timeIntervalSince1970: 1_732_183_456)

  init() throws { test = try TestStore() }

  private func makeErrand(_ date: Date) -> Errand {
    let errand = Errand.create()
    (errand.begun, errand.due, errand.done, errand.seen) = (date, date, date, date)
    (errand.paid, errand.born, errand.died, errand.plain) = (date, date, date, date)
    return errand
  }

  @Test func `a date is stored as seconds, whole seconds or a text, as its column says`() throws {
    let errand = makeErrand(date)
    try test.store.write { (database) throws in
      try errand.save()
      let row = try database.query(
        "SELECT begun, due, done, seen, paid, typeof(born), typeof(died), plain FROM Errand"
      )
      let text: Value = "2024-11-21T10:04:16.125Z"
      let real: Value = 1_732_183_456.125
      #expect(row == [[real, 1_732_183_456, 1_732_183_456, text, text, "blob", "blob", real]])
      let types = try database.query("SELECT name, type FROM pragma_table_info('Errand')")
      let typeByName = Dictionary(uniqueKeysWithValues: types.map { ($0[0], $0[1]) })
      #expect(typeByName["begun"] == "REAL" && typeByName["plain"] == "REAL")
      #expect(typeByName["due"] == "INTEGER" && typeByName["seen"] == "TEXT")
    }
    let found = try #require(try test.store.read { _ in try Errand.fetchOne() })
    #expect(found.begun == date && found.plain == date && found.seen == date)
    #expect(found.paid == date && found.died == date)
    #expect(found.due == wholeDate && found.done == wholeDate && found.born == wholeDate)
  }

  @Test func `no date is NULL in every form`() throws {
    let errand = Errand.create()
    try test.store.write { (database) throws in
      try errand.save()
      #expect(
        try database.query("SELECT done, paid, died, plain FROM Errand") == [
          [.null, .null, .null, .null]
        ]
      )
    }
    let found = try #require(try test.store.read { _ in try Errand.fetchOne() })
    #expect(found.done == nil && found.paid == nil && found.died == nil && found.plain == nil)
    #expect(found.seen == Date(timeIntervalSince1970: 0))
  }

  @Test func `dates of every form are found by value and compared by less and greater`() throws {
    let (early, late) = (makeErrand(date), makeErrand(date + 1))
    try test.store.write { _ in
      try early.save()
      try late.save()
    }
    let between = date + 0.5
    try test.store.read { (_) throws in
      func find(_ condition: String, _ argument: any StorableValue) throws -> [UUID] {
        try Errand.fetchAll(where: condition, argument).map(\.objectID)
      }
      #expect(try find("begun < ?", RealDate(between)) == [early.objectID])
      #expect(try find("due < ?", RealDate(between)) == [early.objectID])
      #expect(try find("due = ?", IntegerDate(between)) == [early.objectID])
      #expect(try find("seen > ?", ISO8601Date(between)) == [late.objectID])
      #expect(try find("paid <= ?", ISO8601Date(date)) == [early.objectID])
      #expect(try Errand.fetchAll(\.due, equals: date).map(\.objectID) == [early.objectID])
      #expect(try Errand.fetchAll(\.seen, equals: date).map(\.objectID) == [early.objectID])
      #expect(try Errand.fetchAll(\.born, equals: date).map(\.objectID) == [early.objectID])
      #expect(try Errand.fetchAll(\.died, equals: date).map(\.objectID) == [early.objectID])
      let values = try Errand.fetchValues(\.due, orderBy: "due")
      #expect(values == [wholeDate, wholeDate + 1])
      let texts = try Errand.fetchValues(\.paid, orderBy: "paid DESC")
      #expect(texts == [date + 1, date])
    }
  }

  @Test func `a date that does not fit its form is an error that names the property`() throws {
    let errand = makeErrand(date)
    try test.store.write { _ in try errand.save() }
    for (column, misfit) in [
      ("due", "'2024-11-21'"), ("due", "1.5"), ("due", "9223372036854775807"), ("seen", "x'00'"),
      ("seen", "'2024-11-21'"), ("paid", "'2024-13-01T00:00:00Z'"), ("begun", "'now'"),
    ] {
      struct Stop: Error {}
      let write = {
        try test.store.write { (database) throws in
          try database.execute("UPDATE Errand SET \(column) = \(misfit)")
          expectError(
            .valueMismatch,
            entity: "Errand",
            property: column,
            objectID: errand.objectID
          ) { _ = try Errand.fetchAll() }
          throw Stop()
        }
      }
      #expect(throws: Stop.self) { try write() }
    }
    errand.due = Date(timeIntervalSince1970: 1e300)
    expectError(.valueMismatch, entity: "Errand", property: "due", objectID: errand.objectID) {
      try test.store.write { _ in try errand.save() }
    }
    errand.due = date
    errand.seen = Date(timeIntervalSince1970: 253_402_300_800)
    expectError(.valueMismatch, entity: "Errand", property: "seen", objectID: errand.objectID) {
      try test.store.write { _ in try errand.save() }
    }
    errand.seen = date
    errand.died = Date(timeIntervalSince1970: .nan)
    expectError(.valueMismatch, entity: "Errand", property: "died", objectID: errand.objectID) {
      try test.store.write { _ in try errand.save() }
    }
  }

  @Test func `a column's form is not changed behind its rows' back`() throws {
    try test.store.write { _ in try makeErrand(date).save() }
    try test.store.read { _ in
      expectError(.schemaMismatch, entity: "Errand", property: "due") {
        _ = try Errand.Later.fetchAll()
      }
    }
  }

  // MARK: - Bounds and texts

  @Test func `whole seconds are rounded down, before 1970, too`() throws {
    func stored(_ seconds: Double) throws -> Value {
      try IntegerDate(Date(timeIntervalSince1970: seconds)).storedValue
    }
    #expect(try stored(1.999) == 1 && stored(-0.001) == -1 && stored(-1) == -1)
    for seconds in [1e19, -1e300, .nan, .infinity] {
      #expect(throws: ValueError.outOfRange(type: "Date")) { _ = try stored(seconds) }
    }
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00.000Z", 0.0), ("2000-02-29T23:59:59.999Z", 951_868_799.999),
    ("1969-12-31T23:59:59.999Z", -0.001), ("0000-01-01T00:00:00.000Z", -62_167_219_200),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799.999),
    ("1900-03-01T00:00:00.000Z", -2_203_891_200),
    ("2024-02-29T00:00:00.000Z", 1_709_164_800),
    ("2038-01-19T03:14:08.000Z", 2_147_483_648),
  ])
  func `a text and its date come out of each other exactly`(_ text: String, _ seconds: Double)
    throws
  {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(try ISO8601Date(date).text == text)
    #expect(try ISO8601Date(text).date == date)
  }

  @Test func `every day of the calendar is the one that Foundation counts`() throws {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    // From 1583, for before the calendar was made Foundation counts by the Julian one.
    for day in stride(from: -141_000.0, to: 2_900_000, by: 997) {
      let date = Date(timeIntervalSince1970: day * 86_400 + day.truncatingRemainder(dividingBy: 7))
      #expect(try ISO8601Date(date).text == formatter.string(from: date))
    }
  }

  @Test(arguments: [
    ("2024-11-21T10:04:16Z", 1_732_183_456.0), ("2024-11-21T11:34:16+01:30", 1_732_183_456),
    ("2024-11-21t05:04:16.5-05:00", 1_732_183_456.5),
    ("2024-11-21T10:04:16,125z", 1_732_183_456.125),
    ("2024-11-21T10:04:16.125000000Z", 1_732_183_456.125),
  ])
  func `other texts of the standard are read as well`(_ text: String, _ seconds: Double) throws {
    #expect(try ISO8601Date(text).date == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", "2024-11-21", "2024-11-21T10:04:16", "2024-11-21 10:04:16Z", "2024-11-21T10:04Z",
    "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-00-01T00:00:00Z", "2024-11-31T00:00:00Z",
    "2024-11-00T00:00:00Z", "2024-11-21T24:00:00Z", "2024-11-21T10:60:00Z", "2024-11-21T10:04:60Z",
    "2024-11-21T10:04:16.Z", "2024-11-21T10:04:16.1234567890Z", "2024-11-21T10:04:16Zx",
    "2024-11-21T10:04:16+0100", "2024-11-21T10:04:16+24:00", "+024-11-21T10:04:16Z", "now",
    " 2024-11-21T10:04:16Z", "２024-11-21T10:04:16Z",
  ])
  func `a text that is no time is malformed`(_ text: String) {
    #expect(throws: ValueError.malformed(type: "Date")) { _ = try ISO8601Date(text) }
  }
}
