import Foundation
import NacreCore
import NacreRecords
@testable import TestSupport

/// An entity with decimals: an indexed one, a unique one, and one that can be nil.
final class Invoice: Entity {
  var number = 0 { didSet { entityState.markChanged(0) } }
  var total = Decimal(0) { didSet { entityState.markChanged(1) } }
  var code = Decimal(0) { didSet { entityState.markChanged(2) } }
  var tip: Decimal? { didSet { entityState.markChanged(3) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    number = try row.read(at: 0)
    total = try row.read(at: 1)
    code = try row.read(at: 2)
    tip = try row.read(at: 3)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(number, at: 0)
    try row.bind(total, at: 1)
    try row.bind(code, at: 2)
    try row.bind(tip, at: 3)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Invoice.self, name: "Invoice")
    schema.add("number", \Invoice.number)
    schema.add("total", \Invoice.total, column: ColumnOptions(isIndexed: true))
    schema.add("code", \Invoice.code, column: ColumnOptions(isUnique: true))
    schema.add("tip", \Invoice.tip)
    return schema.build()
  }()

  /// The table as it was made before columns of decimals had a collation.
  static let formerTable = [
    """
    CREATE TABLE "Invoice" ("objectID" BLOB NOT NULL PRIMARY KEY, "number" INTEGER NOT NULL \
    DEFAULT 0, "total" TEXT NOT NULL DEFAULT '0', "code" TEXT NOT NULL DEFAULT '0', "tip" TEXT) \
    WITHOUT ROWID
    """,
    "CREATE INDEX \"Invoice__total\" ON \"Invoice\" (\"total\")",
    "CREATE UNIQUE INDEX \"Invoice__code\" ON \"Invoice\" (\"code\")",
  ]

  /// Stores an invoice of each total, numbered from 0, with the total as its code, and as its tip but for the first.
  static func store(_ totals: [String], in store: Store) throws {
    try store.write { _ in
      for (number, total) in totals.enumerated() {
        let invoice = Invoice.create()
        invoice.number = number
        invoice.total = Decimal(string: total) ?? -1
        invoice.code = invoice.total
        invoice.tip = number == 0 ? nil : invoice.total
        try invoice.save()
      }
    }
  }
}

/// A record with the same, and with indexes of its own.
struct Receipt: Record, Equatable {
  var id: Int64?
  var total = Decimal(0)
  var code = Decimal(0)
  var tip: Decimal?

  init() {}

  init(_ total: String) {
    self.total = Decimal(string: total) ?? -1
    code = self.total
  }

  static let columns: [RecordColumn<Receipt>] = [
    .key(\.id), .column(\.total, indexed: true), .column(\.code, unique: true), .column(\.tip),
  ]
  static let indexes: [RecordIndex<Receipt>] = [
    RecordIndex("receiptTips", on: \.tip, \.code, unique: true)
  ]

  /// The table as it was made before columns of decimals had a collation.
  static let formerTable = [
    """
    CREATE TABLE "Receipt" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "total" TEXT NOT NULL DEFAULT \
    '0', "code" TEXT NOT NULL DEFAULT '0', "tip" TEXT)
    """,
    "CREATE INDEX \"Receipt__total\" ON \"Receipt\" (\"total\")",
    "CREATE UNIQUE INDEX \"Receipt__code\" ON \"Receipt\" (\"code\")",
    "CREATE UNIQUE INDEX \"receiptTips\" ON \"Receipt\" (\"tip\", \"code\")",
  ]
}

/// A record whose key is a decimal.
struct Tariff: Record, Equatable {
  var rate = Decimal(0)

  init() {}

  init(_ rate: String) { self.rate = Decimal(string: rate) ?? -1 }

  static let columns: [RecordColumn<Tariff>] = [.key(\.rate)]
}

extension Scene {
  /// A store whose table is as an earlier version made it, with nothing in it.
  func withTable(_ statements: [String], make: (Store) throws -> Void) throws -> Store {
    let store = try open()
    try make(store)
    try store.close()
    let name = statements.first?.split(separator: "\"").dropFirst().first ?? ""
    try edit("DROP TABLE \"\(name)\"")
    for statement in statements { try edit(statement) }
    return try open()
  }
}
