import NacreCrypto
import NacreEngine

/// A search of every column of every table for values that field keys have sealed, whatever the
/// catalog says.
///
/// The catalog alone says which columns a rotation goes through, but nothing in it may decide that
/// a key is no longer needed. The search looks for the bytes with which each envelope begins
/// (Vectors/FORMAT.md). It skips SQLite's own tables and, except the quarantine, the store's own,
/// because they hold no values. It also skips generated columns, which take their values from other
/// columns.
package struct KeySearch {
  /// SQLite limits the number of result columns.
  private static let probesAtOnce = 500

  private let keys: [KeyRecord]
  private let connection: any EngineConnection

  /// Makes a search for some keys; it skips keys that are not for fields, because they seal
  /// nothing.
  package init(_ keys: [KeyRecord], on connection: any EngineConnection) {
    self.keys = keys.filter { $0.purpose == .field }
    self.connection = connection
  }

  /// Returns every column that holds something under one of the keys, by table, column and key.
  ///
  /// - Throws: `schemaMismatch` if a table or column of the catalog is missing; the errors of
  ///   reading.
  package func uses() throws -> [KeyUse] {
    if keys.isEmpty { return [] }
    let sealed = try sealedColumns()
    let tables = try tables.map { (name: $0, columns: try columns(of: $0)) }
    try refuseMissing(sealed, in: tables)
    return try tables.flatMap { table in
      try uses(in: table.name, table.columns, sealed[SQLName(table.name)] ?? [:])
    }
  }

  /// The tables that can hold a value, including that of the quarantine.
  fileprivate var tables: [String] {
    get throws { try connection.valueTables(with: "nacre_quarantine") }
  }

  fileprivate func columns(of table: String) throws -> [EngineColumn] {
    try connection.schema.storedColumns(of: table)
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The entity and property of each column that the catalog says is sealed with the store's keys,
  /// by table and column.
  private typealias Sealed = [SQLName: [SQLName: (entity: String, property: String)]]

  private func sealedColumns() throws -> Sealed {
    var sealed: Sealed = [:]
    for entity in try CatalogEntity.all(on: connection) {
      for property in entity.sealed {
        guard let column = property.column else { continue }
        sealed[SQLName(entity.table), default: [:]][SQLName(column)] = (entity.name, property.name)
      }
    }
    return sealed
  }

  private func refuseMissing(_ sealed: Sealed, in tables: [(name: String, columns: [EngineColumn])])
    throws
  {
    // Compare the bytes: SQLite distinguishes names that are equal strings in Swift.
    var found: [SQLName: Set<SQLName>] = [:]
    for table in tables { found[SQLName(table.name)] = Set(table.columns.map { SQLName($0.name) }) }
    for (table, wanted) in sealed {
      for (column, place) in wanted where found[table]?.contains(column) != true {
        throw CatalogEntity.missing(place.entity, place.property)
      }
    }
  }

  private func uses(
    in table: String,
    _ columns: [EngineColumn],
    _ sealed: [SQLName: (entity: String, property: String)]
  ) throws -> [KeyUse] {
    let isQuarantine = SQLName(table) == SQLName("nacre_quarantine")
    let probes = columns.flatMap { column in
      let isSealed = sealed[SQLName(column.name)] != nil
      let isJSON = isQuarantine && column.name == "row"
      return keys.map { key in
        KeySearchSQL.Probe(
          column: column.name,
          type: column.declaredType,
          test: isSealed ? .number : isJSON ? .json : .head,
          key: key
        )
      }
    }
    let found = try probes.parts(of: KeySearch.probesAtOnce).flatMap { try counts($0, in: table) }
    return found.map { probe, count in
      let isSealed = sealed[SQLName(probe.column)] != nil
      return KeyUse(
        column: StoredColumn(table: table, column: probe.column),
        place: isQuarantine ? .quarantine : isSealed ? .sealed : .elsewhere,
        keyID: probe.key.id,
        count: count
      )
    }
  }

  /// Returns the probes that found something, each with its number of cells.
  private func counts(
    _ probes: [KeySearchSQL.Probe],
    in table: String
  ) throws -> [(KeySearchSQL.Probe, Int)] {
    var found: [(KeySearchSQL.Probe, Int)] = []
    try connection.each(KeySearchSQL.counts(table: table, probes, connection.dialect), []) { row in
      for (index, probe) in probes.enumerated() {
        let count = row.rowCount(at: Int32(index))
        if count > 0 { found.append((probe, count)) }
      }
    }
    return found
  }
}

extension Store {
  /// Returns the columns of all tables that can hold values, by table.
  ///
  /// - Throws: ``NacreError``.
  package func storedColumns() throws -> [StoredColumn] {
    try NacreError.wrapping {
      try read { database in
        let search = KeySearch([], on: database.connection)
        return try search.tables.flatMap { table in
          try search.columns(of: table).map { StoredColumn(table: table, column: $0.name) }
        }
      }
    }
  }
}

extension KeySearch {
  /// Throws if the file lacks one of the columns.
  ///
  /// The caller meant another column then, which would still count, or nothing.
  ///
  /// - Throws: `unsuitableColumn`.
  package static func refuseUnknown(_ columns: [StoredColumn], on connection: any EngineConnection)
    throws
  {
    for wanted in columns {
      let columns = try connection.schema.storedColumns(of: wanted.table)
      guard columns.contains(where: { SQLName($0.name) == SQLName(wanted.column) }) else {
        throw NacreError(
          .unsuitableColumn,
          entity: wanted.table,
          property: wanted.column,
          detail: "the column that should be ignored does not exist"
        )
      }
    }
  }
}

extension [KeyUse] {
  /// Returns the uses in other columns.
  package func without(_ ignored: [StoredColumn]) -> [KeyUse] {
    filter { !ignored.names($0.column) }
  }

  /// Describes the columns and numbers of the uses; those in quarantine are listed separately.
  var words: String {
    let live = filter { $0.place != .quarantine }
    let quarantined = filter { $0.place == .quarantine }
    let places = live.map(\.words).joined(separator: ", ")
    let set = quarantined.map(\.words).joined(separator: ", ")
    let sum = live.reduce(0) { $0 + $1.count }
    return [
      live.isEmpty ? nil : "\(sum.counted("value")): \(places)",
      quarantined.isEmpty ? nil : "in quarantine: \(set)",
    ].compactMap { $0 }.joined(separator: "; ")
  }
}
