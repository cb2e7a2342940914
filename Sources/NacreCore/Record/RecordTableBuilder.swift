import NacreEngine
import NacreSQLite
import NacreStore

/// A builder that makes a record type's table, columns and indexes if they are missing.
///
/// Only a table with sealed columns is in the catalog, because rotation and verification find their
/// tables there.
struct RecordTableBuilder<R: Record> {
  let database: Database
  let layout: RecordLayout<R>
  private var connection: any EngineConnection { database.connection }
  private var schema: EntitySchema { layout.schema }

  /// Returns whether the file has everything that `build()` would make.
  ///
  /// - Throws: `schemaMismatch`, or `migrationPending`.
  func isBuilt() throws -> Bool {
    guard try connection.has(schema.table) else { return false }
    let present = try checkedColumns()
    if layout.isSealed {
      guard try TableBuilder(database, schema).isBuilt() else { return false }
    }
    guard schema.properties.allSatisfy({ present.contains($0.column.lowercased()) }) else {
      return false
    }
    return try layout.indexes.allSatisfy {
      try connection.schema.hasIndex($0.name)
    }
  }

  func build() throws {
    if try connection.has(schema.table) {
      let present = try checkedColumns()
      if !layout.isSealed { try addColumns(missingFrom: present) }
    } else if try !isCatalogued {
      let statements = layout.sql.createTable(try defaults(), connection.dialect)
      for statement in statements { try connection.execute(statement) }
      if layout.isSealed {
        let row: [Value] = [.text(schema.name), .text(schema.table), .integer(1)]
        try database.changeCatalog(CatalogSQL.insertEntity, row)
      }
    }
    // The rest is made, or refused, as for an entity.
    if layout.isSealed { _ = try TableBuilder(database, schema).build() }
    for index in layout.indexes {
      try connection.execute(
        layout.sql.createIndex(
          index.name,
          index.columns,
          isUnique: index.isUnique,
          connection.dialect
        )
      )
    }
  }

  /// Returns the values for rows without one: a column's own default, or the value of a new record.
  func defaults() throws -> [String: Value] {
    let prototype = R()
    var defaults: [String: Value] = [:]
    for (column, property) in zip(layout.columns, schema.properties) where !property.isSealed {
      let preset = try column.access.preset()
      defaults[property.name] = preset == .null ? try column.access.get(prototype) : preset
    }
    return defaults
  }

  private var isCatalogued: Bool {
    get throws { try connection.scalar(CatalogSQL.selectEntity, [.text(schema.name)]) != nil }
  }

  /// Returns the names of the table's columns in lower case, after checking that it is a table of
  /// such records.
  private func checkedColumns() throws -> Set<String> {
    var present: Set<String> = []
    var keys: [Int: String] = [:]
    for column in try connection.schema.columns(of: schema.table) {
      let name = column.name.lowercased()
      present.insert(name)
      if let position = column.keyPosition { keys[position] = name }
    }
    let stored = keys.sorted { $0.key < $1.key }.map(\.value)
    let declared = layout.keys.map { schema.properties[$0].column.lowercased() }
    if stored != declared {
      throw mismatch("its key in the file is (\(stored.joined(separator: ", ")))")
    }
    if !layout.isSealed,
      try connection.scalar(RecordSQL.selectEntity, [.text(schema.table)]) != nil
    {
      throw mismatch("the table has sealed columns or belongs to an entity")
    }
    return present
  }

  private func addColumns(missingFrom present: Set<String>) throws {
    let missing = schema.properties.filter { !present.contains($0.column.lowercased()) }
    guard let first = missing.first else { return }
    if !database.home.options.forEntities.addsMissingColumns {
      throw mismatch("the table has no column for \(first.name)")
    }
    let defaults = try defaults()
    for property in missing {
      let statements = SchemaSQL(schema: schema, dialect: connection.dialect).addColumn(
        property,
        default: defaults[property.name]
      )
      for statement in statements { try connection.execute(statement) }
    }
  }

  private func mismatch(_ detail: String) -> NacreError {
    NacreError(.schemaMismatch, entity: schema.name, detail: detail)
  }
}
