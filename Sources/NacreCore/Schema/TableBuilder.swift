import Foundation
import NacreSQLite

/// Makes an entity's tables and columns, and its rows in the catalog, where they are not there yet.
struct TableBuilder {
  private let database: Database
  private let schema: EntitySchema
  private var connection: Connection { database.connection }

  init(_ database: Database, _ schema: EntitySchema) {
    self.database = database
    self.schema = schema
  }

  /// Whether the file has everything that `build()` would make.
  ///
  /// - Throws: `schemaMismatch`.
  func isBuilt() throws -> Bool {
    guard try isCatalogued, try connection.has(schema.table) else { return false }
    try refuseUnfinished()
    let known = try catalogued()
    for property in schema.properties {
      guard let row = known[property.name] else { return false }
      try check(property, against: row)
      if row != self.row(property) { return false }
      if let join = row.join, try !connection.has(join) { return false }
    }
    return true
  }

  func build() throws {
    try SealedDeclaration.check(schema)
    try refuseUnfinished()
    let known = try catalogued()
    if try !connection.has(schema.table) {
      // An empty one in its place would hide that its objects are gone.
      if try isCatalogued { throw mismatch("its table is gone from the file", nil) }
      try run(SchemaSQL(schema: schema).createTable(try defaults(schema.properties)))
    } else if try !isCatalogued {
      throw mismatch("a table of that name is in the file and not in the catalog", nil)
    } else {
      try addMissingColumns(known)
    }
    try makeKeys()
    for property in schema.properties where !property.hasColumn {
      guard
        let join = RelationshipSQL(owner: schema, property: property)?.joinTable,
        try !connection.has(join)
      else { continue }
      try run(SchemaSQL(schema: schema).createJoinTable(property))
    }
    try writeCatalog(known)
  }

  /// Makes a key for each suite that a property asks for and that the ring has no primary key of.
  private func makeKeys() throws {
    guard database.home.keys.isUnlocked else { return }
    for suite in Set(schema.properties.compactMap { $0.sealing?.suite }) {
      try database.makeKey(of: suite)
    }
  }

  private func run(_ statements: [String]) throws {
    for statement in statements { try connection.execute(statement) }
  }

  // MARK: Columns

  private func addMissingColumns(_ known: [String: CatalogProperty]) throws {
    var present: Set<String> = []
    try connection.each(CatalogSQL.columns, [.text(schema.table)]) {
      present.insert($0.text(at: 0).lowercased())
    }
    let missing = schema.properties.filter {
      $0.hasColumn && !present.contains($0.column.lowercased())
    }
    for property in schema.properties { try check(property, against: known[property.name]) }
    if !database.home.options.addsMissingColumns { try refuse(missing) }
    if missing.isEmpty { return }
    let defaults = try defaults(missing)
    for property in missing {
      try run(SchemaSQL(schema: schema).addColumn(property, default: defaults[property.name]))
      if property.isSealed { try sealDefault(property) }
    }
  }

  /// Refuses properties without a column, and to-many ones without a table.
  private func refuse(_ missing: [Property]) throws {
    if let property = missing.first {
      throw mismatch("the table has no column for it", property.name)
    }
    for property in schema.properties {
      guard let join = RelationshipSQL(owner: schema, property: property)?.joinTable,
        try !connection.has(join)
      else { continue }
      throw mismatch("there is no table for it", property.name)
    }
  }

  /// What a new object holds in each property: rows that are older than the property get the same.
  private func defaults(_ properties: [Property]) throws -> [String: Value] {
    let prototype = schema.type.init()
    var defaults: [String: Value] = [:]
    for property in properties {
      guard case .value(let kind) = property.kind, kind.sealing == nil else { continue }
      defaults[property.name] = try preset(property, kind, prototype)
    }
    return defaults
  }

  private func preset(
    _ property: Property,
    _ kind: Property.ValueKind,
    _ prototype: any Entity
  ) throws -> Value {
    do {
      return try kind.defaultValue ?? kind.get(prototype)
    } catch {
      throw NacreError.wrap(error, at: schema, property: property.index, identity: nil)
    }
  }

  /// Seals a new property's default for every row that is older than it, for a sealed column has no default.
  private func sealDefault(_ property: Property) throws {
    guard case .value(let kind) = property.kind else { return }
    let value = try preset(property, kind, schema.type.init())
    if value == .null && kind.sealing?.hidesNil != true { return }
    let sealing = FieldSealing(schema: schema, database: database)
    let sql = EntitySQL(schema: schema)
    let update = try connection.prepare(sql.update(of: property))
    try connection.each(sql.selectIDs(QueryTerms()), []) { row in
      let identity = try ObjectID.read(from: row, at: 0)
      try identity.bind(to: update, at: 1)
      try sealing.seal(
        value,
        property: property.index,
        identity: identity,
        into: update,
        at: Int32(property.index + 2)
      )
      try update.run()
    }
  }

  // MARK: Catalog

  private var isCatalogued: Bool {
    get throws {
      try connection.scalar(CatalogSQL.selectEntity, [.text(schema.name)]) != nil
    }
  }

  private func catalogued() throws -> [String: CatalogProperty] {
    let rows = try CatalogEntity.properties(of: schema.name, on: connection)
    return Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func row(_ property: Property) -> CatalogProperty {
    let provider = database.home.provider(entity: schema.name, property: property.name)
    return CatalogProperty(property, of: schema, isHooked: property.isSealed && provider != nil)
  }

  /// Refuses an entity whose rows are being converted.
  private func refuseUnfinished() throws {
    let sql = ConversionSQL.selectBlocking
    guard case .text(let property) = try connection.scalar(sql, [.text(schema.name)]) else {
      return
    }
    throw NacreError(
      .migrationPending,
      entity: schema.name,
      property: property,
      detail: "the conversion of its rows was begun and is not done"
    )
  }

  private func check(_ property: Property, against known: CatalogProperty?) throws {
    guard let known else { return }
    let row = row(property)
    guard known.kind == row.kind, known.type == row.type, known.column == row.column,
      known.target == row.target, known.join == row.join, known.inverse == row.inverse
    else { throw mismatch("it is stored as \(known.kind) \(known.type)", property.name) }
    if known.sealing?.form != row.sealing?.form {
      throw NacreError(
        .migrationPending,
        entity: schema.name,
        property: property.name,
        detail: "it is stored \(known.storedForm) and declared \(row.storedForm)"
      )
    }
  }

  private func writeCatalog(_ known: [String: CatalogProperty]) throws {
    if try !isCatalogued {
      try connection.run(
        CatalogSQL.insertEntity,
        [.text(schema.name), .text(schema.table), .integer(1)]
      )
    }
    for property in schema.properties {
      let row = row(property)
      if known[property.name] == row { continue }
      try connection.run(CatalogSQL.insertProperty, row.arguments(entity: schema.name))
    }
  }

  private func mismatch(_ detail: String, _ property: String?) -> NacreError {
    NacreError(.schemaMismatch, entity: schema.name, property: property, detail: detail)
  }
}

extension CatalogProperty {
  /// How the values lie in the file, in words.
  var storedForm: String { CatalogProperty.storedForm(sealing) }

  static func storedForm(_ sealing: Sealing?) -> String {
    guard let form = sealing?.form else { return "plain" }
    var words = "sealed"
    if let index = form.index {
      words += ", searchable by \(index.bits) bits (\(index.normalizer.rawValue))"
      if index.isUnique { words += ", unique" }
    }
    return words + (form.hidesNil ? ", nil hidden" : "")
  }
}
