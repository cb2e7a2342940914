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
  private let moved = Int64(clamping: StoreKeys.now())
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

  /// Looks at a cell again, and sets it aside if it is still bad.
  func settle(_ cell: BadCell) throws -> QuarantineReport.Outcome {
    guard let shape = shapes.first(where: { $0.entity.name == cell.entity }), shape.isReadable
    else { return .unknown }
    if let join = shape.joins.first(where: { $0.property.name == cell.property })?.join {
      return try clear(join, cell, shape)
    }
    let check = try check(shape)
    let identity = ObjectID(cell.objectID)
    let sql = VerifySQL.select(check.row, .one, connection.dialect)
    let key = shape.entity.isDAO ? cell.rowID.map(Value.integer) : .blob(identity.data)
    guard let key else { return .unknown }
    let row = try connection.bound(sql, [key])
    defer { row.reset() }
    guard try row.step() else { return .gone }
    if let index = check.references.firstIndex(where: { $0.name == cell.property }) {
      if check.holds(reference: index, row) { return .sound }
      row.reset()
      return try clear(check.references[index], cell, shape)
    }
    guard let index = check.cells.firstIndex(where: { $0.property.name == cell.property }) else {
      return .unknown
    }
    let column = EntityCheck.column(ofCell: index)
    let property = check.cells[index]
    guard let fault = try property.check(row, at: column, identity).fault else { return .sound }
    if shape.entity.isDAO { return .leftInPlace }
    guard fault.isOfIndex else {
      row.reset()
      return try move(property.property, fault, identity, shape)
    }
    let token = try property.token(row, at: column, identity)
    row.reset()
    return try repair(property.property, token, identity, shape)
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

  private func repair(
    _ property: CatalogProperty,
    _ token: [UInt8]?,
    _ identity: ObjectID,
    _ shape: EntityShape
  ) throws -> QuarantineReport.Outcome {
    guard let index = property.indexColumn else { return .unknown }
    do {
      try set([index], to: [token.map { Value.blob(Data($0)) } ?? .null], identity, shape)
      return .indexRepaired
    } catch let error as any EngineError where error.kind == .constraint {
      // The recomputed token collides with another object's: both have the same value.
      return try move(property, .duplicateUnique, identity, shape)
    }
  }

  private func move(
    _ property: CatalogProperty,
    _ fault: BadCell.Fault,
    _ identity: ObjectID,
    _ shape: EntityShape
  ) throws -> QuarantineReport.Outcome {
    guard let column = property.column else { return .unknown }
    let isNilAllowed = property.isOptional == true
    let row = isNilAllowed ? nil : try json(identity, shape)
    try keep(property, fault, identity, shape, row: row)
    if isNilAllowed {
      let columns = [column] + (property.indexColumn.map { [$0] } ?? [])
      try set(columns, to: nilCells(of: property, identity, shape), identity, shape)
      return .cellMoved
    }
    let sql = VerifySQL.deleteRow(table: shape.entity.table)
    try connection.run(sql, [.blob(identity.data)])
    let left = VerifySQL.has(table: shape.entity.table, columns: [], connection.dialect)
    guard try connection.scalar(left, [.blob(identity.data)]) == .integer(0) else {
      throw notAsWritten(property, identity, shape)
    }
    return .rowMoved
  }

  /// Sets cells of an object and reads them back, because a trigger of the application may have kept the old content.
  private func set(
    _ columns: [String],
    to cells: [Value],
    _ identity: ObjectID,
    _ shape: EntityShape
  ) throws {
    let table = shape.entity.table
    let arguments = [Value.blob(identity.data)] + cells
    try connection.run(VerifySQL.update(table: table, columns: columns), arguments)
    let isSet = VerifySQL.has(table: table, columns: columns, connection.dialect)
    guard try connection.scalar(isSet, arguments) == .integer(1) else {
      let property = shape.entity.properties.first { columns.contains($0.column ?? "") }
      throw notAsWritten(property, identity, shape)
    }
  }

  private func notAsWritten(
    _ property: CatalogProperty?,
    _ identity: ObjectID,
    _ shape: EntityShape
  ) -> NacreError {
    NacreError(
      .corrupt,
      entity: shape.entity.name,
      property: property?.name,
      objectID: identity.uuid,
      detail:
        "reading the row back did not give what was written, for example because a trigger on "
        + "the table undoes it; nothing of the batch was set aside"
    )
  }

  /// The content of a property's cell, and of its index, for nil.
  private func nilCells(
    of property: CatalogProperty,
    _ identity: ObjectID,
    _ shape: EntityShape
  ) throws -> [Value] {
    let place = ConversionPlace(entity: shape.entity.name, property: property.name)
    return try ConversionCodec(place, ConversionForm(property), on: database)
      .cells(.null, identity)
  }

  /// Copies a cell and its index to the quarantine, byte for byte.
  private func keep(
    _ property: CatalogProperty,
    _ fault: BadCell.Fault,
    _ identity: ObjectID,
    _ shape: EntityShape,
    row: String?
  ) throws {
    try makeTable()
    let (table, column) = (shape.entity.table, property.column ?? "objectID")
    let arguments: [Value] = [
      .text(shape.entity.name), .blob(identity.data), .text(property.name),
      .text(fault.rawValue), row.map(Value.text) ?? .null, .integer(moved),
    ]
    let index = property.indexColumn
    try connection.run(
      VerifySQL.quarantine(table: table, column: column, index: index),
      arguments
    )
    let dialect = connection.dialect
    let isKept = VerifySQL.isQuarantined(table: table, column: column, index: index, dialect)
    guard try isLastKept(isKept, arguments) else { throw notAsWritten(property, identity, shape) }
  }

  /// Whether the last inserted row is there as it was written; checked before anything is removed.
  private func isLastKept(_ sql: String, _ arguments: [Value]) throws -> Bool {
    guard connection.changes == 1 else { return false }
    return try connection.scalar(sql, arguments + [.integer(connection.lastInsertRowID)])
      == .integer(1)
  }

  private func makeTable() throws {
    if try !hasTable && !connection.has("nacre_quarantine") {
      try connection.execute(VerifySQL.createQuarantine)
    }
    hasTable = true
  }

  // MARK: - References

  private func clear(
    _ property: CatalogProperty,
    _ cell: BadCell,
    _ shape: EntityShape
  ) throws -> QuarantineReport.Outcome {
    guard let column = property.column else { return .unknown }
    let identity = ObjectID(cell.objectID)
    try keep(property, .danglingReference, identity, shape, row: nil)
    try set([column], to: [.null], identity, shape)
    return .referenceCleared
  }

  /// Removes an owner's dangling rows from a relationship.
  private func clear(
    _ join: VerifySQL.Join,
    _ cell: BadCell,
    _ shape: EntityShape
  ) throws -> QuarantineReport.Outcome {
    let owner = Value.blob(ObjectID(cell.objectID).data)
    let found = try rows(VerifySQL.dangling(join), owner)
    if found.isEmpty { return .sound }
    let property = shape.joins.first { $0.join == join }?.property
    let refused = notAsWritten(property, ObjectID(cell.objectID), shape)
    try makeTable()
    for row in found {
      var writer = JSONWriter()
      writer.object { line in
        line.member("join", join.table)
        Quarantine.write(row, to: &line)
      }
      let arguments: [Value] = [
        .text(cell.entity), owner, .text(cell.property),
        .text(BadCell.Fault.danglingReference.rawValue), .null, .null,
        .text(String(decoding: writer.bytes, as: UTF8.self)), .integer(moved),
      ]
      try connection.run(VerifySQL.insertQuarantine, arguments)
      guard try isLastKept(VerifySQL.isInserted, arguments) else { throw refused }
    }
    try connection.run(VerifySQL.deleteDangling(join), [owner])
    guard try rows(VerifySQL.dangling(join), owner).isEmpty else { throw refused }
    return .referenceCleared
  }

  // MARK: - Whole rows

  private typealias Row = [(name: String, value: (inout JSONWriter) -> Void)]

  /// A row with all its columns, and its rows in relationships, where it is the owner or the child.
  private func json(_ identity: ObjectID, _ shape: EntityShape) throws -> String {
    let id = Value.blob(identity.data)
    let columns = try rows(VerifySQL.wholeRow(table: shape.entity.table), id).first ?? []
    var writer = JSONWriter()
    try writer.object { line in
      line.key("row")
      line.object { Quarantine.write(columns, to: &$0) }
      line.key("joins")
      try line.array { joins in
        for join in shapes.flatMap(\.joins).map(\.join) {
          for (end, table) in [("owner", join.owner), ("child", join.target)]
          where table == shape.entity.table {
            for row in try rows(VerifySQL.joinRows(table: join.table, end: end), id) {
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
