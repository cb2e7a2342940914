import Foundation
import Nacre
import Testing
@testable import TestSupport

/// Which objects a fetch brings, and in which order.
@Suite struct QueryTests {
  let test: TestStore
  let sales: [Sale]

  init() throws {
    test = try TestStore()
    sales = try Sale.store(in: test.store)
  }

  private func read<T>(_ body: () throws -> T) throws -> T {
    try test.store.read { _ in try body() }
  }

  // MARK: - One

  @Test func `fetchOne gives the first of the order, or nil`() throws {
    try test.store.read { (_) throws in
      #expect(try Sale.fetchOne() != nil)
      #expect(try Sale.fetchOne(where: "number > ?", 3, orderBy: "number")?.number == 4)
      #expect(try Sale.fetchOne(where: "number > ?", 3, orderBy: "number DESC")?.number == 24)
      #expect(try Sale.fetchOne(where: "number > ?", 24) == nil)
      #expect(try Sticker.fetchOne() == nil)
      #expect(try Sale.fetch(id: UUID()) == nil)
    }
  }

  @Test func `fetchOne reads one row`() throws {
    let fetch = { _ = try read { try Sale.fetchOne(where: "number > ?", 3, orderBy: "number") } }
    try fetch()
    let statements = try test.statements(fetch)
    #expect(statements.count == 1)
    #expect(statements.first?.hasSuffix(" LIMIT 1 OFFSET 0") == true)
  }

  // MARK: - By the value of a property

  @Test func `a property of any type is asked for by its value`() throws {
    let sale = sales[7]
    func expectFound<V>(_ path: KeyPath<Sale, V>, _ value: V) throws {
      let found = try read { try Sale.fetchOne(path, equals: value)?.number }
      #expect(found == 7, "\(path)")
    }
    try expectFound(\.number, 7)
    try expectFound(\.day, sale.day)
    try expectFound(\.amount, try #require(Decimal(string: "7.250")))
    try expectFound(\.token, sale.token)
    try expectFound(\.place, Position(x: 1.5, y: 2))
    let diesel = try read { try Sale.fetchAll(\.fuel, equals: .diesel).map(\.number) }
    #expect(diesel == Array(stride(from: 1, to: 25, by: 2)))
    let paid = try read { try Sale.fetchAll(\.isPaid, equals: true).count }
    #expect(paid == 10)
    let geared = try read { try Sale.fetchAll(\.gear, equals: .second).count }
    #expect(geared == 9)
  }

  @Test func `nil finds the objects that have no value`() throws {
    try test.store.read { (_) throws in
      #expect(try Sale.fetchAll(\.note, equals: nil).count == 20)
      #expect(try Sale.fetchOne(\.note, equals: nil)?.note == nil)
      #expect(try Sale.fetchAll(\.gear, equals: nil).count == 16)
      #expect(try Sale.fetchAll(\.place, equals: nil).count == 24)
      #expect(try Sale.fetchOne(\.note, equals: "note 5")?.number == 5)
      #expect(try Sale.fetchOne(\.note, equals: "nil") == nil)
    }
  }

  @Test func `a sealed property can't be asked for by its value`() throws {
    for equals in [
      { try Sale.fetchOne(\.buyer, equals: "buyer 1") == nil },
      { try Sale.fetchAll(\.tip, equals: nil).isEmpty },
    ] {
      let error = #expect(throws: NacreError.self) { try read { _ = try equals() } }
      #expect(error?.code == .sealedCondition && error?.entity == "Sale")
      #expect(["buyer", "tip"].contains(error?.property))
    }
  }

  @Test func `only a stored value can be asked for by its value`() throws {
    let error = #expect(throws: NacreError.self) {
      try read { _ = try Car.fetchOne(\.scratch, equals: 0) }
    }
    #expect(error?.code == .noSuchProperty && error?.entity == "Car")
  }

  // MARK: - Order and pages

  @Test func `an order is SQL of any length`() throws {
    let numbers = try read {
      try Sale.fetchAll(orderBy: "fuel, note IS NULL, number DESC").map(\.number)
    }
    let odd = [15, 5, 23, 21, 19, 17, 13, 11, 9, 7, 3, 1]
    let even = [20, 10, 0, 24, 22, 18, 16, 14, 12, 8, 6, 4, 2]
    #expect(numbers == odd + even)
  }

  @Test(arguments: [
    (0, 10, 0..<10), (1, 10, 10..<20), (2, 10, 20..<25), (3, 10, 0..<0), (0, 25, 0..<25),
    (24, 1, 24..<25), (-1, 10, 0..<10), (.min, 10, 0..<10), (.max, 10, 0..<0), (.max, 1, 0..<0),
    (0, .max, 0..<25), (1, .max, 0..<0), (.max, .max, 0..<0),
  ])
  func `a page has its part of the order, and beyond the last there is nothing`(
    _ page: Int,
    _ size: Int,
    _ expected: Range<Int>
  ) throws {
    try test.store.read { (_) throws in
      let all = try Sale.fetchAll(orderBy: "number", page: page, size: size)
      #expect(all.map(\.number) == Array(expected))
      let some = try Sale.fetchAll(
        where: "number >= ?",
        0,
        orderBy: "number",
        page: page,
        size: size
      )
      #expect(some.map(\.number) == Array(expected))
      let values = try Sale.fetchValues(\.number, orderBy: "number", page: page, size: size)
      #expect(values == Array(expected))
    }
  }

  /// As in SQPersist, whose `itemsPerPage` of 0 is no paging.
  @Test(arguments: [nil, 0, -1, .min] as [Int?])
  func `a page size below one fetches everything`(_ size: Int?) throws {
    let count = try read { try Sale.fetchAll(page: 3, size: size).count }
    #expect(count == 25)
  }

  @Test func `a page of a condition counts only what the condition is true of`() throws {
    let numbers = try read {
      try Sale.fetchAll(
        where: "fuel = ?",
        Fuel.diesel.rawValue,
        orderBy: "number DESC",
        page: 1,
        size: 5
      ).map(\.number)
    }
    #expect(numbers == [13, 11, 9, 7, 5])
  }

  @Test func `links are read by page, too`() throws {
    let house = House.create()
    house.use(test.store)
    for day in 0..<7 {
      let visit = Visit.create()
      visit.day = day
      house.visits.add(visit)
    }
    try house.save()
    func days(_ page: Int, _ size: Int) throws -> [Int] {
      try house.visits.fetchAll(where: "day > ?", 0, orderBy: "day", page: page, size: size)
        .map(\.day)
    }
    #expect(try days(0, 4) == [1, 2, 3, 4])
    #expect(try days(1, 4) == [5, 6])
    #expect(try days(-3, 4) == [1, 2, 3, 4])
    #expect(try days(.max, .max) == [])
  }

  // MARK: - Loading

  @Test(arguments: [(1, 5), (50, 7), (120, 7)])
  func `a graph takes one or two queries for each relationship and level, however many roots`(
    _ count: Int,
    _ queries: Int
  ) throws {
    try Library.store(count, in: test.store)
    var libraries: [Library] = []
    let fetch = {
      libraries = try test.store.read { _ in try Library.fetchAll(orderBy: "name") }
    }
    try fetch()
    let statements = try test.statements(fetch)
    // Libraries, their registers, their shelves, the shelves' labels, the shelves' books. If there are
    // many, the places of shelves and books are read before their rows; a server joins them.
    #expect(statements.count == (TestPlace.isOnServer ? 5 : queries))
    #expect(libraries.count == count)
    for library in libraries {
      #expect(library.index != nil)
      #expect(library.shelves.map(\.row) == [0, 1, 2])
      #expect(library.shelves.map { $0.label?.entries } == [0, 1, 2])
      let prefix = library.name.replacingOccurrences(of: "library", with: "book")
      let titles = library.shelves.flatMap(\.books).map(\.title)
      let expected = (0..<3).flatMap { row in (0..<4).map { "\(prefix).\(row).\($0)" } }
      #expect(titles == expected)
    }
  }

  @Test func `a fetch without results asks for no children`() throws {
    try Library.store(1, in: test.store)
    _ = try read { try Library.fetchAll() }
    let statements = try test.statements {
      _ = try read { try Library.fetchAll(where: "name = ?", "none") }
    }
    #expect(statements.count == 1)
  }
}
