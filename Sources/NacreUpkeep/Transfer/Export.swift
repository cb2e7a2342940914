import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// Writes a store's objects as lines, from one state of the file.
final class Export {
  private let connection: any EngineConnection
  private let storeID: StoreID
  private let isRevealing: Bool
  /// Opens sealed values; nil if the store has no unlocked ring, because it is locked or seals nothing.
  private let session: RingSession?
  private let write: (Data) throws -> Void
  private var line = JSONWriter()
  private var report = TransferReport()

  /// The kind of value that a column holds.
  private enum Kind {
    case plain
    case sealed(SealedColumn)
    /// Followed by the column of its blind index, if it has one.
    case hooked(hasIndex: Bool)
  }

  private struct Column {
    let name: String
    /// The property for errors; the column's name if it holds none.
    let property: String
    let kind: Kind
    /// Its place in a row of the statement.
    let position: Int32
  }

  init(_ database: Database, isRevealing: Bool, _ write: @escaping (Data) throws -> Void) throws {
    connection = database.connection
    storeID = database.home.storeID
    self.isRevealing = isRevealing
    self.write = write
    let keys = database.home.keys
    // Otherwise the export would silently leave out what the catalog does not name.
    try database.refuseForeignCatalog()
    if keys.isUnlocked {
      try database.followRing()
      session = RingSession(ring: try keys.unlocked())
    } else {
      session = nil
    }
  }

  func run(_ names: [String]?) throws -> TransferReport {
    try RotationJournal.refuseConversions(on: connection)
    let known = try CatalogEntity.all(on: connection)
    if let table = known.first(where: { $0.isDAO && names?.contains($0.name) == true }) {
      throw NacreError(
        .noSuchEntity,
        detail: "\(table.name) is the table of a DAO and can't be exported"
      )
    }
    if names == nil { report.leftOut = try tablesLeftOut() }
    let all = known.filter { !$0.isDAO }
    if let unknown = names?.first(where: { name in !all.contains { $0.name == name } }) {
      throw NacreError(.noSuchEntity, detail: unknown)
    }
    let entities = all.filter { names?.contains($0.name) ?? true }
    if isRevealing, session == nil, entities.contains(where: { !$0.sealed.isEmpty }) {
      throw NacreError(.storeLocked)
    }
    let header = TransferHeader(
      storeID: storeID.description,
      isSealed: !isRevealing,
      entities: try entities.map { try describe($0) },
      joins: entities.flatMap(joins)
    )
    header.write(to: &line)
    try endLine()
    for (entity, described) in zip(entities, header.entities) {
      try entity.matching { try rows(of: entity, described) }
    }
    for join in header.joins { try CatalogEntity.matching(join.owner) { try rows(of: join) } }
    try end()
    return report
  }

  /// Returns the tables, by name, that hold no objects and are not the store's own.
  private func tablesLeftOut() throws -> [String] {
    let tables = try connection.schema.tableDefinitions().map(\.name)
    return try connection.withoutEntities(tables.filter { !SQLText.isReserved(table: $0) }) { $0 }
  }

  private func end() throws {
    line.object { line in
      line.member("rows", Int64(report.objectCount))
      line.member("joins", Int64(report.joinCount))
    }
    try endLine()
  }

  private func endLine() throws {
    try write(Data(line.bytes + [UInt8(ascii: "\n")]))
    line.removeAll()
  }

  // MARK: Header

  private func describe(_ entity: CatalogEntity) throws -> TransferEntity {
    // Row versions have a meaning only in this file.
    let own = ["objectID", VersionSQL.name]
    let hidden = Set((entity.properties.compactMap(\.indexColumn) + own).map(SQLName.init))
    var described = TransferEntity(
      name: entity.name,
      table: entity.table,
      version: entity.version,
      columns: [],
      indexes: [],
      properties: entity.properties
    )
    for column in try connection.schema.columns(of: entity.table)
    where !hidden.contains(SQLName(column.name)) {
      described.columns.append(
        .init(
          name: column.name,
          type: column.type,
          isNotNull: column.isNotNull,
          comparesDecimals: try connection.comparesDecimals(column.name, of: entity.table),
          preset: column.defaultText.flatMap(TransferSQL.value(ofLiteral:))
        )
      )
    }
    for (column, isUnique) in try connection.indexedColumns(of: entity.table) {
      let property = entity.property(inColumn: column)
      // The other indexes follow from the properties.
      let isHidden = hidden.contains(SQLName(column))
      if isHidden || property.map({ $0.kind != "value" || $0.isSealed }) == true { continue }
      described.indexes.append(.init(column: column, isUnique: isUnique))
    }
    return described
  }

  private func joins(_ entity: CatalogEntity) -> [TransferJoin] {
    entity.properties.compactMap { property in
      guard let table = property.join, let target = property.target else { return nil }
      return TransferJoin(
        table: table,
        owner: entity.name,
        property: property.name,
        child: target,
        isOrdered: property.kind == "children"
      )
    }
  }

  // MARK: Rows

  private func rows(of entity: CatalogEntity, _ described: TransferEntity) throws {
    var selected: [String] = []
    let columns = try described.columns.map { column in
      selected.append(column.name)
      // The objectID comes first.
      let position = Int32(selected.count)
      let property = entity.property(inColumn: column.name)
      var kind = Kind.plain
      if let property, let sealing = property.sealing {
        if sealing.isHooked {
          kind = .hooked(hasIndex: property.indexColumn != nil)
          if let index = property.indexColumn { selected.append(index) }
        } else {
          kind = .sealed(try SealedColumn(property, of: entity.name, in: storeID))
        }
      }
      let name = property?.name ?? column.name
      return Column(name: column.name, property: name, kind: kind, position: position)
    }
    let sql = TransferSQL.rows(table: entity.table, columns: selected)
    try connection.each(sql, []) { row in
      let identity = try identity(row, at: 0, entity.name)
      try write(row, identity, entity.name, columns)
      report.objects[entity.name, default: 0] += 1
    }
  }

  private func identity(
    _ row: any PreparedStatement,
    at column: Int32,
    _ entity: String,
    _ property: String? = nil
  ) throws -> ObjectID {
    guard let identity = RowKey.objectID(row, at: column) else {
      throw NacreError(
        .valueMismatch,
        entity: entity,
        property: property,
        detail: "a row's identifier is not 16 bytes"
      )
    }
    return identity
  }

  private func write(
    _ row: any PreparedStatement,
    _ identity: ObjectID,
    _ entity: String,
    _ columns: [Column]
  ) throws {
    try line.object { line in
      line.member("entity", entity)
      line.member("objectID", identity.uuid.uuidString)
      line.key("values")
      try line.object { line in
        for column in columns {
          line.key(column.name)
          do {
            try write(row, column, identity, to: &line)
          } catch {
            throw NacreError.wrap(
              error,
              entity: entity,
              property: column.property,
              objectID: identity.uuid
            )
          }
        }
      }
    }
    try endLine()
  }

  private func write(
    _ row: any PreparedStatement,
    _ column: Column,
    _ identity: ObjectID,
    to line: inout JSONWriter
  ) throws {
    let position = column.position
    if row.isNull(at: position) { return line.null() }
    switch column.kind {
    case .plain:
      if row.isBrokenText(at: position) {
        throw NacreError(.valueMismatch, detail: "its text is not UTF-8")
      }
      line.value(row.value(at: position))
    case .sealed(let cells):
      guard let sealed = row.bytes(at: position) else { throw NacreError(.notAnEnvelope) }
      try write(sealed, cells, identity, to: &line)
    case .hooked(let hasIndex):
      guard let sealed = row.bytes(at: position) else { throw NacreError(.notAnEnvelope) }
      line.object { line in
        line.member("hooked", Data(sealed).base64EncodedString())
        guard hasIndex, let token = row.bytes(at: position + 1) else { return }
        line.member("index", Data(token).base64EncodedString())
      }
    }
  }

  private func write(
    _ sealed: UnsafeRawBufferPointer,
    _ cells: SealedColumn,
    _ identity: ObjectID,
    to line: inout JSONWriter
  ) throws {
    guard let session else {
      // Without a key, only the header can tell an envelope from plain text.
      _ = try EnvelopeHeader.parse(sealed)
      return line.tagged("sealed", Data(sealed).base64EncodedString())
    }
    let value = try cells.open(sealed, of: identity, by: session) { payload in
      isRevealing ? try Value(payload) : nil
    }
    guard let value else { return line.tagged("sealed", Data(sealed).base64EncodedString()) }
    line.object { line in
      line.key("open")
      line.value(value)
    }
  }

  // MARK: Relationships

  private func rows(of join: TransferJoin) throws {
    let sql = TransferSQL.joins(table: join.table, isOrdered: join.isOrdered)
    try connection.each(sql, []) { row in
      let owner = try identity(row, at: 0, join.owner, join.property)
      let child = try identity(row, at: 2, join.owner, join.property)
      line.object { line in
        line.member("join", join.table)
        line.member("owner", owner.uuid.uuidString)
        if join.isOrdered {
          line.member("position", row.int64(at: 1))
        }
        line.member("child", child.uuid.uuidString)
      }
      try endLine()
      report.joinCount += 1
    }
  }
}
