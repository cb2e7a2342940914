import Foundation
import NacreEngine
import NacreStore
import NacreUpkeep

/// The builder of an entity's tables and columns, and of its rows in the catalog; it makes what is
/// missing.
package struct TableBuilder {
  let database: Database
  let schema: RowSchema
  var connection: any EngineConnection { database.connection }

  /// Makes the builder of a table on a connection.
  package init(_ database: Database, _ schema: RowSchema) {
    self.database = database
    self.schema = schema
  }

  /// Whether the file has everything that `build()` would make.
  ///
  /// - Throws: `schemaMismatch`, `newerSchema`.
  package func isBuilt() throws -> Bool {
    guard try storedVersion() == schema.version, try connection.has(schema.table) else {
      return false
    }
    try refuseUnfinished()
    try FullTextDeclaration.check(schema, connection.dialect)
    try CollationDeclaration.check(schema, connection.dialect)
    // In an existing table, a column may have had the name before it meant anything. Only a class
    // that detects conflicts gives it its meaning.
    if schema.detectsConflicts { try refuseVersionName() }
    try refuseRelationships()
    let comparison = try comparison()
    let changes = try comparison.changes()
    if changes.isEmpty { return true }
    // Nothing is written without the secret, and a class that reads the same is good enough for
    // plain values.
    if database.home.keys.isLocked, changes.leavesTable, comparison.readsAlike(changes) {
      return true
    }
    if changes.renamed.isEmpty { try check(comparison) }
    return false
  }

  /// Makes the missing tables, columns and rows of the catalog.
  ///
  /// - Returns: The former version of the entity, or 0 if the store did not have it; nil if it is
  ///   the class's own version.
  package func build() throws -> Int? {
    try SealedDeclaration.check(schema)
    try FullTextDeclaration.check(schema, connection.dialect)
    try CollationDeclaration.check(schema, connection.dialect)
    try refuseVersionName()
    try refuseTwinNames()
    try refuseRelationships()
    try refuseUnfinished()
    try makeKeys()
    guard let former = try storedVersion() else {
      try create()
      return 0
    }
    // A new, empty table would hide that the entity's objects are gone.
    guard try connection.has(schema.table) else {
      throw mismatch("its table is gone from the file", nil)
    }
    let comparison = try rename()
    let changes = try comparison.changes()
    let isRaised = former != schema.version
    // The hook of a new version may mend a mismatch.
    if !isRaised { try check(comparison) }
    try apply(changes)
    if isRaised { return former }
    try write(changes.rows)
    return nil
  }

  private func create() throws {
    if try connection.has(schema.table) {
      throw mismatch("the file has a table of that name, and the catalog does not", nil)
    }
    let sql = SchemaSQL(schema: schema, dialect: connection.dialect)
    try run(sql.createTable(try defaults(schema.properties)))
    let changes = try comparison().changes()
    for property in changes.joins { try run(sql.createJoinTable(property)) }
    try makeFullText()
    try write(changes.rows)
    try writeVersion()
    try addReferences(of: schema.properties)
    try addReferencesFromOthers()
  }

  /// Renames the properties that are stored under a former name.
  ///
  /// - Returns: The comparison of class and file after that.
  @discardableResult
  func rename() throws -> TableComparison {
    let comparison = try comparison()
    let renamed = try comparison.changes().renamed
    if renamed.isEmpty { return comparison }
    for (old, property) in renamed {
      let rename = PropertyRename(
        entity: schema.name,
        table: schema.table,
        old: old,
        new: comparison.renamed(old, to: property)
      )
      try rename.run(on: database)
    }
    return try self.comparison()
  }

  /// Makes a key for each suite that a property asks for and that has no primary key in the ring.
  func makeKeys() throws {
    guard database.home.keys.isUnlocked else { return }
    for suite in Set(schema.properties.compactMap { $0.sealing?.suite }) {
      try database.makeKey(of: suite)
    }
  }

  func run(_ statements: [String]) throws {
    do {
      for statement in statements { try connection.execute(statement) }
    } catch {
      throw NacreError.wrap(error, at: schema)
    }
  }

  // MARK: Catalog

  /// Returns a comparison of the class with the file.
  func comparison() throws -> TableComparison {
    try TableComparison(self)
  }

  func check(_ comparison: TableComparison) throws {
    for property in schema.properties { try comparison.check(property) }
  }

  /// Returns the row of the catalog for a property of the class.
  func row(_ property: Property) -> CatalogProperty {
    let provider = database.home.provider(entity: schema.name, property: property.name)
    return CatalogProperty(property, of: schema, isHooked: property.isSealed && provider != nil)
  }

  /// The rows that the catalog is to have for the entity.
  package var declared: CatalogEntity {
    CatalogEntity(
      name: schema.name,
      table: schema.table,
      version: Int64(schema.version),
      properties: schema.properties.filter { !$0.isMirror }.map(row)
    )
  }

  /// Returns the entity's version in the file, or nil if the file does not know the entity.
  ///
  /// - Throws: `newerSchema` if the class is older; `schemaMismatch` if the entity's objects are in
  ///   another table.
  func storedVersion() throws -> Int? {
    try database.refuseForeignCatalog()
    var found: (table: String, version: Int)?
    try connection.each(CatalogSQL.selectEntity, [.text(schema.name)]) { row in
      found = (row.text(at: 0), Int(clamping: row.int64(at: 1)))
    }
    guard let found else { return nil }
    guard found.table == schema.table else {
      throw mismatch("its objects are in the table \(found.table), not in \(schema.table)", nil)
    }
    let version = schema.version
    guard found.version <= version else {
      throw NacreError(
        .newerSchema,
        entity: schema.name,
        detail: "the store has version \(found.version), the class has \(version)"
      )
    }
    return found.version
  }

  /// Returns the property whose rows are being converted, or nil if there is none.
  func convertingProperty() throws -> String? {
    try database.convertingProperty(of: schema.name)
  }

  /// Throws if a property uses the column name that is reserved for the versions of rows.
  private func refuseVersionName() throws {
    let found = schema.properties.first { $0.hasColumn && VersionSQL.isName($0.column) }
    guard let property = found else { return }
    throw NacreError(
      .badDeclaration,
      entity: schema.name,
      property: property.name,
      detail: "the column \(VersionSQL.name) holds the versions of rows; choose another name"
    )
  }

  /// Throws if two columns have names that SQLite does not tell apart; a server would, and conditions would not.
  private func refuseTwinNames() throws {
    var names: Set<SQLName> = [SQLName("objectID")]
    for property in schema.properties where property.hasColumn {
      for name in [property.column, property.indexColumn].compactMap(\.self)
      where !names.insert(SQLName(name)).inserted {
        throw NacreError(
          .badDeclaration,
          entity: schema.name,
          property: property.name,
          detail: "two columns have the name \(name), whatever the case of its letters"
        )
      }
    }
  }

  private func refuseUnfinished() throws {
    guard let property = try convertingProperty() else { return }
    throw NacreError(
      .migrationPending,
      entity: schema.name,
      property: property,
      detail: "the conversion of its rows was begun and is not finished"
    )
  }

  /// Makes the full-text index that the class declares, unless the file has it.
  ///
  /// The catalog may not know it yet.
  func makeFullText() throws {
    guard let index = schema.fullText else { return }
    if case .whole = try FullTextState(index, ofTable: schema.table, on: connection) { return }
    try FullTextIndex.drop(ofTable: schema.table, on: connection)
    try index.make(on: connection)
  }

  func write(_ rows: [CatalogProperty]) throws {
    let insert = CatalogSQL.insertProperty(connection.dialect)
    for row in rows {
      try database.changeCatalog(insert, row.arguments(entity: schema.name))
    }
  }

  func writeVersion() throws {
    let version = Int64(schema.version)
    try database.changeCatalog(
      CatalogSQL.insertEntity(connection.dialect),
      [.text(schema.name), .text(schema.table), .integer(version)]
    )
  }

  func mismatch(_ detail: String, _ property: String?) -> NacreError {
    NacreError(.schemaMismatch, entity: schema.name, property: property, detail: detail)
  }
}
