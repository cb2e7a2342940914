import NacreSQLite

/// The definitions of an entity's tables and indexes.
///
/// Every table is WITHOUT ROWID: its rows lie under their own key, in one tree. References are deferred foreign keys,
/// so that objects of a cycle can be stored in any order.
package struct SchemaSQL {
  let schema: EntitySchema

  /// The entity's table and the indexes of its columns.
  func createTable(_ defaults: [String: Value]) -> [String] {
    var columns = ["\"objectID\" BLOB NOT NULL PRIMARY KEY"]
    for property in schema.properties where property.hasColumn {
      columns.append(column(property, default: defaults[property.name]))
      columns += indexColumn(property).map { [$0] } ?? []
    }
    if schema.detectsConflicts { columns.append(VersionSQL.definition) }
    columns += schema.positionColumns.map(SchemaSQL.position)
    return [
      "CREATE TABLE \(SQLText.name(schema.table)) (\(columns.joined(separator: ", "))) WITHOUT ROWID"
    ]
      + schema.properties.compactMap(index)
  }

  /// A column for a property that the table lacks, with its index.
  func addColumn(_ property: Property, default value: Value?) -> [String] {
    let definitions = [column(property, default: value), indexColumn(property)].compactMap { $0 }
    return definitions.map { "ALTER TABLE \(SQLText.name(schema.table)) ADD COLUMN \($0)" }
      + [index(property)].compactMap { $0 }
  }

  /// The table of a to-many relationship that neither end has a column for.
  func createJoinTable(_ property: Property) -> [String] {
    guard let sql = RelationshipSQL(owner: schema, property: property), let name = sql.joinTable
    else { return [] }
    let isOrdered = if case .children = property.kind { true } else { false }
    return SchemaSQL.createJoinTable(
      name,
      owner: schema.table,
      target: sql.target.table,
      isOrdered: isOrdered
    )
  }

  /// The table of a to-many relationship between the objects of two tables.
  package static func createJoinTable(
    _ name: String,
    owner: String,
    target: String,
    isOrdered: Bool
  ) -> [String] {
    let owner = "\"owner\" BLOB NOT NULL" + reference(to: owner, onDelete: "CASCADE")
    let child = "\"child\" BLOB NOT NULL" + reference(to: target, onDelete: "CASCADE")
    let columns =
      isOrdered
      ? "\(owner), \"position\" INTEGER NOT NULL, \(child), PRIMARY KEY (\"owner\", \"position\")"
      : "\(owner), \(child), PRIMARY KEY (\"owner\", \"child\")"
    return [
      "CREATE TABLE \(SQLText.name(name)) (\(columns)) WITHOUT ROWID",
      "CREATE INDEX \(SQLText.name(name + "__child")) ON \(SQLText.name(name)) (\"child\")",
    ]
  }

  package func column(_ property: Property, default value: Value?) -> String {
    SQLText.name(property.column) + " " + definition(property, default: value)
  }

  /// Returns the definition of a column, behind its name.
  func definition(_ property: Property, default value: Value?) -> String {
    switch property.kind {
    case .value(let kind) where kind.sealing != nil:
      return "BLOB"
    case .value(let kind):
      let type = SchemaSQL.affinity(kind.storageClass) + SchemaSQL.collate(kind.collation)
      let null = kind.acceptsNull ? "" : " NOT NULL"
      let preset = value.flatMap { $0 == .null ? nil : " DEFAULT \(SQLText.literal($0))" } ?? ""
      return "\(type)\(null)\(preset)"
    case .child, .link, .children, .links:
      let target = property.relationship?.target.entitySchema.table ?? ""
      return "BLOB" + SchemaSQL.reference(to: target, onDelete: "SET NULL")
    }
  }

  /// A column for the objects' places in a list, which rows need not have.
  func addPosition(_ column: String) -> [String] {
    ["ALTER TABLE \(SQLText.name(schema.table)) ADD COLUMN \(SchemaSQL.position(column))"]
  }

  private static func position(_ column: String) -> String { SQLText.name(column) + " INTEGER" }

  /// The hidden column of a blind index.
  func indexColumn(_ property: Property) -> String? {
    property.indexColumn.map { SQLText.name($0) + " BLOB" }
  }

  /// Returns the clause by which a column holds objectIDs of a table, checked when the transaction
  /// is committed.
  static func reference(to table: String, onDelete action: String) -> String {
    " REFERENCES \(SQLText.name(table)) (\"objectID\") "
      + "ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
  }

  func index(_ property: Property) -> String? {
    wantedIndex(property).map {
      SchemaSQL.createIndex(
        table: schema.table,
        column: $0.column,
        isUnique: $0.isUnique,
        holdsDecimals: property.holdsDecimals
      )
    }
  }

  /// The column of a property's index, and whether the index is unique; nil where the property has none.
  ///
  /// References are indexed because a delete looks for those who refer to it.
  func wantedIndex(_ property: Property) -> (column: String, isUnique: Bool)? {
    switch property.kind {
    case .value(let kind) where kind.sealing != nil:
      guard let hidden = property.indexColumn else { return nil }
      return (hidden, kind.sealing?.isUnique ?? false)
    case .value(let kind) where kind.isUnique: return (property.column, true)
    case .value(let kind) where kind.isIndexed: return (property.column, false)
    case .child, .link: return (property.column, false)
    case .value, .children, .links: return nil
    }
  }

  /// An index of one column, named after table and column.
  static func createIndex(
    table: String,
    column: String,
    isUnique: Bool,
    holdsDecimals: Bool = false
  ) -> String {
    "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(indexName(table: table, column: column)) "
      + "ON \(SQLText.name(table)) (\(indexed(column, isText: isUnique && holdsDecimals)))"
  }

  /// A column as an index, or a search by one, has it: decimals that no two rows may have alike are told apart by their
  /// texts, whatever their column compares.
  static func indexed(_ column: String, isText: Bool) -> String {
    SQLText.name(column) + (isText ? collate("BINARY") : "")
  }

  /// Returns the clause that gives a column, or an expression, a collation; the empty text for nil.
  static func collate(_ collation: String?) -> String {
    collation.map { " COLLATE \($0)" } ?? ""
  }

  /// The quoted name of a column's index.
  static func indexName(table: String, column: String) -> String {
    SQLText.name(table + "__" + column)
  }

  /// The column type that keeps a storage class as it is.
  static func affinity(_ storageClass: StorageClass) -> String {
    switch storageClass {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob, .null: "BLOB"
    }
  }
}
