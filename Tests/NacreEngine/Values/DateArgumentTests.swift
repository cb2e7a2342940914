import Foundation
import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

/// Dates that are texts, all but a sealed one.
private final class Bill: Entity {
  var due = Date(timeIntervalSince1970: 0) { didSet { entityState.markChanged(0) } }
  var paid: Date? { didSet { entityState.markChanged(1) } }
  var seen: Date? { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    due = try row.read(dateAs: .iso8601, at: 0)
    paid = try row.read(dateAs: .iso8601, at: 1)
    seen = try row.open(dateAs: .integer, at: 2)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(date: due, as: .iso8601, at: 0)
    try row.bind(date: paid, as: .iso8601, at: 1)
    try row.seal(date: seen, as: .integer, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Bill.self, name: "Bill")
    schema.add("due", \Bill.due, column: ColumnOptions(dates: .iso8601))
    schema.add("paid", \Bill.paid, column: ColumnOptions(dates: .iso8601))
    schema.add("seen", \Bill.seen, column: ColumnOptions(dates: .integer), sealed: SealedOptions())
    return schema.build()
  }()
}

/// Dates that are whole seconds.
private struct Shift: Record, Equatable {
  var id: Int64?
  var begin = IntegerDate(Date(timeIntervalSince1970: 0))
  var end: IntegerDate?

  init() {}

  static let columns: [RecordColumn<Shift>] = [.key(\.id), .column(\.begin), .column(\.end)]
}

/// Dates of two forms.
private struct Tour: Record, Equatable {
  var id: Int64?
  var begin = Date(timeIntervalSince1970: 0)
  var end: ISO8601Date?

  init() {}

  static let columns: [RecordColumn<Tour>] = [.key(\.id), .column(\.begin), .column(\.end)]
}

/// A Date in a condition is bound as the columns hold dates.
@Suite struct DateArgumentTests {
  private let test: TestStore
  /// 2024-11-21T10:04:16.125Z.
  private let date = Date(timeIntervalSince1970: 1_732_183_456.125)

  init() throws { test = try TestStore() }

  private func makeBills() throws {
    try test.store.save(
      (0..<4).map { index in
        let bill = Bill.create()
        bill.due = date + Double(index)
        bill.paid = index < 2 ? date : nil
        bill.seen = date
        return bill
      }
    )
  }

  @Test func `a Date in a condition is written as the entity's columns are`() throws {
    try makeBills()
    func count(_ condition: String, _ argument: any QueryArgument) throws -> Int {
      try Bill.where(condition, argument).in(test.store).count()
    }
    #expect(try count("due = ?", date) == 1)
    #expect(try count("due < ?", date + 1.5) == 2)
    #expect(try count("due > ?", Optional(date)) == 3)
    #expect(try count("paid IS ?", Date?.none) == 2)
    #expect(try count("due IN (?)", [date, date + 2, date + 9]) == 2)
    #expect(try count("due IN (?)", [date, nil, date + 2]) == 2)
    #expect(try count("due IN (?)", Set([date, date + 3])) == 2)
    #expect(try count("due IN (?)", Optional([date + 3])) == 1)
    #expect(try count("due IN (?)", [Date]()) == 0)
    #expect(try count("due = ?", ISO8601Date(date)) == 1)
    #expect(try count("due = ?", "2024-11-21T10:04:16.125Z") == 1)
    expectError(.valueMismatch) { _ = try count("due < ?", Date(timeIntervalSince1970: 1e12)) }
  }

  @Test func `a Date by name is written so, too, at once and asynchronously`() async throws {
    try makeBills()
    let named: NamedArguments = ["from": date + 1, "days": [date + 1, date + 2], "none": nil]
    let bills = Bill.where("due >= :from AND due IN (:days) AND paid IS :none", named)
      .in(test.store)
    func ask() throws -> [Bill] { try bills.ordered(by: "due").fetchAll() }
    #expect(try ask().map(\.due) == [date + 2])
    #expect(try await bills.count() == 1)
    #expect(try await Bill.where("due = ?", date).in(test.store).deleteAll() == 1)
  }

  @Test func `a Date is refused where the columns hold dates in several forms`() throws {
    let (early, late) = (Errand.create(), Errand.create())
    (early.begun, early.due, early.seen) = (date, date, date)
    (late.begun, late.due, late.seen) = (date + 1, date + 1, date + 1)
    try test.store.save([early, late])
    func count(_ condition: String, _ arguments: any QueryArgument) throws -> Int {
      try Errand.where(condition, arguments).in(test.store).count()
    }
    for argument in [date, Optional(date), [date], Set([date])] as [any QueryArgument] {
      expectError(.ambiguousDate, entity: "Errand") { _ = try count("begun IN (?)", argument) }
    }
    expectError(.ambiguousDate, entity: "Errand") {
      _ = try Errand.where("seen > :moment", ["moment": date]).in(test.store).count()
    }
    #expect(try count("begun > ?", RealDate(date)) == 1)
    #expect(try count("due IN (?)", [IntegerDate(date)]) == 1)
    #expect(try count("seen > ?", ISO8601Date(date)) == 1)
    #expect(try count("paid IS ?", Date?.none) == 2)
    #expect(try count("objectID IN (?)", [String]()) == 0)
  }

  @Test func `a record's condition takes a Date as the record's columns are`() async throws {
    let shifts = Table<Shift>().in(test.store)
    var shift = Shift()
    shift.begin = IntegerDate(date)
    try await shifts.insert(&shift)
    func find() throws -> [Shift] { try shifts.where("begin = ?", date + 0.25).fetchAll() }
    #expect(try find().count == 1)
    func count() throws -> Int { try shifts.where("begin IN (?)", [date, date + 1]).count() }
    #expect(try count() == 1)
    #expect(try await shifts.where("begin = ?", date).fetchOne() != nil)
    #expect(try await shifts.where("begin < ?", date + 1).count() == 1)
    let end = RecordAssignment<Shift>.set(\.end, to: IntegerDate(date + 1))
    #expect(try await shifts.where("begin = ?", date).updateAll(end) == 1)
    #expect(try await shifts.where("\"end\" = ?", date + 1).deleteAll() == 1)
  }

  @Test func `a Date is refused where a record's columns hold dates in several forms`() throws {
    let tours = Table<Tour>().in(test.store)
    expectError(.ambiguousDate, entity: "Tour") {
      _ = try tours.where("begin = ?", date).fetchOne()
    }
    var tour = Tour()
    (tour.begin, tour.end) = (date, ISO8601Date(date + 1))
    try tours.insert(&tour)
    let found = tours.where("begin = ? AND \"end\" = ?", RealDate(date), ISO8601Date(date + 1))
    #expect(try found.fetchAll() == [tour])
  }
}
