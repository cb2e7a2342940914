import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// Sets bad cells aside, inside the write transaction that created this object.
final class Quarantine {
  private let database: Database
  private var connection: any EngineConnection { database.connection }
  private let shapes: [EntityShape]
  private let session: RingSession?
  private let moved = Int64(clamping: CreationTime.now())
  private var checks: [String: EntityCheck] = [:]
  private var hasTable = false

  init(_ database: Database) throws {
    self.database = database
    // Somebody may have changed the schema since the store was opened, and with it what inserting into the quarantine
    // does.
    try OwnTables.refuseForeignObjects(on: database.connection)
    try database.refuseForeignCatalog()
    shapes = try CatalogCheck(database.connection).shapes
    let keys = database.home.keys
    session = keys.isUnlocked ? RingSession(ring: try keys.unlocked()) : nil
  }

  /// The place of a bad cell.
  private struct Place {
    let shape: EntityShape
    let property: CatalogProperty
    let identity: ObjectID

    var entity: String { shape.entity.name }
    var table: String { shape.entity.table }
    /// The objectID as an argument.
    var id: Value { .blob(identity.data) }
  }

  /// Looks at a cell again, and sets it aside if it is still bad.
  func settle(_ cell: BadCell) throws -> QuarantineReport.Outcome {
    guard let shape = shapes.first(where: { $0.entity.name == cell.entity }), shape.isReadable
    else { return .unknown }
    let identity = ObjectID(cell.objectID)
    if let found = shape.joins.first(where: { $0.property.name == cell.property }) {
      return try clear(
        found.join,
        at: Place(shape: shape, property: found.property, identity: identity)
      )
    }
    let check = try check(shape)
    let sql = VerifySQL.select(check.row, .one, connection.dialect)
    let key = shape.entity.isDAO ? cell.rowID.map(Value.integer) : .blob(identity.data)
    guard let key else { return .unknown }
    let row = try connection.bound(sql, [key])
    defer { row.reset() }
    guard try row.step() else { return .gone }
    if let index = check.references.firstIndex(where: { $0.name == cell.property }) {
      if check.holds(reference: index, row) { return .sound }
      row.reset()
      return try clear(
        Place(shape: shape, property: check.references[index], identity: identity)
      )
    }
    guard let index = check.cells.firstIndex(where: { $0.property.name == cell.property }) else {
      return .unknown
    }
    let column = EntityCheck.column(ofCell: index)
    let found = check.cells[index]
    guard let fault = try found.check(row, at: column, identity).fault else { return .sound }
    if shape.entity.isDAO { return .leftInPlace }
    let place = Place(shape: shape, property: found.property, identity: identity)
    guard fault.isOfIndex else {
      row.reset()
      return try move(place, fault)
    }
    let token = try found.token(row, at: column, identity)
    row.reset()
    return try repair(place, token)
  }

  private func check(_ shape: EntityShape) throws -> EntityCheck {
    if let check = checks[shape.entity.name] { return check }
    // A locked store has no session, so its sealed properties would look unknown.
    if session == nil, !shape.sealed.isEmpty { throw NacreError(.storeLocked) }
    let check = try EntityCheck(shape, session: session, connection: connection)
    checks[shape.entity.name] = check
    return check
  }

  // MARK: - Cells

  private func repair(_ place: Place, _ token: [UInt8]?) throws -> QuarantineReport.Outcome {
    guard let index = place.property.indexColumn else { return .unknown }
    do {
      try set([index], to: [token.map { Value.blob(Data($0)) } ?? .null], at: place)
      return .indexRepaired
    } catch let error as any EngineError where error.kind == .constraint {
      // The recomputed token collides with another object's: both have the same value.
      return try move(place, .duplicateUnique)
    }
  }

  private func move(_ place: Place, _ fault: BadCell.Fault) throws -> QuarantineReport.Outcome {
    let property = place.property
    guard let column = property.column else { return .unknown }
    if property.isOptional == true {
      try keep(place, fault)
      let columns = [column, property.indexColumn].compactMap { $0 }
      try set(columns, to: nilCells(of: place), at: place)
      return .cellMoved
    }
    try keep(place, fault, row: json(place))
    try connection.run(VerifySQL.deleteRow(table: place.table), [place.id])
    let left = VerifySQL.has(table: place.table, columns: [], connection.dialect)
    guard try connection.scalar(left, [place.id]) == .integer(0) else { throw notAsWritten(place) }
    return .rowMoved
  }

  /// Sets cells of an object and reads them back, because a trigger of the application may have kept the old content.
  private func set(_ columns: [String], to cells: [Value], at place: Place) throws {
    let arguments = [place.id] + cells
    try connection.run(
      VerifySQL.update(table: place.table, columns: columns, connection.dialect),
      arguments
    )
    let isSet = VerifySQL.has(table: place.table, columns: columns, connection.dialect)
    guard try connection.scalar(isSet, arguments) == .integer(1) else { throw notAsWritten(place) }
  }

  private func notAsWritten(_ place: Place) -> NacreError {
    NacreError(
      .corrupt,
      entity: place.entity,
      property: place.property.name,
      objectID: place.identity.uuid,
      detail:
        "reading the row back did not give what was written, for example because a trigger on "
        + "the table undoes it; nothing of the batch was set aside"
    )
  }

  /// The content of a property's cell, and of its index, for nil.
  private func nilCells(of place: Place) throws -> [Value] {
    let property = ConversionPlace(entity: place.entity, property: place.property.name)
    return try ConversionCodec(property, ConversionForm(place.property), on: database)
      .cells(.null, place.identity)
  }

  /// Copies a cell and its index to the quarantine, byte for byte.
  private func keep(_ place: Place, _ fault: BadCell.Fault, row: String? = nil) throws {
    try makeTable()
    let arguments: [Value] = [
      .text(place.entity), place.id, .text(place.property.name), .text(fault.rawValue),
      row.map(Value.text) ?? .null, .integer(moved),
    ]
    let (table, column) = (place.table, place.property.column ?? "objectID")
    let index = place.property.indexColumn
    let dialect = connection.dialect
    try insert(
      VerifySQL.quarantine(table: table, column: column, index: index),
      arguments,
      checking: VerifySQL.isQuarantined(table: table, column: column, index: index, dialect),
      place
    )
  }

  /// Inserts a row into the quarantine and checks that it is there as it was written, before anything is removed.
  private func insert(
    _ sql: String,
    _ arguments: [Value],
    checking isKept: String,
    _ place: Place
  ) throws {
    try connection.run(sql, arguments)
    guard connection.changes == 1 else { throw notAsWritten(place) }
    let kept = try connection.scalar(isKept, arguments + [.integer(connection.lastInsertRowID)])
    if kept != .integer(1) { throw notAsWritten(place) }
  }

  private func makeTable() throws {
    if try !hasTable && !connection.has("nacre_quarantine") {
      try connection.execute(VerifySQL.createQuarantine(connection.dialect))
    }
    hasTable = true
  }

  // MARK: - References

  private func clear(_ place: Place) throws -> QuarantineReport.Outcome {
    guard let column = place.property.column else { return .unknown }
    try keep(place, .danglingReference)
    try set([column], to: [.null], at: place)
    return .referenceCleared
  }

  /// Removes an owner's dangling rows from a relationship.
  private func clear(_ join: VerifySQL.Join, at place: Place) throws -> QuarantineReport.Outcome {
    let found = try rows(VerifySQL.dangling(join, connection.dialect), place.id)
    if found.isEmpty { return .sound }
    try makeTable()
    for row in found {
      var writer = JSONWriter()
      writer.object { line in
        line.member("join", join.table)
        Quarantine.write(row, to: &line)
      }
      let arguments: [Value] = [
        .text(place.entity), place.id, .text(place.property.name),
        .text(BadCell.Fault.danglingReference.rawValue), .null, .null,
        .text(String(decoding: writer.bytes, as: UTF8.self)), .integer(moved),
      ]
      try insert(
        VerifySQL.insertQuarantine,
        arguments,
        checking: VerifySQL.isInserted(connection.dialect),
        place
      )
    }
    try connection.run(VerifySQL.deleteDangling(join, connection.dialect), [place.id])
    guard try rows(VerifySQL.dangling(join, connection.dialect), place.id).isEmpty else {
      throw notAsWritten(place)
    }
    return .referenceCleared
  }

  // MARK: - Whole rows

  private typealias Row = [(name: String, value: (inout JSONWriter) -> Void)]

  /// A row with all its columns, and its rows in relationships, where it is the owner or the child.
  private func json(_ place: Place) throws -> String {
    let columns = try rows(VerifySQL.wholeRow(table: place.table), place.id).first ?? []
    var writer = JSONWriter()
    try writer.object { line in
      line.key("row")
      line.object { Quarantine.write(columns, to: &$0) }
      line.key("joins")
      try line.array { joins in
        for join in shapes.flatMap(\.joins).map(\.join) {
          for (end, table) in [("owner", join.owner), ("child", join.target)]
          where table == place.table {
            for row in try rows(VerifySQL.joinRows(table: join.table, end: end), place.id) {
              joins.object { item in
                item.member("table", join.table)
                Quarantine.write(row, to: &item)
              }
            }
          }
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func write(_ row: Row, to writer: inout JSONWriter) {
    for (name, value) in row {
      writer.key(name)
      value(&writer)
    }
  }

  private func rows(_ sql: String, _ argument: Value) throws -> [Row] {
    var rows: [Row] = []
    try connection.each(sql, [argument]) { statement in
      rows.append(
        (0..<Int32(statement.columnCount)).map { column in
          let name = statement.columnName(at: column)
          if statement.isBrokenText(at: column) {
            let text = Data(statement.blob(at: column)).base64EncodedString()
            return (name, { $0.tagged("text", text) })
          }
          let value = statement.value(at: column)
          return (name, { $0.value(value) })
        }
      )
    }
    return rows
  }
}
