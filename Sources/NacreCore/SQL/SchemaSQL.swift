import NacreEngine
import NacreStore

/// The definitions of an entity's tables and indexes.
///
/// The rows of every table are stored under its own key, in one tree. References are deferred
/// foreign keys, so that objects in a cycle can be stored in any order.
package struct SchemaSQL {
  let schema: RowSchema
  let dialect: any Dialect

  /// Writes the definitions of a table in the SQL of an engine.
  package init(schema: RowSchema, dialect: any Dialect) {
    self.schema = schema
    self.dialect = dialect
  }

  /// The type of a column for the objects' places in a list, which may be NULL in a row.
  static func position(_ dialect: any Dialect) -> String { dialect.type(.integer) }

  /// Returns the statements that make the entity's table and the indexes of its columns.
  func createTable(_ defaults: [String: Value]) -> [String] {
    var columns = [TableSQL.objectID(isKey: true, dialect)]
    for property in schema.properties where property.hasColumn {
      columns.append(column(property, default: defaults[property.name]))
      columns += indexColumn(property).map { [$0] } ?? []
    }
    if schema.detectsConflicts { columns.append(VersionSQL.definition(dialect)) }
    columns += schema.positionColumns.map { "\(SQLText.name($0)) \(SchemaSQL.position(dialect))" }
    let body = columns.joined(separator: ", ")
    return ["CREATE TABLE \(SQLText.name(schema.table)) (\(body))\(dialect.keyedTableEnding)"]
      + schema.properties.compactMap(index)
  }

  /// Returns the statements that add the column that the table lacks for a property, with its
  /// index.
  package func addColumn(_ property: Property, default value: Value?) -> [String] {
    let definitions = [column(property, default: value), indexColumn(property)].compactMap { $0 }
    return definitions.map { "ALTER TABLE \(SQLText.name(schema.table)) ADD COLUMN \($0)" }
      + [index(property)].compactMap { $0 }
  }

  /// Returns the statements that make the table of a to-many relationship for which neither end has
  /// a column.
  func createJoinTable(_ property: Property) -> [String] {
    guard let sql = RelationshipSQL(owner: schema, property: property), let name = sql.joinTable
    else { return [] }
    let isOrdered = if case .children = property.kind { true } else { false }
    return TableSQL.createJoinTable(
      name,
      owner: schema.table,
      target: sql.target.table,
      isOrdered: isOrdered,
      dialect
    )
  }

  /// Returns the definition of a column, with its name.
  package func column(_ property: Property, default value: Value?) -> String {
    SQLText.name(property.column) + " " + definition(property, default: value)
  }

  /// Returns the definition of a column, after its name.
  func definition(_ property: Property, default value: Value?) -> String {
    switch property.kind {
    case .value(let kind) where kind.sealing != nil:
      return dialect.type(.blob)
    case .value(let kind):
      let type = type(of: kind)
      let null = kind.acceptsNull ? "" : " NOT NULL"
      let preset =
        value.flatMap { $0 == .null ? nil : " DEFAULT \(SQLText.literal($0, dialect))" } ?? ""
      let check = kind.check.map { " CHECK (\($0))" } ?? ""
      return "\(type)\(null)\(preset)\(check)"
    case .child, .link, .children, .links:
      let target = property.relationship?.target.entitySchema.table ?? ""
      return dialect.identifierType
        + (dialect.refersAhead
          ? TableSQL.reference(to: target, onDelete: "SET NULL", dialect)
          : "")
    }
  }

  /// Returns the type of an unsealed column, with the rule by which its texts are compared.
  private func type(of kind: Property.ValueKind) -> String {
    if kind.comparesDecimals { return dialect.decimalType }
    let collated = kind.collation.flatMap {
      dialect.type(kind.storageClass, collation: $0.rawValue)
    }
    return collated ?? (kind.takesAnyClass ? dialect.anyValueType : dialect.type(kind.storageClass))
  }

  /// Returns the definition of the hidden column of a blind index, or nil if the property has none.
  package func indexColumn(_ property: Property) -> String? {
    property.indexColumn.map { SQLText.name($0) + " " + dialect.type(.blob) }
  }

  /// Returns the statement that makes a property's index, or nil if the property has none.
  package func index(_ property: Property) -> String? {
    wantedIndex(property).map {
      TableSQL.createIndex(
        table: schema.table,
        column: $0.column,
        isUnique: $0.isUnique,
        holdsDecimals: property.holdsDecimals,
        dialect
      )
    }
  }

  /// Returns the column of a property's index, and whether the index is unique; nil if the property
  /// has none.
  ///
  /// References are indexed, because a delete looks for the rows that refer to it.
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
}
