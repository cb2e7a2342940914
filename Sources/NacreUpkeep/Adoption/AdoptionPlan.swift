import NacreEngine
import NacreStore

/// How the rows of one foreign table become objects or records.
final class AdoptionPlan {
  let source: ForeignTable
  /// The columns to read.
  let columns: [String]
  let cells: [AdoptionCell]
  let target: AdoptionTarget
  /// The key of which the objectID is made; nil if the rows have none.
  private let key: AdoptionReference?
  /// Makes the objectID of the row's number, if the table has no other key.
  private let numbers: AdoptedIdentity?
  private let only: [(place: Int, value: Value)]

  /// - Throws: ``NacreError`` with code `badMapping`; what opening the key ring throws.
  init(_ table: AdoptedTable, _ resolver: AdoptionResolver) throws {
    let source = try resolver.file.table(table.name)
    var places = ColumnPlaces()
    switch try resolver.destination(of: table) {
    case .entity(let entity):
      let builder = AdoptionCells(entity: entity, table: table, source: source, resolver)
      cells = try builder.cells(&places)
      target = try AdoptionTarget(entity, cells, on: resolver.database)
      key = try AdoptionPlan.key(of: table, source, resolver, &places)
      numbers = key == nil ? try resolver.identity(table.name, .derived) : nil
      guard key != nil || source.number != nil else {
        throw AdoptionResolver.fault("the rows of \(source.name) have no numbers: name its key")
      }
    case .record(let name):
      cells = try AdoptionPlan.cells(ofRecord: name, table, source, resolver, &places)
      target = try AdoptionTarget(record: name, cells, on: resolver.database)
      key = nil
      numbers = nil
    }
    only = try table.only.map { column, value in
      (place: places.place(of: try source.column(column)), value: value)
    }
    columns = places.names
    self.source = source
  }

  private static func key(
    of table: AdoptedTable,
    _ source: ForeignTable,
    _ resolver: AdoptionResolver,
    _ places: inout ColumnPlaces
  ) throws -> AdoptionReference? {
    guard let key = table.key else { return nil }
    guard !key.columns.isEmpty, key.form == .derived || key.columns.count == 1 else {
      throw AdoptionResolver.fault(
        "the key of \(source.name) has one column, or is derived of some"
      )
    }
    let names = try key.columns.map { try source.column($0) }
    return AdoptionReference(
      places: names.map { places.place(of: $0) },
      columns: names.joined(separator: ", "),
      identity: try resolver.identity(table.name, key.form),
      table: nil
    )
  }

  // MARK: Rows

  /// Whether a row is one of those that the mapping means.
  func takes(_ row: ForeignRow) throws -> Bool {
    for condition in only {
      if try row.value(at: condition.place) != condition.value { return false }
    }
    return true
  }

  /// Returns the objectID of a row; nil for a record without sealed columns.
  ///
  /// - Throws: ``AdoptionFault``.
  func objectID(_ row: ForeignRow) throws -> ObjectID? {
    if let numbers { return try numbers.objectID([.integer(row.number)]) }
    guard let key else { return nil }
    guard let identity = try key.objectID(row) else {
      throw AdoptionFault(.badKey, column: key.columns)
    }
    return identity
  }

  /// Stores a row.
  ///
  /// - Throws: ``AdoptionFault``; ``NacreError``.
  func store(_ row: ForeignRow) throws {
    try target.store(row, objectID(row), keyColumn: key?.columns)
  }

  // MARK: Records

  /// Returns the cells of a row of a table that is not in the catalog.
  private static func cells(
    ofRecord name: String,
    _ table: AdoptedTable,
    _ source: ForeignTable,
    _ resolver: AdoptionResolver,
    _ places: inout ColumnPlaces
  ) throws -> [AdoptionCell] {
    let columns = try resolver.connection.schema.columns(of: name)
    let values = table.properties.sorted { $0.key < $1.key }
    let cells = try values.map { property, value in
      guard let column = columns.first(where: { SQLName($0.name) == SQLName(property) }) else {
        throw AdoptionResolver.fault(
          "the table has no such column",
          entity: name,
          property: property
        )
      }
      let builder = AdoptionCells.Builder(table: name, property: property, source, resolver)
      return try builder.cell(
        value,
        column: column.name,
        type: column.type.uppercased(),
        isSealed: false,
        refusesNull: column.isNotNull && column.keyPosition == nil,
        &places
      )
    }
    let missing = columns.first { column in
      column.isNotNull && column.defaultText == nil
        && !cells.contains { SQLName($0.column) == SQLName(column.name) }
    }
    if let missing {
      throw AdoptionResolver.fault(
        "nothing is mapped to it, and it can't be NULL",
        entity: name,
        property: missing.name
      )
    }
    guard !cells.isEmpty else {
      throw AdoptionResolver.fault("nothing is mapped to its columns", entity: name)
    }
    return cells
  }
}
