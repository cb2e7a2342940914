package import NacreEngine

/// Pieces of the definitions of tables, columns and indexes.
package enum TableSQL {
  /// Returns the definition of the column that holds the objectIDs of a table's own rows.
  ///
  /// A row that SQL inserts without an objectID gets one, so that a hook or a batch of statements
  /// can insert rows that name only their properties.
  package static func objectID(isKey: Bool, _ dialect: any Dialect) -> String {
    "\"objectID\" \(dialect.identifierType) NOT NULL" + (isKey ? " PRIMARY KEY" : "")
      + dialect.randomIdentifier
  }

  /// Returns the statements that create the table of a to-many relationship between the objects of
  /// two tables.
  ///
  /// It refers to the two tables if they are there (`hasTargets`), or if the engine allows it before.
  package static func createJoinTable(
    _ name: String,
    owner: String,
    target: String,
    isOrdered: Bool,
    hasTargets: Bool = false,
    _ dialect: any Dialect
  ) -> [String] {
    let refers = hasTargets || dialect.refersAhead
    let type = dialect.identifierType
    let end = { (table: String) in
      " \(type) NOT NULL"
        + (refers ? reference(to: table, onDelete: "CASCADE", dialect) : "")
    }
    let (owner, child) = ("\"owner\"" + end(owner), "\"child\"" + end(target))
    let columns =
      isOrdered
      ? "\(owner), \"position\" \(dialect.type(.integer)) NOT NULL, \(child), PRIMARY KEY (\"owner\", \"position\")"
      : "\(owner), \(child), PRIMARY KEY (\"owner\", \"child\")"
    return [
      "CREATE TABLE \(SQLText.name(name)) (\(columns))\(dialect.keyedTableEnding)",
      "CREATE INDEX \(SQLText.name(name + "__child")) ON \(SQLText.name(name)) (\"child\")",
    ]
  }

  /// Returns the clause for a column that holds objectIDs of a table; the engine checks it when the
  /// transaction is committed, if it can.
  package static func reference(
    to table: String,
    onDelete action: String,
    _ dialect: any Dialect
  ) -> String {
    " REFERENCES \(SQLText.name(table)) (\"objectID\") ON DELETE \(action)"
      + dialect.referenceTiming
  }

  /// Returns the statement that makes a column of a table refer to the objects of another one.
  package static func addReference(
    _ column: String,
    of table: String,
    to target: String,
    onDelete action: String,
    _ dialect: any Dialect
  ) -> String {
    "ALTER TABLE \(SQLText.name(table)) ADD FOREIGN KEY (\(SQLText.name(column)))"
      + reference(to: target, onDelete: action, dialect)
  }

  /// Returns the statement that creates an index of one column, named after table and column.
  package static func createIndex(
    table: String,
    column: String,
    isUnique: Bool,
    holdsDecimals: Bool = false,
    _ dialect: any Dialect
  ) -> String {
    "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(indexName(table: table, column: column)) "
      + "ON \(SQLText.name(table)) (\(term(column, isUnique: isUnique, holdsDecimals: holdsDecimals, dialect)))"
  }

  private static func term(
    _ column: String,
    isUnique: Bool,
    holdsDecimals: Bool,
    _ dialect: any Dialect
  ) -> String {
    holdsDecimals && !isUnique
      ? dialect.comparedDecimal(SQLText.name(column))
      : indexed(column, isText: isUnique && holdsDecimals, dialect)
  }

  /// Returns a column as it appears in an index, or in a search by one.
  ///
  /// Unique decimals are compared as texts, whatever collation their column has.
  package static func indexed(_ column: String, isText: Bool, _ dialect: any Dialect) -> String {
    SQLText.name(column) + (isText ? collate(dialect.byteCollation) : "")
  }

  /// Returns the clause that gives a column, or an expression, a collation; an empty text for nil.
  package static func collate(_ collation: String?) -> String {
    collation.map { " COLLATE \($0)" } ?? ""
  }

  /// Returns the quoted name of a column's index.
  package static func indexName(table: String, column: String) -> String {
    SQLText.name(table + "__" + column)
  }

  /// Returns the name of a storage class in the catalog, which is also the type of a column on SQLite.
  package static func affinity(_ storageClass: StorageClass) -> String {
    switch storageClass {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob, .null: "BLOB"
    }
  }
}
