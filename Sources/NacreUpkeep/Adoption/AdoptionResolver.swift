import NacreEngine
import NacreStore

/// Finds what the names of a mapping stand for, in the foreign file and in the store.
///
/// Each of its errors is a ``NacreError`` with code `badMapping`, unless something else is said.
struct AdoptionResolver {
  let mapping: AdoptionMapping
  let file: ForeignFile
  let database: Database
  var connection: any EngineConnection { database.connection }

  /// Where the rows of a table go.
  enum Destination {
    case entity(CatalogEntity)
    /// A table that is not in the catalog: that of a record, or of a DAO, in which nothing is sealed.
    case record(String)
  }

  /// The error of a mapping.
  static func fault(
    _ detail: String,
    entity: String? = nil,
    property: String? = nil
  ) -> NacreError {
    NacreError(.badMapping, entity: entity, property: property, detail: detail)
  }

  // MARK: The store

  func destination(of table: AdoptedTable) throws -> Destination {
    switch table.target {
    case .entity(let name): return .entity(try entity(name))
    case .record(let name):
      guard !SQLText.isReserved(table: name),
        let found = try connection.schema.table(inAnyCase: name), found.kind == .table
      else { throw AdoptionResolver.fault("the store has no table \(name) of a record") }
      if case .text(let entity)? = try connection.scalar(
        CatalogSQL.entityOfTable,
        [.text(found.name)]
      ) {
        return .entity(try self.entity(entity))
      }
      guard try !connection.withoutEntities([found.name], name: { $0 }).isEmpty else {
        throw AdoptionResolver.fault("\(name) is the table of a relationship")
      }
      return .record(found.name)
    }
  }

  /// Finds an entity in the catalog.
  func entity(_ name: String) throws -> CatalogEntity {
    guard try connection.scalar(CatalogSQL.selectEntity, [.text(name)]) != nil else {
      throw NacreError(
        .badMapping,
        detail: "the store has no entity \(name)",
        advice: "Let the application open the store once with its class, or change the mapping; "
          + "nothing was changed."
      )
    }
    let entity = try CatalogEntity.named(name, on: connection)
    if entity.isDAO {
      throw AdoptionResolver.fault("it is the table of a DAO with sealed columns", entity: name)
    }
    return entity
  }

  // MARK: Keys

  /// Makes a reference of a foreign table's rows to those of another.
  ///
  /// - Parameters:
  ///   - columns: the columns with the key.
  ///   - name: the table whose key it is; nil for the only one that becomes the entity.
  ///   - keys: how its keys become objectIDs, if the mapping does not have the table.
  ///   - entity: the entity to which the reference leads; nil if that is not checked.
  ///   - source: the foreign table.
  ///   - places: gets the columns.
  /// - Returns: the reference.
  /// - Throws: ``NacreError`` with code `badMapping`.
  func reference(
    _ columns: [String],
    to name: String?,
    keys: AdoptedKey.Form?,
    entity: CatalogEntity?,
    in source: ForeignTable,
    _ places: inout ColumnPlaces
  ) throws -> AdoptionReference {
    let (table, key) = try self.key(of: name, keys, entity)
    guard columns.count == key.columns.count || key.columns.isEmpty && columns.count == 1 else {
      throw AdoptionResolver.fault("the key of \(table) has another number of columns")
    }
    let names = try columns.map { try source.column($0) }
    return AdoptionReference(
      places: names.map { places.place(of: $0) },
      columns: names.joined(separator: ", "),
      identity: try identity(table, key.form),
      table: entity?.table
    )
  }

  /// Makes the identity of a table's rows.
  func identity(_ table: String, _ form: AdoptedKey.Form) throws -> AdoptedIdentity {
    try AdoptedIdentity(table: table, form: form, namespace: mapping.namespace)
  }

  /// Returns a table's name and key; the key has no columns if it is the number of each row.
  private func key(
    of name: String?,
    _ keys: AdoptedKey.Form?,
    _ entity: CatalogEntity?
  ) throws -> (table: String, key: AdoptedKey) {
    let wanted = try name ?? onlyTable(of: entity)
    if let table = mapping.tables.first(where: { SQLName($0.name) == SQLName(wanted) }) {
      return (table.name, table.key ?? AdoptedKey([], form: .derived))
    }
    guard let keys else {
      throw AdoptionResolver.fault(
        "the mapping does not have the table \(wanted): say by keys how its keys become objectIDs"
      )
    }
    return (wanted, AdoptedKey([], form: keys))
  }

  /// Returns the only table whose rows become objects of an entity.
  private func onlyTable(of entity: CatalogEntity?) throws -> String {
    let names = try mapping.tables.filter { table in
      guard case .entity(let target) = try destination(of: table) else { return false }
      return target.name == entity?.name
    }
    .map(\.name)
    guard let name = names.first, Set(names.map(SQLName.init)).count == 1 else {
      throw AdoptionResolver.fault(
        "a reference has to name the table to which it leads",
        entity: entity?.name
      )
    }
    return name
  }
}
