import NacreSQLite

/// An entity as the file knows it, without its class: what the tool works by.
struct CatalogEntity: Sendable, Equatable {
  let name: String
  let table: String
  let version: Int64
  /// By name.
  let properties: [CatalogProperty]

  /// The properties whose cells are envelopes.
  var sealed: [CatalogProperty] {
    properties.filter { $0.sealing.map { !$0.isHooked } ?? false && $0.column != nil }
  }

  /// Every entity of the catalog, by name, but for tables of DAOs of which nothing is in the file any more.
  ///
  /// - Throws: `schemaMismatch` when one has no table: not a view, which could be endless.
  static func all(on connection: Connection) throws -> [CatalogEntity] {
    var names: [String] = []
    try connection.each(CatalogSQL.selectEntities, []) { names.append($0.text(at: 0)) }
    return try names.map { try named($0, on: connection) }.filter { !$0.isGone }
  }

  /// One entity; of a DAO's table, the columns that are in the file.
  ///
  /// - Throws: `noSuchEntity`, or `schemaMismatch` when it has no table.
  static func named(_ name: String, on connection: Connection) throws -> CatalogEntity {
    var found: (table: String, version: Int64)?
    try connection.each(CatalogSQL.selectEntity, [.text(name)]) { row in
      found = (row.text(at: 0), row.int64(at: 1))
    }
    guard let found else { throw NacreError(.noSuchEntity, detail: name) }
    let isDAO = name == CatalogEntity.daoName(ofTable: found.table)
    var properties = try properties(of: name, on: connection)
    if isDAO { properties = try present(properties, in: found.table, on: connection) }
    guard try isDAO || connection.has(found.table) else {
      throw NacreError(
        .schemaMismatch,
        entity: name,
        detail: "the catalog names what is not in the file"
      )
    }
    return CatalogEntity(
      name: name,
      table: found.table,
      version: found.version,
      properties: properties
    )
  }

  /// Runs what relies on the catalog; a statement that can't be prepared means that the catalog is wrong.
  static func matching<T>(
    _ entity: String,
    _ property: String? = nil,
    _ body: () throws -> T
  ) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError where error.code == 1 {
      throw NacreError(
        .schemaMismatch,
        entity: entity,
        property: property,
        detail: "the catalog names what is not in the file",
        cause: error
      )
    }
  }

  /// The same for statements on this entity's table.
  func matching<T>(_ body: () throws -> T) throws -> T {
    try CatalogEntity.matching(name, nil, body)
  }

  /// The catalog's properties of an entity, by name.
  static func properties(
    of entity: String,
    on connection: Connection
  ) throws -> [CatalogProperty] {
    var properties: [CatalogProperty] = []
    try connection.each(CatalogSQL.selectProperties, [.text(entity)]) { row in
      properties.append(try CatalogProperty(row))
    }
    return properties
  }
}
