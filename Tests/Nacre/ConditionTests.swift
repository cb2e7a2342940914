import Foundation
import Nacre
import Testing
@testable import TestSupport

/// Conditions in SQL and their arguments.
@Suite struct ConditionTests {
  let test: TestStore
  let sales: [Sale]

  init() throws {
    test = try TestStore()
    sales = try Sale.store(in: test.store)
  }

  private func numbers(_ condition: String, _ arguments: (any StorableValue)?...) throws -> [Int] {
    // Variadics can't be passed on, so the arguments are told apart by their number.
    try test.store.read { _ in
      switch arguments.count {
      case 0: try Sale.fetchAll(where: condition, orderBy: "number").map(\.number)
      case 1: try Sale.fetchAll(where: condition, arguments[0], orderBy: "number").map(\.number)
      default:
        try Sale.fetchAll(where: condition, arguments[0], arguments[1], orderBy: "number")
          .map(\.number)
      }
    }
  }

  @Test(.sqliteOnly("a server compares a column with values of its type alone"))
  func `arguments of every type are compared as they are stored`() throws {
    let sale = sales[7]
    #expect(try numbers("number = ?", 7) == [7])
    #expect(try numbers("number = ?", UInt8(7)) == [7])
    #expect(try numbers("number = ?", 7.0) == [7])
    #expect(try numbers("day = ?", sale.day) == [7])
    #expect(try numbers("day BETWEEN ? AND ?", sales[3].day, sales[5].day) == [3, 4, 5])
    #expect(try numbers("amount = ?", sale.amount) == [7])
    #expect(try numbers("token = ?", sale.token) == [7])
    #expect(try numbers("objectID = ?", sale.objectID) == [7])
    #expect(try numbers("objectID IN (?, ?)", sale.objectID, sales[2].objectID) == [2, 7])
    #expect(try numbers("fuel = ? AND number < ?", Fuel.diesel.rawValue, 6) == [1, 3, 5])
    #expect(try numbers("gear = ? AND number < ?", Gear.second.rawValue, 7) == [0, 3, 6])
    #expect(try numbers("isPaid = ? AND number > ?", true, 7) == [8, 9])
    #expect(try numbers("isPaid AND number > ?", 7) == [8, 9])
    #expect(try numbers("note LIKE ?", "% 1_") == [10, 15])
    #expect(try numbers("number = ?", Optional(7)) == [7])
    #expect(try numbers("number = ? OR ?", Value.integer(7), Value.null) == [7])
    #expect(try numbers("json_extract(place, '$.x') = ?", 1.5) == [7])
  }

  @Test func `a text is no number and a number no text where the column says so`() throws {
    #expect(throws: NacreError.self) {
      _ = try numbers("token = ?", sales[7].token.uuidString)
    }
    #expect(throws: NacreError.self) { _ = try numbers("day = ?", "1970-01-08") }
    // SQLite's affinity makes a number of a text that is one.
    #expect(try numbers("number = ?", "7") == [7])
  }

  @Test func `a nil argument is NULL`() throws {
    let none: String? = nil
    #expect(try numbers("note IS ?", nil).count == 20)
    #expect(try numbers("note IS ?", none).count == 20)
    #expect(try numbers("note IS NOT ?", nil) == [0, 5, 10, 15, 20])
    #expect(try numbers("note = ?", nil) == [])
    #expect(try numbers("note <> ?", none) == [])
    #expect(try numbers("coalesce(?, number) = ?", nil, 4) == [4])
  }

  @Test func `a numbered argument stands for all its places`() throws {
    #expect(try numbers("number = ?1 OR number = ?1 + 1", 4) == [4, 5])
    #expect(try numbers("number = :a OR number = :b", 4, 9) == [4, 9])
    let count = try test.store.read { _ in
      try Sale.count(where: "number = ?2 OR number = ?1", 1, 2)
    }
    #expect(count == 2)
  }

  @Test(arguments: [
    "number < 3   ", "  number < 3\n\n", "number < 3 -- few", "number < 3 --", "number < 3 /* ? */",
    "/* few */ number < 3", "number /* ) */ < 3", "number < 3 -- ?\n", "number < 3 /**/",
    "-- few\nnumber < 3", "number < 1 OR number < 3", "note IS NOT '?' AND number < 3\t",
  ])
  func `spaces and comments of a condition change nothing`(_ condition: String) throws {
    #expect(try numbers(condition) == [0, 1, 2])
    try test.store.write { (_) throws in
      #expect(try Sale.count(where: condition) == 3)
      #expect(try Sale.fetchOne(where: condition, orderBy: "number DESC -- last")?.number == 2)
      let page = try Sale.fetchAll(where: condition, orderBy: "number /* up */ ", page: 1, size: 2)
      #expect(page.map(\.number) == [2])
      let values = try Sale.fetchValues(
        \.number,
        where: condition,
        orderBy: "number -- up",
        size: 2
      )
      #expect(values == [0, 1])
      #expect(try Sale.cursor(where: condition, orderBy: "number DESC --").next()?.number == 2)
      #expect(try Sale.deleteAll(where: condition) == 3)
      #expect(try Sale.count() == 22)
    }
  }

  @Test func `a comment left open in an order does not swallow the page`() throws {
    let page = try test.store.read { _ in
      try Sale.fetchAll(where: "number < 3", orderBy: "number DESC /*", page: 0, size: 2)
    }
    #expect(page.map(\.number) == [2, 1])
  }

  @Test func `count counts what a condition is true of`() throws {
    try test.store.read { (_) throws in
      #expect(try Sale.count() == 25)
      #expect(try Sale.count(where: "note IS NULL") == 20)
      #expect(try Sale.count(where: "day >= ? AND fuel = ?", sales[20].day, "diesel") == 2)
      #expect(try Sale.count(where: "1 = 0") == 0)
      #expect(try Sale.count(where: "NULL") == 0)
    }
  }

  @Test func `a condition can ask other tables of plain values`() throws {
    try Library.store(2, in: test.store)
    let names = try test.store.read { _ in
      try Library.fetchAll(
        where: """
          "objectID" IN (SELECT l.owner FROM "Library_shelves" l JOIN "Shelf_books" s ON s.owner = l.child
          JOIN "Book" b ON b."objectID" = s.child WHERE b.title = ?)
          """,
        "book 1.2.3"
      ).map(\.name)
    }
    #expect(names == ["library 1"])
    let error = #expect(throws: NacreError.self) {
      try test.store.read { _ in
        _ = try Library.fetchAll(where: "name IN (SELECT buyer FROM \"Sale\")")
      }
    }
    #expect(error?.code == .sealedCondition)
  }

  @Test(arguments: [
    "", "number =", "nonesuch = 1", "number < 3)", "(number < 3", "'", "number /* < 3",
  ])
  func `a condition that is no SQL is refused, and the next one is not`(_ condition: String) throws
  {
    for call in [
      { _ = try Sale.fetchAll(where: condition) }, { _ = try Sale.count(where: condition) },
      { _ = try Sale.cursor(where: condition).next() },
      { _ = try Sale.fetchValues(\.number, where: condition) },
      { _ = try Sale.deleteAll(where: condition) },
    ] {
      let error = #expect(throws: NacreError.self) { try test.store.write { _ in try call() } }
      #expect(error?.code == .badStatement)
    }
    #expect(try numbers("number < ?", 2) == [0, 1])
  }
}
