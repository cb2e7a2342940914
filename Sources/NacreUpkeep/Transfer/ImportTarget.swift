import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// An entity that lines are imported into: which columns the lines fill, and how.
final class ImportTarget {
  let entity: CatalogEntity
  /// The columns that each line has.
  private let columns: [Column]
  /// The columns of ``arguments(of:_:)``: those that were given, then those of their blind indexes.
  let names: [String]
  /// The tables of its to-many relationships that are in the lines, too.
  let joins: [VerifySQL.Join]
  let exists: String
  let insert: String
  let replace: String

  /// Whether each row searches a blind index for tokens of other keys.
  var searchesIndexes: Bool { columns.contains { $0.cell?.searchesIndex == true } }

  private struct Column {
    var name: String
    var property: CatalogProperty?
    var cell: ImportCell?
  }

  /// Takes an entity and the columns that get a value in each row, without the objectID.
  init(
    _ entity: CatalogEntity,
    columns names: [String],
    joins: [VerifySQL.Join] = [],
    database: Database
  ) throws {
    self.entity = entity
    self.joins = joins
    columns = try names.map { name in
      let property = entity.property(inColumn: name)
      let cell = try property.flatMap { property in
        try property.sealing.map {
          try ImportCell(property, $0, of: entity, database: database)
        }
      }
      return Column(name: name, property: property, cell: cell)
    }
    let all = names + columns.compactMap { $0.property?.indexColumn }
    self.names = all
    exists = TransferSQL.exists(table: entity.table)
    let hasVersion =
      try TableLayout(entity.table, on: database.connection).column(VersionSQL.name) != nil
    (insert, replace) = TransferSQL.inserts(
      entity.table,
      all,
      hasVersion: hasVersion,
      database.connection.dialect
    )
  }

  /// The references among the arguments: the place, the column, and the entity that has the target.
  var references: [(place: Int, column: String, target: String)] {
    columns.enumerated().compactMap { place, column in
      column.property?.target.map { (place, column.name, $0) }
    }
  }

  /// The arguments to bind after the objectID, of a line's values.
  ///
  /// - Throws: ``ImportFault``, or what sealing throws.
  func arguments(_ values: JSONMembers, _ identity: ObjectID) throws -> [Value] {
    let arguments = try self.arguments(of: identity) { place in
      guard let json = values[columns[place].name] else {
        throw ImportFault("the line has no value for it")
      }
      return try TransferValue(json)
    }
    if values.count != columns.count {
      let unknown = values.names.filter { name in !columns.contains { $0.name == name } }
      throw ImportFault(
        "the line has a value that the first line does not name",
        entity: entity.name,
        property: unknown.min(),
        objectID: identity.uuid
      )
    }
    return arguments
  }

  /// Makes the arguments to bind after the objectID.
  ///
  /// - Parameters:
  ///   - identity: the row's objectID, to which sealed values are bound.
  ///   - value: returns the value of a column, by its place among those that were given.
  /// - Returns: the arguments, in the order of ``names``.
  /// - Throws: ``ImportFault`` with the property; what sealing or `value` throws.
  func arguments(
    of identity: ObjectID,
    _ value: (Int) throws -> TransferValue
  ) throws -> [Value] {
    var cells: [Value] = []
    var indexes: [Value] = []
    for (place, column) in columns.enumerated() {
      let property = column.property?.name ?? column.name
      do {
        let (cell, index) = try stored(value(place), column, identity)
        cells.append(cell)
        if column.property?.indexColumn != nil { indexes.append(index) }
      } catch let fault as ImportFault {
        throw fault.at(property, of: entity.name, identity.uuid)
      } catch let error as CryptoError where error.isOfValue {
        let detail = "its value does not open here: \(error.code)"
        throw ImportFault(detail, NacreError.code(of: error))
          .at(property, of: entity.name, identity.uuid)
      }
    }
    return cells + indexes
  }

  private func stored(
    _ value: TransferValue,
    _ column: Column,
    _ identity: ObjectID
  ) throws -> (cell: Value, index: Value) {
    if let cell = column.cell { return try cell.stored(value, identity) }
    guard case .plain(let plain) = value else {
      throw ImportFault("the value is sealed, and the property is not sealed here")
    }
    guard let property = column.property else { return (plain, .null) }
    if property.kind == "value" {
      try ImportTarget.check(plain, property)
    } else if plain != .null {
      guard case .blob(let bytes) = plain, bytes.count == 16 else {
        throw ImportFault("the reference is not an objectID")
      }
    }
    return (plain, .null)
  }

  /// Throws if a value has another type than the column, because SQLite would convert it.
  private static func check(_ value: Value, _ property: CatalogProperty) throws {
    let type = ConversionForm.ColumnType(rawValue: property.type)
    let fits = value == .null || type == .blob || value.storageClass == type?.storageClass
    if !fits { throw ImportFault("its value does not have the type \(property.type)") }
  }
}

/// A sealed property that lines are imported into.
final class ImportCell {
  private let property: CatalogProperty
  private let table: String
  private let sealing: CatalogProperty.Sealing
  private let column: SealedColumn
  private let session: RingSession?
  /// The index under each key that may have made a token, the primary key first; empty if the property has no index.
  private let indexes: [BlindIndex]
  private let connection: any EngineConnection
  /// Whether each value is compared with tokens of keys that are no longer the primary one.
  var searchesIndex: Bool { sealing.form.index?.isUnique == true && indexes.count > 1 }

  init(
    _ property: CatalogProperty,
    _ sealing: CatalogProperty.Sealing,
    of entity: CatalogEntity,
    database: Database
  ) throws {
    self.property = property
    table = entity.table
    connection = database.connection
    let session = sealing.isHooked ? nil : try database.cryptSession()
    self.session = session
    var sealing = sealing
    if let session { sealing.suite = sealing.suite(in: session.ring) }
    self.sealing = sealing
    let context = try property.context(of: entity.name, in: database.home.storeID)
    column = SealedColumn(context, sealing)
    indexes = try session.map { [column] in try column.indexes(in: $0.ring) } ?? []
  }

  /// The content of the column and of its blind index.
  ///
  /// - Throws: ``ImportFault``, or ``CryptoError`` for an envelope that does not open.
  func stored(_ value: TransferValue, _ identity: ObjectID) throws -> (cell: Value, index: Value) {
    switch value {
    case .plain(.null) where sealing.isHooked:
      if property.isOptional == false { throw ImportFault("the property can't be nil") }
      return (.null, .null)
    case .plain(.null): return try seal(.null, identity)
    case .plain: throw ImportFault("the value is plain, and the property is sealed here")
    case .hooked(let bytes, let index):
      guard sealing.isHooked else {
        throw ImportFault("its value is sealed by an application's own provider")
      }
      return (.blob(bytes), index.map(Value.blob) ?? .null)
    case .sealed(let envelope):
      return (.blob(envelope), try admit(envelope, identity))
    case .opened(let value): return try seal(value, identity)
    }
  }

  /// Opens an envelope to check it, and computes its token.
  private func admit(_ envelope: Data, _ identity: ObjectID) throws -> Value {
    let session = try ring()
    return try envelope.withUnsafeBytes { envelope in
      try column.open(envelope, of: identity, by: session) { try token($0, identity) }
    }
  }

  private func seal(_ value: Value, _ identity: ObjectID) throws -> (cell: Value, index: Value) {
    let session = try ring()
    if value == .null && !sealing.form.hidesNil {
      if property.isOptional == false { throw ImportFault("the property can't be nil") }
      return (.null, .null)
    }
    let index = try column.payload(of: value) { try token($0, identity) }
    return (try column.seal(value, of: identity, by: session), index)
  }

  private func token(_ payload: PayloadReader, _ identity: ObjectID) throws -> Value {
    if let fault = try property.fault(of: payload) {
      throw ImportFault("its value does not fit this property: \(fault.rawValue)")
    }
    guard let primary = indexes.first else { return .null }
    if searchesIndex, let name = property.indexColumn {
      for index in indexes.dropFirst() {
        let token = try index.token(payload.type, payload.value)
        guard try connection.isTaken(token, in: name, of: table, but: identity) else { continue }
        throw ImportFault("another object has the same value", .constraint)
      }
    }
    return .blob(Data(try primary.token(payload.type, payload.value)))
  }

  private func ring() throws -> RingSession {
    guard let session else {
      throw ImportFault("here the application's own provider seals the property, not the store")
    }
    return session
  }
}
