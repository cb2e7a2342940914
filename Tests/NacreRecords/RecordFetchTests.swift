import Foundation
import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

/// A record whose properties nobody else can set.
private struct Visitor: Record {
  private(set) var id: Int64?
  private(set) var firstName = ""
  private(set) var came: Date?

  init() {}

  static let columns: [RecordColumn<Visitor>] = [
    .key(\.id), .column(\.firstName, "first_name"), .column(\.came),
  ]
}

@Suite struct RecordFetchTests {
  @Test func `records are found by key, and by keys in their order`() throws {
    let scene = try RecordScene()
    let list = try scene.fill()
    #expect(try scene.students.fetch(key: 4) == list[3])
    #expect(try scene.students.fetch(key: 99) == nil)
    let some = try scene.students.fetch(keys: [7, 99, 2, 5, 2] as [Int64])
    #expect(some.map(\.id) == [7, 2, 5, 2])
  }

  @Test func `records are found by one value, or by several`() throws {
    let scene = try RecordScene()
    let list = try scene.fill()
    #expect(try scene.students.fetchOne(\.name, equals: "S3") == list[3])
    #expect(try scene.students.fetchAll(\.age, equals: 2).count == 2)
    #expect(try scene.students.fetchAll(\.age, in: [1, 2]).count == 4)
    #expect(try scene.students.fetchAll(\.age, equals: nil).isEmpty)
    try scene.students.insert(contentsOf: [Student("none")])
    #expect(try scene.students.fetchAll(\.age, equals: nil).map(\.name) == ["none"])
    #expect(try scene.students.fetchAll(\.age, in: [nil, 4]).count == 3)
    #expect(try scene.students.fetchAll(\.age, in: (0..<2000).map { $0 }).count == 10)
  }

  @Test func `the first and the latest record are those of the lowest and the highest key`() throws
  {
    let scene = try RecordScene()
    #expect(try scene.students.first() == nil)
    #expect(try scene.students.latest() == nil)
    let list = try scene.fill()
    #expect(try scene.students.first() == list[0])
    #expect(try scene.students.latest() == list[9])
    let older = scene.students.where("age > ?", 2).ordered(by: "ID DESC")
    #expect(try older.fetchOne() == list[9])
    #expect(try scene.students.where("1 = 0").fetchOne() == nil)
  }

  @Test func `records are found by condition, in order and by page`() throws {
    let scene = try RecordScene()
    try scene.fill()
    let found = try scene.students.fetchAll(where: "age >= ? AND name <> ?", 3, "S9", orderBy: "ID")
    #expect(found.map(\.name) == ["S3", "S4", "S8"])
    let page = try scene.students.fetchAll(orderBy: "ID DESC", page: 1, size: 4)
    #expect(page.map(\.name) == ["S5", "S4", "S3", "S2"])
    expectError(.badStatement) { _ = try scene.students.where("nothing = 1").fetchAll() }
    expectError(.badStatement) { _ = try scene.students.where("age = ?").fetchAll() }
  }

  @Test func `records are counted, and their values summed`() throws {
    let scene = try RecordScene()
    #expect(try scene.students.all.sum(\.age) == 0)
    #expect(try scene.students.all.max(\.age) == nil)
    try scene.fill()
    try scene.students.insert(contentsOf: [Student("none")])
    #expect(try scene.students.count() == 11)
    #expect(try scene.students.where("age = ?", 1).count() == 2)
    #expect(try scene.students.where("age IS ?", nil).count() == 1)
    #expect(try scene.students.all.sum(\.age) == 20)
    #expect(try scene.students.where("age > ?", 3).sum(\.age) == 8)
    #expect(try scene.students.all.sum(\.score) == 0)
    #expect(try scene.students.all.min(\.age) == 0)
    #expect(try scene.students.all.max(\.name) == "none")
    #expect(try scene.students.all.average(\.age) == 2)
  }

  @Test func `decimals are added with every digit, plain tables have no objectID`() throws {
    let scene = try RecordScene()
    let accounts = Table<Budget>().in(scene.store)
    #expect(try accounts.all.sum(\.balance) == 0)
    for (balance, bonus) in [("0.1", nil), ("0.2", "1.05"), ("100000000000000000000.7", "2")] {
      var account = Budget()
      account.balance = try #require(Decimal(string: balance))
      account.bonus = bonus.flatMap { Decimal(string: $0) }
      account.points = .max / 2
      try accounts.insert(&account)
    }
    #expect(try accounts.all.sum(\.balance) == Decimal(string: "100000000000000000001"))
    #expect(try accounts.where("id < ?", 3).sum(\.balance) == Decimal(string: "0.3"))
    #expect(try accounts.all.sum(\.bonus) == Decimal(string: "3.05"))
    #expect(try accounts.where("id < 3").sum(\.points) == .max - 1)
    expectError(.overflow, entity: "Budget", property: "points") {
      _ = try accounts.all.sum(\.points)
    }
    let vaults = Table<SecretBudget>().in(scene.store)
    var vault = SecretBudget()
    vault.balance = 7
    try vaults.insert(&vault)
    #expect(try vaults.all.sum(\.balance) == 7)
    expectError(.sealedCondition, entity: "SecretBudget", property: "secret") {
      _ = try vaults.all.sum(\.secret)
    }
    try scene.store.write { try $0.execute("UPDATE \"Budget\" SET balance = 'x'") }
    expectError(.valueMismatch, entity: "Budget", property: "balance") {
      _ = try accounts.all.sum(\.balance)
    }
  }

  @Test func `a query of the caller's own gives records, and other columns are left alone`() throws
  {
    let scene = try RecordScene()
    try scene.fill(3)
    let found = try scene.students.fetch(
      sql:
        "SELECT NAME, 7 AS age, 'x' AS stranger FROM \"Student\" WHERE \"ID\" > ? ORDER BY \"ID\"",
      1
    )
    #expect(found.map(\.name) == ["S1", "S2"])
    #expect(found.map(\.age) == [7, 7])
    #expect(found.map(\.id) == [nil, nil])
  }

  @Test func `raw SQL runs in the table's own store`() throws {
    let scene = try RecordScene()
    try scene.fill(3)
    let table = scene.students
    try table.store.write { database in
      try database.execute("UPDATE \"Student\" SET age = age + ?", 10)
      #expect(database.changedRowCount == 3)
    }
    #expect(try table.fetchAll(orderBy: "ID").map(\.age) == [10, 11, 12])
  }

  @Test func `NULL leaves a property that can't be nil as it is, and makes an optional nil`() throws
  {
    let scene = try RecordScene()
    let found = try Table<Sampler>().in(scene.store).fetch(
      sql: "SELECT NULL AS text, NULL AS colour, NULL AS level, NULL AS big, NULL AS point"
    )
    #expect(found == [Sampler()])
  }

  @Test(.sqliteOnly("a column of a server holds values of its own type alone"))
  func `a value that does not fit is an error at its table and column`() throws {
    let scene = try RecordScene()
    try scene.fill(1)
    try scene.store.write { try $0.execute("UPDATE \"Student\" SET age = 'x'") }
    expectError(.valueMismatch, entity: "Student", property: "age") {
      _ = try scene.students.first()
    }
  }

  @Test func `a key may be several columns`() throws {
    let scene = try RecordScene()
    try scene.marks.insert(contentsOf: [Mark(1, "A", 5), Mark(1, "B", 7), Mark(2, "A", 9)])
    #expect(try scene.marks.fetch(key: 1, "B") == Mark(1, "B", 7))
    try scene.marks.update(Mark(1, "B", 8))
    #expect(try scene.marks.latest() == Mark(2, "A", 9))
    #expect(try scene.marks.delete(key: 1, "A"))
    #expect(try scene.marks.fetchAll(orderBy: "student") == [Mark(1, "B", 8), Mark(2, "A", 9)])
    expectError(.constraint, entity: "Mark") {
      try scene.marks.insert(contentsOf: [Mark(2, "A")])
    }
    expectError(.badStatement, entity: "Mark") { _ = try scene.marks.fetch(key: 1) }
    var mark = Mark(2, "A", 1)
    try scene.marks.upsert(&mark)
    #expect(try scene.marks.count() == 2)
  }

  @Test func `a key may be a UUID or a text`() throws {
    let scene = try RecordScene()
    let tickets = Table<Ticket>().in(scene.store)
    var ticket = Ticket()
    ticket.seat = "4B"
    try tickets.insert(&ticket)
    #expect(try tickets.fetch(key: ticket.code) == ticket)
    #expect(try tickets.update([.set(\.seat, to: nil)], key: ticket.code) == 1)
    #expect(try tickets.fetch(keys: [UUID(), ticket.code]).map(\.seat) == [nil])
    try scene.courses.insert(Course("M1"))
    #expect(try scene.courses.fetch(key: "M1")?.seats == 10)
    #expect(try scene.courses.delete(keys: ["M1", "M2"]) == 1)
  }

  @Test func `properties that only their type can set are filled from rows`() throws {
    let scene = try RecordScene()
    let visitors = try Table<Visitor>().in(scene.store).fetch(
      sql: "SELECT 5 AS id, 'John' AS first_name, 86400.0 AS came"
    )
    #expect(visitors.map(\.id) == [5])
    #expect(visitors.map(\.firstName) == ["John"])
    #expect(visitors.map(\.came) == [Date(timeIntervalSince1970: 86_400)])
  }

  @Test func `a transaction through one table's store holds for other tables, too`() throws {
    let scene = try RecordScene()
    let (students, courses) = (scene.students, scene.courses)
    let store = try students.store
    #expect(try courses.store === store)
    for isKept in [false, true] {
      try store.write { database in
        try students.insert(contentsOf: [Student("Ada")])
        try courses.insert(Course("M1"))
        database.shouldRollback = !isKept
      }
      #expect(try students.count() == (isKept ? 1 : 0))
      #expect(try courses.count() == (isKept ? 1 : 0))
    }
  }
}
