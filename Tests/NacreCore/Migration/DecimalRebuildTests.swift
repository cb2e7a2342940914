import Foundation
import NacreCore
import NacreOpen
import NacreRecords
@testable import TestSupport
import Testing

/// Tables of earlier versions, whose columns of decimals compare texts.
@Suite(.sqliteOnly("an earlier version made its tables, in a file")) struct DecimalRebuildTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func older() throws -> Store {
    let store = try scene.withTable(Invoice.formerTable) { store in
      _ = try store.read { _ in try Invoice.count() }
    }
    try Invoice.store(["3", "20", "100"], in: store)
    return store
  }

  private func olderReceipts() throws -> Table<Receipt> {
    let store = try scene.withTable(Receipt.formerTable) { try Table<Receipt>().in($0).create() }
    let receipts = Table<Receipt>().in(store)
    _ = try receipts.insert(contentsOf: ["3", "20", "100"].map { Receipt($0) })
    return receipts
  }

  @Test func `conditions and orders that compare decimals as texts are refused`() throws {
    let store = try older()
    try store.read { (_) throws in
      let conditions = [
        "total > ?", "? < total", "total <= ?", "total BETWEEN 1 AND ?", "number > 0 AND total < ?",
        "\"Invoice\".\"tip\" >= ?",
      ]
      for condition in conditions {
        let error = thrown(.decimalsAsTexts, entity: "Invoice") {
          _ = try Invoice.count(where: condition, Decimal(5))
        }
        let name = condition.contains("tip") ? "tip" : "total"
        #expect(error?.property == name)
        #expect(error?.description.contains("\(name) COLLATE nacre_decimal") == true)
        #expect(error?.description.contains("migrate") == true)
      }
      for condition in ["total > 5", "total > '5'", "-5.5 < total", "total > tip"] {
        expectError(.decimalsAsTexts) { _ = try Invoice.count(where: condition) }
      }
      for order in ["total", "number, total DESC", "tip NULLS LAST", "Invoice.total ASC, number"] {
        let error = thrown(.decimalsAsTexts) { _ = try Invoice.fetchAll(orderBy: order) }
        #expect(error?.description.contains(" COLLATE nacre_decimal") == true)
      }
    }
  }

  @Test func `conditions and orders that compare decimals otherwise are allowed`() throws {
    let store = try older()
    try store.read { (_) throws in
      let five = Decimal(5)
      #expect(try Invoice.count(where: "total = ?", Decimal(20)) == 1)
      #expect(try Invoice.count(where: "total IN (?)", ["20", "3"]) == 2)
      #expect(try Invoice.count(where: "total IS NOT ?", nil) == 3)
      #expect(try Invoice.count(where: "total COLLATE nacre_decimal > ?", five) == 2)
      #expect(try Invoice.count(where: "CAST(total AS REAL) > ?", 5) == 2)
      #expect(try Invoice.count(where: "total + 0 > ?", 5) == 2)
      #expect(try Invoice.count(where: "total > number") == 3)
      #expect(try Invoice.count(where: "number > ?", 1) == 1)
      #expect(try Invoice.count(#Predicate { $0.total > five }) == 2)
      #expect(try Invoice.fetchOne(\.code, equals: 20)?.number == 1)
      #expect(try Invoice.all.max(\.total) == 100)
      let order = "total COLLATE nacre_decimal DESC, abs(total)"
      #expect(try Invoice.fetchAll(orderBy: order).map(\.number) == [2, 1, 0])
      let sorted = try Invoice.all.ordered(by: SortDescriptor(\.total)).fetchAll()
      #expect(sorted.map(\.number) == [0, 1, 2])
    }
  }

  @Test func `migrate rebuilds the table, and everybody compares numbers at once`() throws {
    let store = try older()
    let other = try scene.open()
    expectError(.decimalsAsTexts) {
      _ = try other.read { _ in try Invoice.count(where: "total > ?", 5) }
    }
    let plan = try store.migrationPlan(Invoice.self)
    #expect(
      plan.description.split(separator: "\n") == [
        "Invoice.total: is compared as a number", "Invoice.code: is compared as a number",
        "Invoice.tip: is compared as a number",
      ]
    )
    let before = try scene.edit("SELECT \"objectID\", number, total, code, tip FROM \"Invoice\"")
    #expect(try store.migrate(Invoice.self).isEmpty)
    #expect(try store.migrationPlan(Invoice.self).isEmpty)
    #expect(
      try scene.edit("SELECT \"objectID\", number, total, code, tip FROM \"Invoice\"") == before
    )
    for store in [store, other, try scene.open()] {
      try store.read { (_) throws in
        #expect(try Invoice.count(where: "total > ?", Decimal(5)) == 2)
        #expect(try Invoice.fetchAll(orderBy: "total DESC").map(\.number) == [2, 1, 0])
        #expect(try Invoice.count(where: "tip >= ?", 20) == 2)
      }
    }
    // What the columns and indexes said besides is as it was.
    try other.write { (database) throws in
      expectError(.constraint) {
        try database.execute("UPDATE \"Invoice\" SET total = NULL WHERE number = 1")
      }
      try database.execute(
        "INSERT INTO \"Invoice\" (\"objectID\", code) VALUES (?, '20.0')",
        UUID()
      )
      expectError(.constraint) {
        _ = try database.execute("UPDATE \"Invoice\" SET code = '20.0' WHERE number = 1")
      }
    }
    #expect(
      try scene.edit("SELECT total FROM \"Invoice\" WHERE code = '20.0' COLLATE BINARY") == [["0"]]
    )
    try Invoice.store(["7"], in: store)
    #expect(try store.read { _ in try Invoice.count() } == 5)
    let integrity = try store.read { try $0.query("PRAGMA integrity_check") }
    #expect(integrity == [[.text("ok")]])
  }

  @Test func `a rebuild that fails changes nothing`() throws {
    let store = try older()
    try store.write {
      try $0.execute("CREATE VIEW dear AS SELECT * FROM \"Invoice\" WHERE tip = '9'")
    }
    expectError(.schemaMismatch, entity: "Invoice") { _ = try store.migrate(Invoice.self) }
    try store.write { try $0.execute("DROP VIEW dear") }
    try store.write {
      try $0.execute("CREATE UNIQUE INDEX own ON \"Invoice\" (tip) WHERE number > 0")
    }
    let error = thrown(.schemaMismatch, entity: "Invoice") { _ = try store.migrate(Invoice.self) }
    #expect(error?.description.contains("index own") == true)
    #expect(try store.migrationPlan(Invoice.self).columns.count == 3)
    try store.write { try $0.execute("DROP INDEX own") }
    try store.migrate(Invoice.self)
    #expect(try store.read { _ in try Invoice.count(where: "total > ?", 5) } == 2)
  }

  private enum Sealed: RobotForm {
    static var parts: [RobotPart] { [.init("mail", sealed: .init())] }
  }

  private enum Plain: RobotForm {
    static var parts: [RobotPart] { [.init("mail")] }
  }

  @Test func `a view that stops a column's rebuild keeps other properties sealed, too`() throws {
    let store = try older()
    try Robot<Sealed>.store(in: store) { $0[text: "mail"] = "MARKER" }
    func isSealed() throws -> Bool {
      try scene.edit("SELECT typeof(mail) FROM \"Robot\"") == [["blob"]]
    }
    try store.write {
      try $0.execute("CREATE VIEW dear AS SELECT * FROM \"Invoice\" WHERE tip = '9'")
    }
    expectError(.schemaMismatch, entity: "Invoice") {
      _ = try store.migrate(Robot<Plain>.self, Invoice.self)
    }
    #expect(try isSealed())
    try store.write { try $0.execute("DROP VIEW dear") }
    #expect(try store.migrate(Robot<Plain>.self, Invoice.self).count == 1)
    #expect(try !isSealed())
    #expect(try store.read { _ in try Invoice.count(where: "total > ?", 5) } == 2)
  }

  @Test func `a backup is made before a rebuild, and not whenever the store is opened`() throws {
    try older().close()
    let path = scene.directory.file("before.db")
    let store = try scene.open { options in
      options.entities = [Invoice.self]
      options.backupBeforeMigrating = { $0.columns.isEmpty ? nil : path }
    }
    #expect(!Store.exists(at: path))
    try store.migrate()
    #expect(Store.exists(at: path))
  }

  @Test
  func `a table of records that compares decimals as texts is refused, and migrate rebuilds it`()
    throws
  {
    let receipts = try olderReceipts()
    let error = thrown(.decimalsAsTexts, entity: "Receipt", property: "total") {
      _ = try receipts.where("total > ?", Decimal(5)).fetchAll()
    }
    #expect(error?.description.contains("migrate") == true)
    expectError(.decimalsAsTexts) { _ = try receipts.fetchAll(orderBy: "tip") }
    expectError(.decimalsAsTexts) { _ = try receipts.where("total > ?", 5).deleteAll() }
    expectError(.decimalsAsTexts) {
      _ = try receipts.where("total > ?", 5).updateAll(.set(\.tip, to: 1))
    }
    #expect(try receipts.all.max(\.total) == 100)
    #expect(try receipts.all.min(\.total) == 3)
    try receipts.migrate()
    #expect(try receipts.where("total > ?", Decimal(5)).fetchAll().map(\.id) == [2, 3])
    #expect(try receipts.fetchAll(orderBy: "total DESC").map(\.id) == [3, 2, 1])
    try receipts.store.write { (database) throws in
      try database.execute("INSERT INTO \"Receipt\" (tip, code) VALUES ('1', '3.0')")
      try database.execute("INSERT INTO \"Receipt\" (tip, code) VALUES ('1.0', '3.00')")
      expectError(.constraint) {
        try database.execute("INSERT INTO \"Receipt\" (tip, code) VALUES ('5', '3.00')")
      }
    }
    #expect(try receipts.latest()?.id == 5)
    try receipts.migrate()
    #expect(try receipts.count() == 5)
  }

  @Test func `a rebuild of records is taken back with the caller's transaction`() throws {
    let receipts = try olderReceipts()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try receipts.store.write { (_) throws in
        try receipts.migrate()
        #expect(try receipts.where("total > ?", 5).count() == 2)
        throw Stop()
      }
    }
    expectError(.decimalsAsTexts) { _ = try receipts.where("total > ?", 5).count() }
  }

  @Test func `the async twin rebuilds, too`() async throws {
    let receipts = try olderReceipts()
    try await receipts.migrate()
    #expect(try await receipts.where("total > ?", 5).count() == 2)
  }

  @Test func `a column that a step makes anew as texts keeps comparing numbers`() throws {
    let store = try scene.open()
    try Invoice.store(["3", "20"], in: store)
    try store.write { (database) throws in
      try database.changeType(of: "tip", in: "Invoice", to: .text, using: "tip")
      #expect(try Invoice.count(where: "tip > ?", 3) == 1)
    }
  }
}
