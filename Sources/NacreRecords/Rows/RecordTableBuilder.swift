import NacreCore
import NacreEngine
import NacreStore

/// A builder that makes a record type's table, columns and indexes if they are missing.
///
/// Only a table with sealed columns is in the catalog, because rotation and verification find their
/// tables there.
struct RecordTableBuilder<R: Record> {
  let database: Database
  let schema: RecordSchema<R>
  private var connection: any EngineConnection { database.connection }

  /// Returns whether the file has everything that `build()` would make.
  ///
  /// - Throws: `schemaMismatch`, `migrationPending`, or `newerSchema`.
  func isBuilt() throws -> Bool {
    guard try connection.has(schema.table), try storedVersion() == R.recordVersion else {
      return false
    }
    let present = try checkedColumns()
    if try schema.isSealed && !TableBuilder(database, schema.row).isBuilt() { return false }
    let columns = schema.properties.map { SQLName($0.column) }
    guard present.isSuperset(of: columns) else { return false }
    return try schema.indexes.allSatisfy { try connection.schema.hasIndex($0.name) }
  }

  func build() throws {
    let sql = RecordSQL(
      schema: schema.row,
      isGenerated: schema.generatedKey != nil,
      dialect: connection.dialect
    )
    let former = try connection.has(schema.table) ? storedVersion() : 0
    if former > 0 {
      let present = try checkedColumns()
      if !schema.isSealed { try addColumns(missingFrom: present) }
    } else if try connection.scalar(CatalogSQL.selectEntity, [.text(schema.name)]) == nil {
      try CollationDeclaration.check(schema.row, connection.dialect)
      let defaults = try TableBuilder(database, schema.row).defaults(schema.properties)
      for statement in sql.createTable(defaults) { try connection.execute(statement) }
      if schema.isSealed {
        let row: [Value] = [.text(schema.name), .text(schema.table), .integer(1)]
        try database.changeCatalog(CatalogSQL.insertEntity(connection.dialect), row)
      }
    }
    // The rest is made, or refused, as for an entity.
    if schema.isSealed { _ = try TableBuilder(database, schema.row).build() }
    for index in schema.indexes {
      try connection.execute(
        sql.createIndex(index.name, index.columns, isUnique: index.isUnique)
      )
    }
    if former != R.recordVersion { try raiseVersion(from: former) }
  }

  // MARK: Versions

  /// Returns the version of the table, which is 1 unless the file says otherwise.
  ///
  /// - Throws: `newerSchema` if it is higher than the record's.
  private func storedVersion() throws -> Int {
    let found = try connection.scalar(CatalogSQL.getValue, [versionRow])
    guard case .integer(let number)? = found else { return 1 }
    if number <= R.recordVersion { return Int(clamping: number) }
    throw NacreError(
      .newerSchema,
      entity: schema.name,
      detail: "the table has version \(number), the record has \(R.recordVersion)"
    )
  }

  private var versionRow: Value { .text("recordVersion " + SQLName(schema.table).text) }

  /// Runs the record's hook, and gives the table the record's version.
  private func raiseVersion(from former: Int) throws {
    let version = R.recordVersion
    _ = try database.runHook(
      of: schema.name,
      from: former,
      to: version,
      declared: schema.isSealed ? [TableBuilder(database, schema.row).declared] : []
    ) { try R.migrate(schema.table, from: former, to: version) }
    // A table of that name that is gone may have left its version.
    if try version > 1 || connection.scalar(CatalogSQL.getValue, [versionRow]) != nil {
      try connection.run(
        CatalogSQL.setValue(connection.dialect),
        [versionRow, .integer(Int64(version))]
      )
    }
  }

  /// Returns the names of the table's columns, after checking that it is a table of such records.
  private func checkedColumns() throws -> Set<SQLName> {
    var present: Set<SQLName> = []
    var keys: [Int: String] = [:]
    for column in try connection.schema.columns(of: schema.table) {
      present.insert(SQLName(column.name))
      if let position = column.keyPosition { keys[position] = column.name }
    }
    let stored = keys.sorted { $0.key < $1.key }.map(\.value)
    let declared = schema.keys.map { SQLName(schema.properties[$0].column) }
    if stored.map(SQLName.init) != declared {
      throw mismatch("its key in the file is (\(stored.joined(separator: ", ")))")
    }
    if !schema.isSealed,
      try connection.scalar(CatalogSQL.entityOfTable, [.text(schema.table)]) != nil
    {
      throw mismatch("the table has sealed columns or belongs to an entity")
    }
    return present
  }

  private func addColumns(missingFrom present: Set<SQLName>) throws {
    let missing = schema.properties.filter { !present.contains(SQLName($0.column)) }
    guard let first = missing.first else { return }
    if !database.home.options.addsMissingColumns {
      throw mismatch("the table has no column for \(first.name)")
    }
    let defaults = try TableBuilder(database, schema.row).defaults(missing)
    for property in missing {
      let statements = SchemaSQL(schema: schema.row, dialect: connection.dialect).addColumn(
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
