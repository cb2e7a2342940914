import NacreEngine
import NacreStore

/// A table of the store that gets rows of a foreign file.
///
/// Rows of an entity, or of a record with sealed columns, are stored as an import stores them: sealed and indexed as
/// the catalog says.
final class AdoptionTarget {
  /// The entity's name, or that of the record's table.
  let name: String
  let table: String
  private let cells: [AdoptionCell]
  private let entity: ImportTarget?
  private let insert: String
  private let insertUnlessTaken: String
  private var uniques: [Unique]
  private let connection: any EngineConnection

  /// Columns of which no two rows may have the same values.
  private struct Unique {
    /// The columns, by their places among the arguments without the objectID.
    var places: [Int]
    var columns: [SQLName]
    var sql: String
    /// The column in the foreign file.
    var sourceColumn: String?
  }

  /// Makes the target of an entity's rows.
  init(_ entity: CatalogEntity, _ cells: [AdoptionCell], on database: Database) throws {
    let target = try ImportTarget(entity, columns: cells.map(\.column), database: database)
    name = entity.name
    table = entity.table
    self.cells = cells
    self.entity = target
    insert = target.insert
    insertUnlessTaken = AdoptionSQL.unlessTaken(insert)
    connection = database.connection
    uniques = try AdoptionTarget.uniques(
      of: entity.table,
      target.names,
      on: database.connection
    ) { column in
      let property = entity.properties.first { property in
        [property.column, property.indexColumn].contains { $0.map(SQLName.init) == SQLName(column) }
      }
      return cells.first { $0.property == property?.name }?.sourceColumn
    }
  }

  /// Makes the target of a record's rows.
  init(record table: String, _ cells: [AdoptionCell], on database: Database) throws {
    let columns = cells.map(\.column)
    name = table
    self.table = table
    self.cells = cells
    entity = nil
    insert = AdoptionSQL.insert(table: table, columns: columns)
    insertUnlessTaken = AdoptionSQL.unlessTaken(insert)
    connection = database.connection
    uniques = try AdoptionTarget.uniques(of: table, columns, on: database.connection) { column in
      cells.first { SQLName($0.column) == SQLName(column) }?.sourceColumn
    }
  }

  private static func uniques(
    of table: String,
    _ arguments: [String],
    on connection: any EngineConnection,
    sourceColumn: (String) -> String?
  ) throws -> [Unique] {
    let keys = try connection.schema.columns(of: table).filter { $0.keyPosition != nil }.map(\.name)
    let single = try connection.indexedColumns(of: table).filter(\.isUnique).map { [$0.column] }
    let names = arguments.map(SQLName.init)
    return try ([keys] + single).compactMap { columns in
      let places = columns.compactMap { column in names.firstIndex(of: SQLName(column)) }
      // A key that the store makes itself is not among the arguments.
      guard !columns.isEmpty, places.count == columns.count else { return nil }
      let compared = try columns.map { column in
        (name: column, isDecimal: try connection.comparesDecimals(column, of: table))
      }
      return Unique(
        places: places,
        columns: columns.map(SQLName.init),
        sql: AdoptionSQL.isTaken(table: table, columns: compared, connection.dialect),
        sourceColumn: columns.count == 1 ? sourceColumn(columns[0]) : nil
      )
    }
  }

  /// Stores a row.
  ///
  /// - Parameters:
  ///   - row: the foreign row.
  ///   - identity: its objectID; nil for a record without sealed columns.
  ///   - keyColumn: the foreign column of the objectID, for misfits.
  /// - Throws: ``AdoptionFault``; ``NacreError`` with code `constraint`; what sealing throws.
  func store(_ row: ForeignRow, _ identity: ObjectID?, keyColumn: String?) throws {
    let arguments = try self.arguments(row, identity)
    let key = identity.map { [Value.blob($0.data)] } ?? []
    do {
      try connection.run(insertUnlessTaken, key + arguments)
      if connection.changes > 0 { return }
      try refuseTaken(identity, arguments, keyColumn)
      // An index over several columns has the values: the engine says which.
      try connection.run(insert, key + arguments)
    } catch let error as any EngineError where error.kind == .constraint {
      throw NacreError(
        .constraint,
        entity: name,
        objectID: identity?.uuid,
        detail: "row \(row.number) of the file's table: \(error.message)"
      )
    }
  }

  /// Throws if an object with the objectID, or with a value of a unique column, is stored.
  private func refuseTaken(
    _ identity: ObjectID?,
    _ arguments: [Value],
    _ keyColumn: String?
  ) throws {
    if let entity, let identity,
      try connection.scalar(entity.exists, [.blob(identity.data)]) != nil
    {
      throw AdoptionFault(.duplicateKey, column: keyColumn)
    }
    for unique in uniques {
      let values = unique.places.map { arguments[$0] }
      // NULL equals nothing.
      if values.contains(.null) { continue }
      if try connection.scalar(unique.sql, values) != nil {
        throw AdoptionFault(.duplicateValue, column: unique.sourceColumn)
      }
    }
  }

  private func arguments(_ row: ForeignRow, _ identity: ObjectID?) throws -> [Value] {
    guard let entity, let identity else { return try cells.map { try $0.value(row) } }
    do {
      return try entity.arguments(of: identity) { place in
        let value = try cells[place].value(row)
        return cells[place].isSealed ? .opened(value) : .plain(value)
      }
    } catch let fault as ImportFault {
      let cell = cells.first {
        $0.property == fault.error.property || $0.column == fault.error.property
      }
      throw AdoptionFault(
        fault.error.code == .constraint ? .duplicateValue : .wrongType,
        column: cell?.sourceColumn
      )
    }
  }

  // MARK: Indexes

  /// Returns whether an index of the table may be missing while rows are stored.
  ///
  /// The engine needs the indexes of references, and a unique one may be what a foreign key refers to. A blind index is
  /// no such key; but while its keys are rotated, each new row searches it.
  func canDefer(_ index: EngineIndex) throws -> Bool {
    guard let entity else {
      return try !index.isUnique && connection.schema.tables(referredToBy: table).isEmpty
    }
    let properties = entity.entity.properties
    return index.terms.allSatisfy { term in
      guard let column = term.column.map(SQLName.init) else { return false }
      if properties.contains(where: { $0.indexColumn.map(SQLName.init) == column }) {
        return !index.isUnique || !entity.searchesIndexes
      }
      return !index.isUnique
        && properties.contains { $0.kind == "value" && $0.column.map(SQLName.init) == column }
    }
  }

  /// Leaves it to a deferred index to find equal values.
  func skipCheck(of index: EngineIndex) {
    let columns = index.terms.compactMap { $0.column.map(SQLName.init) }
    if index.isUnique { uniques.removeAll { $0.columns == columns } }
  }
}
