import Foundation
import NacreCore
import NacreRecords
@testable import TestSupport
import Testing

/// A tariff with a fee that older ones lack.
private struct Wider: Record {
  var rate = Decimal(0)
  var fee = Decimal(3)

  init() {}

  static let columns: [RecordColumn<Wider>] = [.key(\.rate), .column(\.fee)]
}

/// Columns of decimals, which compare numbers.
@Suite struct DecimalColumnTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private static let totals = ["3", "20", "100", "-7.5"]

  private func filled() throws -> Store {
    let store = try scene.open()
    try Invoice.store(Self.totals, in: store)
    return store
  }

  private func numbers(_ store: Store, _ order: String) throws -> [Int] {
    try store.read { _ in try Invoice.fetchAll(orderBy: order).map(\.number) }
  }

  @Test func `conditions and orders of an entity compare decimals as numbers`() throws {
    let store = try filled()
    try store.read { (_) throws in
      let five = Decimal(5)
      #expect(try Invoice.count(where: "total > ?", five) == 2)
      #expect(try Invoice.count(where: "? >= tip", five) == 1)
      #expect(try Invoice.count(where: "total > 5") == 2)
      #expect(try Invoice.count(where: "total > ?", "5.0") == 2)
      #expect(try Invoice.count(where: "total BETWEEN ? AND ?", -10, 99) == 3)
      #expect(try Invoice.count(where: "total = ?", 20.0) == 1)
      #expect(try Invoice.count(where: "total IN (?)", ["20.00", "3"]) == 2)
      #expect(try Invoice.count(where: "total COLLATE nacre_decimal > ?", five) == 2)
      #expect(try Invoice.count(where: "total COLLATE BINARY > ?", five) == 0)
      #expect(try Invoice.count(#Predicate { $0.total > five }) == 2)
      #expect(try Invoice.fetchOne(\.total, equals: 20)?.number == 1)
      #expect(try Invoice.fetchOne(\.code, equals: 20)?.number == 1)
      #expect(try Invoice.all.max(\.total) == 100)
      #expect(try Invoice.all.min(\.tip) == Decimal(string: "-7.5"))
      #expect(try Invoice.all.limit(2).ordered(by: "number").max(\.total) == 20)
    }
    #expect(try numbers(store, "total") == [3, 0, 1, 2])
    #expect(try numbers(store, "total DESC, number") == [2, 1, 0, 3])
    let sorted = try store.read { (_) throws in
      try Invoice.all.ordered(by: SortDescriptor(\.tip, order: .reverse)).fetchAll().map(\.number)
    }
    #expect(sorted == [2, 1, 3, 0])
  }

  @Test func `a decimal in another spelling is found by its number unless it is unique`() throws {
    let store = try filled()
    try store.write { (database) throws in
      try database.execute(
        "UPDATE \"Invoice\" SET total = '20.00', code = '20.00' WHERE number = 1"
      )
      #expect(try Invoice.fetchOne(\.total, equals: 20)?.number == 1)
      // As its unique index tells the values apart.
      #expect(try Invoice.fetchOne(\.code, equals: 20) == nil)
    }
  }

  @Test(.sqliteOnly("it reads SQLite's query plan"))
  func `an index of decimals serves their conditions and orders`() throws {
    let store = try filled()
    let plan = try store.read { (database) throws in
      try database.query(
        "EXPLAIN QUERY PLAN SELECT * FROM \"Invoice\" WHERE total > '5' ORDER BY total"
      )
    }
    #expect("\(plan)".contains("USING INDEX Invoice__total"), "\(plan)")
    #expect(!"\(plan)".contains("TEMP B-TREE"), "\(plan)")
    let unique = try store.read { (database) throws in
      try database.query(
        "EXPLAIN QUERY PLAN SELECT * FROM \"Invoice\" WHERE code COLLATE BINARY = '5'"
      )
    }
    #expect("\(unique)".contains("USING INDEX Invoice__code"), "\(unique)")
  }

  @Test func `two decimals that are equal and written otherwise are two unique values`() throws {
    let store = try filled()
    try store.write { (database) throws in
      try database.execute(
        "INSERT INTO \"Invoice\" (\"objectID\", number, total, code) VALUES (?, 9, '20', '20.00')",
        UUID()
      )
      expectError(.constraint) {
        // On a server only a savepoint can undo a statement that fails.
        try store.write { database in
          _ = try database.execute(
            "INSERT INTO \"Invoice\" (\"objectID\", number, total, code) VALUES (?, 9, '20', '20')",
            UUID()
          )
        }
      }
      try database.createIndex(on: "Invoice", columns: ["total", "code"], unique: true, name: "i")
      try database.execute(
        "INSERT INTO \"Invoice\" (\"objectID\", number, total, code) VALUES (?, 9, '20.0', '20.0')",
        UUID()
      )
      #expect(try Invoice.count(where: "code = ?", 20) == 3)
    }
  }

  @Test func `records compare decimals as numbers`() throws {
    let store = try scene.open()
    let receipts = Table<Receipt>().in(store)
    _ = try receipts.insert(contentsOf: Self.totals.map { Receipt($0) })
    #expect(try receipts.where("total > ?", Decimal(5)).count() == 2)
    #expect(try receipts.all.min(\.total) == Decimal(string: "-7.5"))
    #expect(try receipts.all.max(\.total) == 100)
    #expect(try receipts.where("total < 100").max(\.total) == 20)
    #expect(try receipts.all.max(\.tip) == nil)
    #expect(try receipts.fetchAll(orderBy: "total").map(\.id) == [4, 1, 2, 3])
    var changed = Receipt("20")
    changed.tip = 1
    try receipts.upsert(&changed, by: \.code)
    #expect(changed.id == 2)
    #expect(try receipts.count() == 4)
  }

  @Test func `a decimal that is a record's key is ordered as a number and told apart as a text`()
    throws
  {
    let store = try scene.open()
    let tariffs = Table<Tariff>().in(store)
    _ = try tariffs.insert(contentsOf: ["9", "10", "100"].map { Tariff($0) })
    #expect(try tariffs.first()?.rate == 9)
    #expect(try tariffs.latest()?.rate == 100)
    #expect(try tariffs.fetch(key: Decimal(10))?.rate == 10)
    // A server has a number of every decimal, so none is compared as a text.
    if !TestPlace.isOnServer {
      let error = thrown(.decimalsAsTexts, entity: "Tariff", property: "rate") {
        _ = try tariffs.where("rate > ?", Decimal(9)).count()
      }
      #expect(error?.description.contains("rate COLLATE nacre_decimal") == true)
      #expect(error?.description.contains("migrate") == false)
    }
    #expect(try tariffs.where("rate COLLATE nacre_decimal > ?", Decimal(9)).count() == 2)
    #expect(try tariffs.all.max(\.rate) == 100)
  }

  @Test func `a column that is added compares numbers, too`() throws {
    let store = try scene.open()
    try store.write { try $0.execute("CREATE TABLE \"Tariffs\" (rate TEXT PRIMARY KEY)") }
    let wider = Table<Wider>("Tariffs").in(store)
    try store.write { try $0.execute("INSERT INTO \"Tariffs\" VALUES ('1')") }
    #expect(try wider.where("fee < ?", 20).count() == 1)
  }

  @Test func `an import compares decimals as the store of the export did`() throws {
    let lines = try Lines(filled(), revealing: true)
    let copy = try Scene()
    let store = try copy.open()
    try lines.load(into: store)
    try store.read { (_) throws in
      #expect(try Invoice.count(where: "total > ?", 5) == 2)
      #expect(try Invoice.fetchOne(\.code, equals: 20)?.number == 1)
    }
    // As an earlier version wrote it.
    let older = lines.replacing(",\"collation\":\"nacre_decimal\"", "")
    let otherScene = try Scene()
    let other = try otherScene.open()
    try older.load(into: other)
    let count = { try other.read { _ in try Invoice.count(where: "total > ?", 5) } }
    if TestPlace.isOnServer {
      // A server compares decimals by an expression, whatever type the column has.
      #expect(try count() == 2)
    } else {
      expectError(.decimalsAsTexts, entity: "Invoice", property: "total") { _ = try count() }
    }
    try other.migrate(Invoice.self)
    #expect(try other.read { _ in try Invoice.count(where: "total > ?", 5) } == 2)
  }
}
