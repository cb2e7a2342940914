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
  // Sendable holds: nothing changes.

  /// The table as the rest of the store sees it: what seals, searches, verifies and rotates works by it.
  let schema: EntitySchema
  let columns: [RecordColumn<R>]
  /// The columns of the primary key.
  let keys: [Int]
  /// The key that the database gives, where it does.
  let generatedKey: RecordColumn<R>?
  /// Whether a column is sealed; the rows then have a hidden objectID.
  let isSealed: Bool
  let indexes: [(name: String, columns: [String], isUnique: Bool)]
  let sql: RecordSQL

  /// The layout of a record type in a table.
  ///
  /// - Throws: `badDeclaration`.
  static func of(_ table: String) throws -> RecordLayout {
    let name = LayoutName(type: ObjectIdentifier(R.self), table: table)
    if let known = layouts.withLock({ $0[name] }) as? RecordLayout { return known }
    let made = try RecordLayout(table)
    // Another thread may have made it meanwhile; there must be one, for connections know it by its number.
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

  /// Refuses a record that no table can keep; one without a key is good for merging alone.
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
    var names: Set<String> = isSealed ? ["objectid"] : []
    for property in schema.properties {
      for name in [property.column, property.indexColumn].compactMap({ $0?.lowercased() })
      where !names.insert(name).inserted {
        throw RecordLayout.fault("two columns have the name \(name)", schema)
      }
    }
  }

  private static func fault(_ detail: String, _ schema: EntitySchema) -> NacreError {
    NacreError(.badDeclaration, entity: schema.name, detail: detail)
  }

  /// The column of a property.
  ///
  /// - Throws: `noSuchProperty`.
  package func column(_ path: PartialKeyPath<R>) throws -> Int {
    guard let property = schema.property(path) else {
      throw NacreError(.noSuchProperty, entity: schema.name, detail: "\(path)")
    }
    return property.index
  }
}

/// Stands where a schema names its class: a record table has none, and none is ever made of its rows.
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
