import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Pages that know how many there are.
@Suite struct PageTests {
  let school: School

  init() throws { school = try School() }

  private func page(_ index: Int, _ size: Int, _ first: Int = 0) throws -> Page<Pupil> {
    try Pupil.all.in(school.store).ordered(by: "age").page(index, size: size, startingAt: first)
  }

  @Test func `a page knows the totals`() throws {
    let page = try page(1, 6)
    #expect(page.items.map(\.age) == Array(6..<12))
    #expect(page.index == 1 && page.size == 6 && page.firstIndex == 0)
    #expect(page.totalItems == 20 && page.totalPages == 4)
    #expect(page.hasNext && page.hasPrevious)
  }

  /// AYRecord counts from 1, SQPersist from 0.
  @Test func `pages are counted from 0 or from 1`() throws {
    for first in [0, 1, -3] {
      #expect(try page(first, 10, first).items.map(\.age) == Array(0..<10))
      #expect(try page(first + 1, 10, first).items.map(\.age) == Array(10..<20))
      #expect(try page(first, 10, first).hasPrevious == false)
      #expect(try page(first, 10, first).hasNext)
      #expect(try page(first + 1, 10, first).hasPrevious)
      #expect(try page(first + 1, 10, first).hasNext == false)
    }
  }

  @Test(arguments: [(20, 1), (19, 2), (10, 2), (7, 3), (1, 20), (100, 1), (Int.max, 1)])
  func `the last page is begun when the items don't fill it`(_ size: Int, _ pages: Int) throws {
    #expect(try page(0, size).totalPages == pages)
    let last = try page(pages - 1, size)
    #expect(!last.items.isEmpty && !last.hasNext)
  }

  @Test func `no items make no pages`() throws {
    let page = try Pupil.where("0").in(school.store).page(1, size: 10, startingAt: 1)
    #expect(page.items.isEmpty && page.totalItems == 0 && page.totalPages == 0)
    #expect(!page.hasNext && !page.hasPrevious && page.index == 1)
  }

  @Test(arguments: [2, 3, Int.max])
  func `a page behind the last has no items and a page before it`(_ index: Int) throws {
    let page = try page(index, 10)
    #expect(page.items.isEmpty && page.totalItems == 20 && page.totalPages == 2)
    #expect(!page.hasNext && page.hasPrevious)
    #expect(try self.page(.max, .max).items.isEmpty)
  }

  @Test(arguments: [
    (-1, 10, 0), (0, 10, 1), (0, 0, 0), (0, -1, 0), (.min, 10, 0), (0, .min, 0), (.max, 1, .min),
  ])
  func `an index before the first page and a size below 1 are errors`(
    _ index: Int,
    _ size: Int,
    _ first: Int
  ) throws {
    expectError(.badPage, entity: "Pupil") { _ = try page(index, size, first) }
  }

  @Test func `pages of a query without an order follow each other`() throws {
    let query = Pupil.all.in(school.store)
    let pages = try (0..<4).map { try query.page($0, size: 6).items.map(\.objectID) }
    #expect(pages.flatMap { $0 } == school.pupils.map(\.objectID))
  }

  @Test func `a page's limit takes the place of the query's`() throws {
    let page = try Pupil.all.in(school.store).ordered(by: "age").limit(3, offset: 2)
      .page(0, size: 5)
    #expect(page.items.map(\.age) == [0, 1, 2, 3, 4] && page.totalItems == 20)
  }

  @Test func `totals and items are of one state`() throws {
    let statements = try school.test.statements { _ = try page(0, 5) }
    #expect(statements.count == 2)
    let alone = try school.test.statements { _ = try page(9, 5) }
    #expect(alone.count == 1)
  }

  @Test func `a condition that has to be searched for is searched for once`() throws {
    let query = Pupil.where(#Predicate { $0.pass == "pass 2" }).in(school.store)
    var page: Page<Pupil>?
    let statements = try school.test.statements { page = try query.page(0, size: 5) }
    #expect(page?.items.map(\.age) == [2] && page?.totalItems == 1)
    // The search by the blind index, the count and the page.
    #expect(statements.count == 3)
  }

  @Test func `a page of any statement knows the totals of that statement`() throws {
    let sql =
      "SELECT city, count(*) AS n FROM \"Pupil\" WHERE age < ? GROUP BY city ORDER BY city DESC"
    try school.store.read { database in
      let page = try database.page(2, size: 2, startingAt: 1, sql: sql, 9)
      #expect(page.items.map { $0["city"] } == ["Jena", "Gera"])
      #expect(page.items.map { $0["n"] } == [2, 1])
      #expect(page.totalItems == 5 && page.totalPages == 3 && page.hasNext && page.hasPrevious)
      let last = try database.page(3, size: 2, startingAt: 1, sql: sql, 9)
      #expect(last.items.map { $0["city"] } == ["Bonn"] && !last.hasNext)
      #expect(try database.page(9, size: 2, sql: sql, 9).items.isEmpty)
      #expect(try database.page(9, size: 2, sql: sql, 9).totalItems == 5)
      #expect(try database.page(0, size: .max, sql: sql, 1).items.count == 1)
    }
  }

  @Test(arguments: [
    "SELECT age FROM \"Pupil\" WHERE age > :age ORDER BY age LIMIT 7",
    "WITH chosen AS (SELECT age FROM \"Pupil\" WHERE age > :age) SELECT * FROM chosen LIMIT 7 -- of some",
    "SELECT age FROM \"Pupil\" WHERE age > :age ORDER BY age LIMIT 7 ;\n",
  ])
  func `a page of a statement keeps to its own limit, whatever it ends in`(_ sql: String) throws {
    try school.store.read { database in
      let page = try database.page(1, size: 5, sql: sql, ["age": 3])
      #expect(page.items.map { $0["age"] } == [9, 10])
      #expect(page.totalItems == 7 && page.totalPages == 2)
    }
  }

  @Test func `a page of a statement is refused as the statement and the page are`() throws {
    try school.store.read { (database) throws in
      expectError(.badPage) { _ = try database.page(0, size: 5, startingAt: 1, sql: "SELECT 1") }
      expectError(.badPage) { _ = try database.page(0, size: 0, sql: "SELECT 1") }
      expectError(.badStatement) { _ = try database.page(0, size: 5, sql: "SELECT nothing") }
      expectError(.badStatement) { _ = try database.page(0, size: 5, sql: "SELECT ?") }
    }
  }
}
