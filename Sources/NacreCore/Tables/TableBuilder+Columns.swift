import NacreEngine
import NacreStore

// Changes to the columns of a table that already holds rows.

extension TableBuilder {
  /// Changes the table to what the class declares, as far as table and class determine how.
  func apply(_ changes: TableChanges) throws {
    if !database.home.options.forEntities.addsMissingColumns { try refuse(changes) }
    let sql = SchemaSQL(schema: schema, dialect: connection.dialect)
    let defaults = try defaults(changes.added + changes.adopted)
    if changes.hasOtherFullText { try FullTextIndex.drop(ofTable: schema.table, on: connection) }
    if changes.lacksVersion {
      try run([VersionSQL.addColumn(to: schema.table, connection.dialect)])
    }
    for property in changes.added {
      try run(sql.addColumn(property, default: defaults[property.name]))
      if property.isSealed { try sealDefault(property, onlyNulls: false) }
    }
    for property in changes.adopted { try adopt(property, defaults[property.name]) }
    try run(changes.indexes)
    for property in changes.relaxed { try relax(property.column, property.collation) }
    for property in changes.hidden { try hide(property) }
    for property in changes.forgotten {
      try database.changeCatalog(
        CatalogSQL.deleteProperty,
        [.text(schema.name), .text(property.name)]
      )
    }
    for property in changes.joins { try run(sql.createJoinTable(property)) }
    try addReferences(of: changes.added + changes.joins)
    // These columns are the store's own, as that of the versions is, so the option for properties'
    // columns does not matter.
    for column in changes.positions {
      let type = SchemaSQL.position(connection.dialect)
      try run([MigrationSQL.addColumn(column, to: schema.table, type: type)])
    }
    try makeFullText()
  }

  /// Throws if a property lacks its column, or a to-many property its table.
  private func refuse(_ changes: TableChanges) throws {
    if let property = changes.added.first {
      throw mismatch("the table has no column for it", property.name)
    }
    if let property = changes.joins.first {
      throw mismatch("there is no table for it", property.name)
    }
  }

  /// Gives rows that were stored without a property its default, if the property can't be nil.
  ///
  /// Sealed properties are left to `migrate`, because nothing tells a row that never had a value
  /// from one whose value somebody has taken away. The exception is a sealed optional that hides
  /// nil: its nil is sealed here.
  private func adopt(_ property: Property, _ preset: Value?) throws {
    guard case .value(let kind) = property.kind else { return }
    if let options = kind.sealing {
      if kind.acceptsNull && options.hidesNil { try seal(.null, property, onlyNulls: true) }
    } else if !kind.acceptsNull, let preset, preset != .null {
      let sql = MigrationSQL.fillNulls(property.column, of: schema.table)
      try connection.run(sql, [preset])
    }
  }

  /// Seals the defaults of properties that were put back into the class, for rows that were stored
  /// without them.
  func fillSealed() throws {
    try makeKeys()
    for property in try comparison().changes().adopted {
      guard case .value(let kind) = property.kind, kind.sealing != nil, !kind.acceptsNull else {
        continue
      }
      try sealDefault(property, onlyNulls: true)
    }
  }

  private func relax(_ column: String, _ collation: ColumnCollation? = nil) throws {
    guard let found = try TableLayout(schema.table, on: connection).column(column) else { return }
    let rebuild = ColumnRebuild(
      table: schema.table,
      column: column,
      type: found.type + TableSQL.collate(collation?.rawValue),
      expression: SQLText.name(column)
    )
    try rebuild.run(on: connection)
  }

  /// Keeps a property in the file that the class no longer has, and lets objects be stored without
  /// it.
  private func hide(_ property: CatalogProperty) throws {
    if let column = property.column {
      let found = try TableLayout(schema.table, on: connection).column(column)
      if let found, found.isNotNull, !found.hasDefault { try relax(column) }
    }
    try database.changeCatalog(
      MigrationSQL.hideProperty,
      [.text(schema.name), .text(property.name)]
    )
  }

  // MARK: Defaults

  /// Returns the properties' defaults for rows that are older than the properties; sealed
  /// properties are left out.
  ///
  /// A default is the declared one, or else the value in a new object.
  ///
  /// - Throws: `valueMismatch` for a default that has no stored form, or that the engine can't hold.
  package func defaults(_ properties: [Property]) throws -> [String: Value] {
    if properties.isEmpty { return [:] }
    var defaults: [String: Value] = [:]
    for property in properties {
      guard case .value(let kind) = property.kind, kind.sealing == nil else { continue }
      let value = try preset(property, kind)
      if let refusal = connection.dialect.refusal(of: value) {
        throw NacreError(
          .valueMismatch,
          entity: schema.name,
          property: property.name,
          detail: refusal
        )
      }
      defaults[property.name] = value
    }
    return defaults
  }

  private func preset(_ property: Property, _ kind: Property.ValueKind) throws -> Value {
    do {
      if let value = kind.defaultValue, value != .null || kind.acceptsNull { return value }
      return try kind.initial()
    } catch {
      throw NacreError.wrap(error, at: schema, property: property.index, identity: nil)
    }
  }

  /// Seals a property's default for every row that is older than the property, because a sealed
  /// column has no DEFAULT.
  private func sealDefault(_ property: Property, onlyNulls: Bool) throws {
    guard case .value(let kind) = property.kind else { return }
    let value = try preset(property, kind)
    if value == .null && kind.sealing?.hidesNil != true { return }
    try seal(value, property, onlyNulls: onlyNulls)
  }

  private func seal(_ value: Value, _ property: Property, onlyNulls: Bool) throws {
    let sealing = FieldSealing(schema: schema, database: database)
    let sql = RowSQL(schema: schema, dialect: connection.dialect)
    let update = try connection.prepare(sql.update([property]))
    let rows =
      onlyNulls
      ? MigrationSQL.nulls(property.column, of: schema.table) : sql.selectIDs(QueryTerms())
    try connection.each(rows, []) { row in
      let identity = try ObjectID.read(from: row, at: 0)
      try identity.bind(to: update, at: 1)
      try sealing.seal(value, property: property.index, identity: identity, into: update)
      try update.run()
    }
  }
}
