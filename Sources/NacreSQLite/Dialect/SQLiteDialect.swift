package import NacreEngine

/// The pieces of SQLite's SQL that other engines write in another way.
package final class SQLiteDialect: Dialect {
  /// The one dialect of all connections.
  package static let shared = SQLiteDialect()

  private init() {}

  package var keyedTableEnding: String { " WITHOUT ROWID" }
  package var generatedKey: String { " INTEGER PRIMARY KEY AUTOINCREMENT" }
  package var randomIdentifier: String { " DEFAULT (randomblob(16))" }
  // Of the names of the rowid, a column of a table that DAOs can use never has this one: see
  // `SQLiteSchema.rowKeyRefusal`.
  package var rowKeyColumn: String? { "_rowid_" }

  package var byteCollation: String { "BINARY" }
  package var decimalCollation: String? { EngineCollation.decimals }

  package func hasSameBytes(_ a: String, _ b: String) -> String { "\(a) COLLATE BINARY IS \(b)" }

  package var deferForeignKeys: String { "PRAGMA defer_foreign_keys = ON" }

  package func hasTriggers(where isOther: String, orReferencesInTablesWhere condition: String)
    -> String
  {
    """
    SELECT EXISTS (SELECT 1 FROM "sqlite_schema" WHERE ("type" = 'trigger' AND \(isOther)) OR \
    ("type" = 'table' AND "sql" LIKE '%REFERENCES%' AND \(condition)))
    """
  }

  package var fullText: (any FullTextDialect)? { SQLiteFullText() }

  package func place(ofObject number: Int64) -> String { "in row \(number) of sqlite_schema" }

  package func printDrop(_ kind: String, ofObject number: Int64) -> String {
    """
    SELECT 'DROP \(kind) "' || replace("name", '"', '""') || '"' FROM "sqlite_schema" \
    WHERE "rowid" = \(number)
    """
  }
}
