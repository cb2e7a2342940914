package import NacreEngine

/// The pieces of SQLite's SQL that other engines write in another way.
package final class SQLiteDialect: Dialect {
  /// The one dialect of all connections.
  package static let shared = SQLiteDialect()

  private init() {}

  package func type(_ storageClass: StorageClass) -> String {
    switch storageClass {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob, .null: "BLOB"
    }
  }
  package var anyType: String { "" }
  package var identifierType: String { "BLOB" }
  package var preparation: [String] { [] }

  package var keyedTableEnding: String { " WITHOUT ROWID" }
  package var generatedKey: String { " INTEGER PRIMARY KEY AUTOINCREMENT" }
  package func refusal(of value: Value) -> String? { nil }
  /// After a trigger SQLite gives the connection the number of the row before it.
  package var insertsReturnKeys: Bool { false }
  package var integerKey: String { " INTEGER PRIMARY KEY" }
  package var randomIdentifier: String { " DEFAULT (randomblob(16))" }
  // Of the names of the rowid, a column of a table that DAOs can use never has this one: see
  // `SQLiteSchema.rowKeyRefusal`.
  package var rowKeyColumn: String? { "_rowid_" }

  package var byteCollation: String { "BINARY" }
  package var decimalCollation: String? { EngineCollation.decimals }

  package func blob(hex digits: String) -> String { "x'\(digits)'" }
  package var refersAhead: Bool { true }

  package func hasSameBytes(_ a: String, _ b: String) -> String { "\(a) COLLATE BINARY IS \(b)" }

  package func isSame(_ a: String, _ b: String) -> String { "\(a) IS \(b)" }

  package var sealedCellType: String { "" }
  package func holds(_ storageClass: StorageClass, _ cell: String) -> String {
    "typeof(\(cell)) = '\(type(storageClass).lowercased())'"
  }
  package func isIdentical(_ a: String, _ b: String) -> String {
    "typeof(\(a)) = typeof(\(b)) AND " + hasSameBytes("+" + a, "+" + b)
  }
  package func byteCount(_ cell: String) -> String { "length(CAST(\(cell) AS BLOB))" }
  package func contains(_ cell: String, _ literal: String) -> String {
    "instr(\(cell), \(literal)) > 0"
  }
  package func isLikeEnvelope(_ cell: String) -> String {
    "(typeof(\(cell)) = 'blob' AND length(\(cell)) > 32 "
      + "AND hex(substr(\(cell), 1, 1)) BETWEEN '01' AND '1F')"
  }
  package func walkKey(_ parameter: Int) -> String {
    "CASE WHEN ?\(parameter + 1) THEN CAST(?\(parameter) AS TEXT) ELSE ?\(parameter) END"
  }

  /// Returns the statement that writes the whole file anew.
  package func vacuum(_ tables: [String]) -> String { "VACUUM" }
  package func replace(in table: String, _ columns: [String], keyCount: Int) -> String {
    "INSERT OR REPLACE" + row(in: table, columns)
  }
  package func insertIfMissing(in table: String, _ columns: [String]) -> String {
    "INSERT OR IGNORE" + row(in: table, columns)
  }
  package var randomInteger: String { "random()" }

  package var referenceTiming: String { " DEFERRABLE INITIALLY DEFERRED" }
  package var deferForeignKeys: String { "PRAGMA defer_foreign_keys = ON" }

  package func hasTriggers(where isOther: String, orReferencesInTablesWhere condition: String)
    -> String
  {
    """
    SELECT EXISTS (SELECT 1 FROM "sqlite_schema" WHERE ("type" = 'trigger' AND \(isOther)) OR \
    ("type" = 'table' AND "sql" LIKE '%REFERENCES%' AND \(condition)))
    """
  }

  package var falsehood: String { "0" }
  package var nullsFirst: String { "" }
  package func condition(_ text: String, columns: () -> NamedColumns) -> String { text }
  package func order(_ text: String, columns: () -> NamedColumns) -> String { text }

  package var decimalType: String { "TEXT COLLATE \(EngineCollation.decimals)" }
  package func orderedDecimal(_ expression: String) -> String {
    "\(expression) COLLATE \(EngineCollation.decimals)"
  }
  package func comparedDecimal(_ column: String) -> String { column }
  package func extremeDecimal(_ function: String, of column: String) -> String {
    "\(function)(\(orderedDecimal(column)))"
  }

  package func calls(_ function: EngineFunction) -> Bool { true }
  package func integerSum(of column: String) -> String { "sum(\(column))" }
  package func joinedTexts(of column: String) -> String { "group_concat(\(column), ' ')" }
  package var realFrame: (before: String, after: String) { ("", "") }
  package func integerOperation(_ word: String) -> (before: String, between: String, after: String)
  {
    ("(", " \(word) ", ")")
  }
  package var integerNegation: (before: String, after: String) { ("(- ", ")") }
  package func cast(to storageClass: StorageClass) -> (before: String, after: String) { ("", "") }
  package var hasTruthValues: Bool { false }
  // SQLite takes a number that is too large for infinity.
  package var infinity: String { "9e999" }
  package var realZero: String { "0" }

  package var anyValueType: String { type(.blob) }
  package func type(_ storageClass: StorageClass, collation: String) -> String? {
    "\(type(storageClass)) COLLATE \(collation)"
  }
  package func generatedKey(_ parameter: String, of column: String, in table: String) -> String {
    parameter
  }
  package func insertMissing(_ rows: String) -> String { "INSERT OR IGNORE " + rows }
  package var ordersDistinctRows: Bool { true }
  package func list(of values: [Value]) -> (value: Value, before: String, after: String)? { nil }
  package var subqueryName: String { "" }

  package var orderedJoin: String { "CROSS JOIN" }
  package func order(by columns: [String]) -> String { "" }

  package var fullText: (any FullTextDialect)? { SQLiteFullText() }

  package func place(ofObject number: Int64) -> String { "in row \(number) of sqlite_schema" }

  package func printDrop(_ kind: String, ofObject number: Int64) -> String {
    """
    SELECT 'DROP \(kind) "' || replace("name", '"', '""') || '"' FROM "sqlite_schema" \
    WHERE "rowid" = \(number)
    """
  }
}
