import NacreCrypto
import NacreEngine

/// An entity as the file describes it, without its class; the command-line tool works with these.
package struct CatalogEntity: Sendable, Equatable {
  package let name: String
  package let table: String
  package let version: Int64
  /// The properties, sorted by name.
  package let properties: [CatalogProperty]

  package init(name: String, table: String, version: Int64, properties: [CatalogProperty]) {
    self.name = name
    self.table = table
    self.version = version
    self.properties = properties
  }

  /// The properties whose cells are envelopes.
  package var sealed: [CatalogProperty] {
    properties.filter { $0.sealing.map { !$0.isHooked } ?? false && $0.column != nil }
  }

  /// Returns the property that a column of the table stores; nil if there is none.
  package func property(inColumn column: String) -> CatalogProperty? {
    let name = SQLName(column)
    return properties.first { $0.column.map(SQLName.init) == name }
  }

  /// Returns every entity of the catalog by name, without tables of DAOs of which nothing is left
  /// in the file.
  ///
  /// - Throws: `schemaMismatch` if an entity has no table; a view does not count, because it could
  ///   be endless.
  package static func all(on connection: any EngineConnection) throws -> [CatalogEntity] {
    let names = try connection.rows(CatalogSQL.selectEntities) { row in
      guard let name = row.string(at: 0) else { throw misfit("name") }
      return name
    }
    return try names.map { try named($0, on: connection) }.filter { !$0.isGone }
  }

  /// Returns one entity; for a DAO's table, only with the columns that are in the file.
  ///
  /// - Throws: `noSuchEntity`, or `schemaMismatch` if the entity has no table.
  package static func named(_ name: String, on connection: any EngineConnection) throws
    -> CatalogEntity
  {
    let found = try connection.rows(CatalogSQL.selectEntity, [.text(name)]) { row in
      guard let table = row.string(at: 0) else { throw misfit("table", of: name) }
      guard let version = row.integer(at: 1) else { throw misfit("version", of: name) }
      return (table: table, version: version)
    }
    guard let (table, version) = found.last else { throw NacreError(.noSuchEntity, detail: name) }
    let properties = try properties(of: name, on: connection)
    return try CatalogEntity(name: name, table: table, version: version, properties: properties)
      .inFile(on: connection)
  }

  private static func misfit(_ column: String, of entity: String? = nil) -> NacreError {
    NacreError(.schemaMismatch, entity: entity, detail: CatalogTable.misfit(column))
  }

  /// Returns the entity of a catalog as it is in the file: for a DAO's table, only with the
  /// properties that are there.
  private func inFile(on connection: any EngineConnection) throws -> CatalogEntity {
    guard isDAO else {
      if try connection.has(table) { return self }
      throw CatalogEntity.missing(name)
    }
    let present = try CatalogEntity.present(properties, in: table, on: connection)
    return CatalogEntity(name: name, table: table, version: version, properties: present)
  }

  /// Returns the error for a table or column of the catalog that the file does not have.
  static func missing(
    _ entity: String,
    _ property: String? = nil,
    cause: (any Error)? = nil
  ) -> NacreError {
    NacreError(
      .schemaMismatch,
      entity: entity,
      property: property,
      detail: "the catalog names something that is not in the file",
      cause: cause
    )
  }

  /// Returns one entity as an authenticated copy of the catalog describes it.
  ///
  /// - Throws: `noSuchEntity`, or `schemaMismatch` if the entity has no table.
  package static func named(
    _ name: String,
    in catalog: CatalogRecord,
    on connection: any EngineConnection
  ) throws -> CatalogEntity {
    // Compare the bytes, because SQLite distinguishes names by their bytes.
    let cell = CatalogRecord.Cell.text(Array(name.utf8))
    let row = catalog.entities.first { $0.first == cell }
    guard case .text(let table)? = row?[1].value, case .integer(let version)? = row?[2].value else {
      throw NacreError(.noSuchEntity, detail: name)
    }
    let properties = try catalog.properties.filter { $0.first == cell }.map { cells in
      let named = zip(CatalogTable.propertyColumns, cells).map { ($0, $1.value) }
      return try CatalogProperty(Dictionary(named, uniquingKeysWith: { first, _ in first }))
    }
    .sorted { $0.name < $1.name }
    return try CatalogEntity(name: name, table: table, version: version, properties: properties)
      .inFile(on: connection)
  }

  /// Runs code that relies on the catalog; if a statement can't be prepared, the catalog is wrong.
  package static func matching<T>(
    _ entity: String,
    _ property: String? = nil,
    _ body: () throws -> T
  ) throws -> T {
    do {
      return try body()
    } catch let error as any EngineError where error.kind == .badStatement {
      throw missing(entity, property, cause: error)
    }
  }

  /// Does the same for statements on this entity's table.
  package func matching<T>(_ body: () throws -> T) throws -> T {
    try CatalogEntity.matching(name, nil, body)
  }

  /// Returns the catalog's properties of an entity, by name.
  package static func properties(
    of entity: String,
    on connection: any EngineConnection
  ) throws -> [CatalogProperty] {
    try connection.rows(CatalogSQL.selectProperties, [.text(entity)]) { try CatalogProperty($0) }
  }
}
