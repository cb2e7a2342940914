import NacreSQLite
import NacreStore
import Synchronization

/// The layouts of this process, by record type and table.
private let layouts = Mutex<[LayoutName: any Sendable]>([:])

private struct LayoutName: Hashable {
  let type: ObjectIdentifier
  let table: String
}

/// The columns, keys, indexes and statements of one record type in one table, made once.
final class RecordLayout<R: Record>: @unchecked Sendable {
  // Sendable holds: all properties are constants.

  /// The table as the schema of an entity, for the code that seals, searches, verifies and rotates.
  let schema: EntitySchema
  let columns: [RecordColumn<R>]
  /// The indices of the columns of the primary key.
  let keys: [Int]
  /// The key that the database generates; nil if the application sets the key.
  let generatedKey: RecordColumn<R>?
  /// Whether a column is sealed; the rows then have a hidden objectID.
  let isSealed: Bool
  let indexes: [(name: String, columns: [String], isUnique: Bool)]
  let sql: RecordSQL

  /// Returns the layout of a record type in a table.
  ///
  /// - Throws: `badDeclaration`.
  static func of(_ table: String) throws -> RecordLayout {
    let name = LayoutName(type: ObjectIdentifier(R.self), table: table)
    if let known = layouts.withLock({ $0[name] }) as? RecordLayout { return known }
    let made = try RecordLayout(table)
    // Another thread may have made one meanwhile. There must be only one, because connections know
    // it by its number.
    return layouts.withLock { layouts in
      if let known = layouts[name] as? RecordLayout { return known }
      layouts[name] = made
      return made
    }
  }

  private init(_ table: String) throws {
    let columns = R.columns
    self.columns = columns
    let properties = try columns.enumerated().map { try $1.property(at: $0) }
    schema = EntitySchema(
      name: table,
      table: table,
      type: RecordRow.self,
      identifiers: .v7,
      properties: properties
    )
    keys = columns.indices.filter { columns[$0].declaration.role != .value }
    generatedKey = columns.first { $0.declaration.role == .generatedKey }
    isSealed = properties.contains(where: \.isSealed)
    sql = RecordSQL(
      schema: schema,
      keys: keys,
      isGenerated: generatedKey != nil,
      isSealed: isSealed
    )
    indexes = try R.indexes.map { [schema] index in
      let columns = try index.paths.map { path in
        guard let property = schema.property(path), !property.isSealed else {
          throw RecordLayout.fault(
            "index \(index.name) has a property without a plain column",
            schema
          )
        }
        return property.column
      }
      return (index.name, columns, index.isUnique)
    }
    try checkTableName()
    try checkNames()
  }

  /// Throws if no table can store the record; a record without a key can only be merged.
  ///
  /// - Throws: `badDeclaration`.
  func checkKey() throws {
    if keys.isEmpty { throw RecordLayout.fault("none of its columns is the key", schema) }
    if generatedKey != nil && keys.count > 1 {
      throw RecordLayout.fault(
        "a key that the database generates, an optional integer, must be the only key column",
        schema
      )
    }
  }

  private func checkTableName() throws {
    if schema.table.isEmpty || SQLText.isReserved(table: schema.table) {
      throw RecordLayout.fault(
        "its table needs a name that does not begin with the store's own prefix",
        schema
      )
    }
  }

  private func checkNames() throws {
    var names: Set = isSealed ? [SQLName("objectID")] : []
    for property in schema.properties {
      for name in [property.column, property.indexColumn].compactMap({ $0 })
      where !names.insert(SQLName(name)).inserted {
        throw RecordLayout.fault("two columns have the name \(name)", schema)
      }
    }
  }

  private static func fault(_ detail: String, _ schema: EntitySchema) -> NacreError {
    NacreError(.badDeclaration, entity: schema.name, detail: detail)
  }

  /// Returns the index of a property's column.
  ///
  /// - Throws: `noSuchProperty`.
  package func column(_ path: PartialKeyPath<R>) throws -> Int {
    guard let property = schema.property(path) else {
      throw NacreError(.noSuchProperty, entity: schema.name, detail: "\(path)")
    }
    return property.index
  }
}

/// The placeholder for the class in the schema of a record table, which has no class; no row is
/// ever read into it.
private final class RecordRow: Entity {
  static let entitySchema = EntitySchema(
    name: "",
    table: "",
    type: RecordRow.self,
    identifiers: .v7,
    properties: []
  )
  var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {}

  func bindProperties(to row: RowBinder) throws {}

  func visitChildren(_ walk: GraphWalk) {}
}
