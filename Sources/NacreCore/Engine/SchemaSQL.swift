import NacreSQLite

/// The definitions of an entity's tables and indexes.
///
/// Every table is WITHOUT ROWID: its rows lie under their own key, in one tree. References are deferred foreign keys,
/// so that objects of a cycle can be stored in any order.
struct SchemaSQL {
  let schema: EntitySchema

  /// The entity's table and the indexes of its columns.
  func createTable(_ defaults: [String: Value]) -> [String] {
    var columns = ["\"objectID\" BLOB NOT NULL PRIMARY KEY"]
    for property in schema.properties where property.hasColumn {
      columns.append(column(property, default: defaults[property.name]))
    }
    return [
      "CREATE TABLE \(SQLText.name(schema.table)) (\(columns.joined(separator: ", "))) WITHOUT ROWID"
    ]
      + schema.properties.compactMap(index)
  }

  /// A column for a property that the table lacks, with its index.
  func addColumn(_ property: Property, default value: Value?) -> [String] {
    let definition = column(property, default: value)
    return ["ALTER TABLE \(SQLText.name(schema.table)) ADD COLUMN \(definition)"]
      + [index(property)].compactMap { $0 }
  }

  /// The table of a to-many relationship that neither end has a column for.
  func createJoinTable(_ property: Property) -> [String] {
    guard let sql = RelationshipSQL(owner: schema, property: property), let name = sql.joinTable
    else { return [] }
    let owner = reference("owner", to: schema, onDelete: "CASCADE")
    let child = reference("child", to: sql.target, onDelete: "CASCADE")
    let isOrdered = if case .children = property.kind { true } else { false }
    let columns =
      isOrdered
      ? "\(owner), \"position\" INTEGER NOT NULL, \(child), PRIMARY KEY (\"owner\", \"position\")"
      : "\(owner), \(child), PRIMARY KEY (\"owner\", \"child\")"
    return [
      "CREATE TABLE \(SQLText.name(name)) (\(columns)) WITHOUT ROWID",
      "CREATE INDEX \(SQLText.name(name + "__child")) ON \(SQLText.name(name)) (\"child\")",
    ]
  }

  private func column(_ property: Property, default value: Value?) -> String {
    let name = SQLText.name(property.column)
    switch property.kind {
    case .value(let kind) where kind.isSealed:
      return name + " BLOB"
    case .value(let kind):
      let type = SchemaSQL.affinity(kind.storageClass)
      let null = kind.acceptsNull ? "" : " NOT NULL"
      let preset = value.flatMap { $0 == .null ? nil : " DEFAULT \(SQLText.literal($0))" } ?? ""
      return "\(name) \(type)\(null)\(preset)"
    case .child, .link, .children, .links:
      let target = property.relationship?.target.entitySchema.table ?? ""
      return "\(name) BLOB REFERENCES \(SQLText.name(target)) (\"objectID\") "
        + "ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED"
    }
  }

  private func reference(_ name: String, to target: EntitySchema, onDelete: String) -> String {
    "\"\(name)\" BLOB NOT NULL REFERENCES \(SQLText.name(target.table)) (\"objectID\") "
      + "ON DELETE \(onDelete) DEFERRABLE INITIALLY DEFERRED"
  }

  /// References are indexed because a delete looks for those who refer to it.
  private func index(_ property: Property) -> String? {
    let unique: Bool
    switch property.kind {
    case .value(let kind) where kind.isUnique: unique = true
    case .value(let kind) where kind.isIndexed: unique = false
    case .child, .link: unique = false
    case .value, .children, .links: return nil
    }
    let name = SQLText.name(schema.table + "__" + property.column)
    return "CREATE \(unique ? "UNIQUE " : "")INDEX \(name) "
      + "ON \(SQLText.name(schema.table)) (\(SQLText.name(property.column)))"
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
