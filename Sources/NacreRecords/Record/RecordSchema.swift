import NacreCore
import NacreEngine
import NacreStore
import Synchronization

/// The schemas of this process, by record type and table.
private let schemas = Mutex<[SchemaName: any Sendable]>([:])

private struct SchemaName: Hashable {
  let type: ObjectIdentifier
  let table: String
}

/// The columns, keys, indexes and statements of one record type in one table, made once.
final class RecordSchema<R: Record>: @unchecked Sendable {
  // Sendable holds: all properties are constants.

  /// What the table has in common with that of an entity.
  let row: RowSchema
  let columns: [RecordColumn<R>]
  /// The key that the database generates; nil if the application sets the key.
  let generatedKey: RecordColumn<R>?
  let indexes: [(name: String, columns: [String], isUnique: Bool)]

  /// Returns the schema of a record type in a table.
  ///
  /// - Throws: `badDeclaration`.
  static func of(_ table: String) throws -> RecordSchema {
    let name = SchemaName(type: ObjectIdentifier(R.self), table: table)
    if let known = schemas.withLock({ $0[name] }) as? RecordSchema { return known }
    let made = try RecordSchema(table)
    // Another thread may have made one meanwhile. There must be only one, because connections know
    // it by its number.
    return schemas.withLock { schemas in
      if let known = schemas[name] as? RecordSchema { return known }
      schemas[name] = made
      return made
    }
  }

  private init(_ table: String) throws {
    let columns = R.columns
    self.columns = columns
    let properties = try columns.enumerated().map { try $1.property(at: $0) }
    generatedKey = columns.first { $0.role == .generatedKey }
    indexes = try R.indexes.map { index in
      let columns = try index.paths.map { path in
        guard let property = properties.first(where: { $0.keyPath == path }), !property.isSealed
        else {
          throw RecordSchema.fault(
            "index \(index.name) has a property without a plain column",
            table
          )
        }
        return property.column
      }
      return (index.name, columns, index.isUnique)
    }
    row = RowSchema(
      table: table,
      properties: properties,
      keys: columns.indices.filter { columns[$0].role != .value }
    ) { [columns] in try columns[$0.index].preset() }
    try checkNames()
  }

  var name: String { row.name }
  var table: String { row.table }
  var properties: [Property] { row.properties }
  /// The indices of the columns of the primary key.
  var keys: [Int] { row.keys }
  /// Whether a column is sealed; the rows then have a hidden objectID.
  var isSealed: Bool { row.hasObjectID }

  /// The names of the store's own columns in the table: blind indexes and the objectID.
  var hiddenColumns: Set<SQLName> {
    let indexes = Set(properties.compactMap(\.indexColumn).map(SQLName.init))
    return isSealed ? indexes.union([SQLName("objectID")]) : indexes
  }

  /// Throws if no table can store the record; a record without a key can only be merged.
  ///
  /// - Throws: `badDeclaration`.
  func checkKey() throws {
    if keys.isEmpty { throw RecordSchema.fault("none of its columns is the key", table) }
    if generatedKey != nil && keys.count > 1 {
      throw RecordSchema.fault(
        "a key that the database generates, an optional integer, must be the only key column",
        table
      )
    }
  }

  private func checkNames() throws {
    if table.isEmpty || SQLText.isReserved(table: table) {
      throw RecordSchema.fault(
        "its table needs a name that does not begin with the store's own prefix",
        table
      )
    }
    var names: Set = isSealed ? [SQLName("objectID")] : []
    for property in properties {
      for name in [property.column, property.indexColumn].compactMap({ $0 })
      where !names.insert(SQLName(name)).inserted {
        throw RecordSchema.fault("two columns have the name \(name)", table)
      }
    }
  }

  private static func fault(_ detail: String, _ table: String) -> NacreError {
    NacreError(.badDeclaration, entity: table, detail: detail)
  }

  /// Returns the index of a property's column.
  ///
  /// - Throws: `noSuchProperty`.
  func column(_ path: PartialKeyPath<R>) throws -> Int {
    try row.stored(path).index
  }
}
