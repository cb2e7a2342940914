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
    let known = try catalogued()
    for property in schema.properties {
      guard let row = known[property.name] else { return false }
      try check(property, against: row)
      if let join = row.join, try !connection.has(join) { return false }
    }
    return true
  }

  func build() throws {
    let known = try catalogued()
    if try !connection.has(schema.table) {
      try run(SchemaSQL(schema: schema).createTable(try defaults(schema.properties)))
    } else if try !isCatalogued {
      throw mismatch("a table of that name is in the file and not in the catalog", nil)
    } else {
      try addMissingColumns(known)
    }
    for property in schema.properties where !property.hasColumn {
      guard
        let join = RelationshipSQL(owner: schema, property: property)?.joinTable,
        try !connection.has(join)
      else { continue }
      try run(SchemaSQL(schema: schema).createJoinTable(property))
    }
    try writeCatalog(known)
  }

  private func run(_ statements: [String]) throws {
    for statement in statements { try connection.execute(statement) }
  }

  // MARK: Columns

  private func addMissingColumns(_ known: [String: CatalogRow]) throws {
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
      guard case .value(let kind) = property.kind, !kind.isSealed else { continue }
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
    if value == .null { return }
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
        at: 2
      )
      try update.run()
    }
  }

  // MARK: Catalog

  /// A row of `nacre_property`.
  private struct CatalogRow: Equatable {
    var column: String?
    var type: String
    var isSealed: Bool
    var kind: String
    var target: String?
    var join: String?
    var inverse: String?
  }

  private var isCatalogued: Bool {
    get throws {
      try connection.scalar(CatalogSQL.selectEntity, [.text(schema.name)]) != nil
    }
  }

  private func catalogued() throws -> [String: CatalogRow] {
    var rows: [String: CatalogRow] = [:]
    try connection.each(CatalogSQL.selectProperties, [.text(schema.name)]) { row in
      rows[row.text(at: 0)] = CatalogRow(
        column: row.optionalText(at: 1),
        type: row.text(at: 2),
        isSealed: row.int64(at: 3) != 0,
        kind: row.text(at: 4),
        target: row.optionalText(at: 5),
        join: row.optionalText(at: 6),
        inverse: row.optionalText(at: 7)
      )
    }
    return rows
  }

  private func row(_ property: Property) -> CatalogRow {
    let relationship = RelationshipSQL(owner: schema, property: property)
    var row = CatalogRow(
      column: property.hasColumn ? property.column : nil,
      type: "BLOB",
      isSealed: property.isSealed,
      kind: property.kind.name,
      target: relationship?.target.name,
      join: relationship?.joinTable,
      inverse: relationship?.inverseColumn
    )
    if case .value(let kind) = property.kind {
      row.type = SchemaSQL.affinity(kind.storageClass)
    }
    return row
  }

  private func check(_ property: Property, against known: CatalogRow?) throws {
    guard let known else { return }
    let row = row(property)
    if known.isSealed != row.isSealed {
      let was = known.isSealed ? "sealed" : "plain"
      throw mismatch("it is stored \(was) and declared otherwise", property.name)
    }
    guard known == row else {
      throw mismatch("it is stored as \(known.kind) \(known.type)", property.name)
    }
  }

  private func writeCatalog(_ known: [String: CatalogRow]) throws {
    if try !isCatalogued {
      try connection.run(
        CatalogSQL.insertEntity,
        [.text(schema.name), .text(schema.table), .integer(1)]
      )
    }
    for property in schema.properties where known[property.name] != row(property) {
      let row = row(property)
      try connection.run(
        CatalogSQL.insertProperty,
        [
          .text(schema.name), .text(property.name), row.column.map(Value.text) ?? .null,
          .text(row.type), .integer(row.isSealed ? 1 : 0), .text(row.kind),
          row.target.map(Value.text) ?? .null, row.join.map(Value.text) ?? .null,
          row.inverse.map(Value.text) ?? .null,
        ]
      )
    }
  }

  private func mismatch(_ detail: String, _ property: String?) -> NacreError {
    NacreError(.schemaMismatch, entity: schema.name, property: property, detail: detail)
  }
}

extension Property.Kind {
  /// The kind's name in the catalog.
  var name: String {
    switch self {
    case .value: "value"
    case .child: "child"
    case .children: "children"
    case .link: "link"
    case .links: "links"
    }
  }
}

extension Statement {
  fileprivate func optionalText(at index: Int32) -> String? {
    storageClass(at: index) == .null ? nil : text(at: index)
  }
}
