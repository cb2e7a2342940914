import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// Reads the lines of an export into a store, inside one transaction.
final class Import {
  /// The longest line: the most that SQLite holds in one row, in base64.
  static let lineByteLimit = 1 << 30

  private let database: Database
  private let existing: ExistingObjects
  private let next: () throws -> Data?
  private var connection: any EngineConnection { database.connection }
  private var number = 0
  private var targets: [String: ImportTarget] = [:]
  private var joins: [String: (join: VerifySQL.Join, owner: String)] = [:]
  private var report = TransferReport()
  /// How many lines of each kind were read; the last line says how many there have to be.
  private var rowCount: Int64 = 0
  private var joinCount: Int64 = 0

  init(
    _ database: Database,
    _ existing: ExistingObjects,
    _ next: @escaping () throws -> Data?
  ) {
    self.database = database
    self.existing = existing
    self.next = next
  }

  func run() throws -> TransferReport {
    try RotationJournal.refuseConversions(on: connection)
    try database.refuseForeignCatalog()
    // A reference may come before its target. This defers the application's own keys, too.
    try connection.execute(connection.dialect.deferForeignKeys)
    try connection.execute(TransferSQL.createSkipped(connection.dialect))
    if !defersReferences { try connection.execute(TransferSQL.createLater(connection.dialect)) }
    let header = try onLine { try self.header() }
    while try onLine({ try line() }) {}
    if !defersReferences { try onLine { try writeLater() } }
    try onLine { try self.end(header) }
    try connection.execute(TransferSQL.dropSkipped)
    return report
  }

  // MARK: Lines

  /// Runs the work on the next line, and adds the line's number to errors.
  private func onLine<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var fault as ImportFault {
      fault.error.detail = "line \(number): \(fault.error.detail ?? "")"
      throw fault.error
    } catch let failure as JSONReader.Failure {
      throw NacreError(
        .badImport,
        detail: "line \(number), byte \(failure.byte): \(failure.reason)"
      )
    } catch {
      guard var error = NacreError.wrap(error) as? NacreError, error.detail == nil else {
        throw error
      }
      error.detail = "line \(number)"
      throw error
    }
  }

  /// The next line that is not blank; nil after the last one.
  private func read() throws -> JSONValue? {
    while true {
      number += 1
      guard let data = try next() else { return nil }
      guard data.count <= Import.lineByteLimit else {
        throw ImportFault("the line is longer than \(Import.lineByteLimit) bytes")
      }
      if data.allSatisfy({ $0 == 0x0A || $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }) { continue }
      return try JSONReader.read(data)
    }
  }

  private func header() throws -> TransferHeader {
    guard let value = try read() else { throw ImportFault("there are no lines") }
    let header = try TransferHeader(value)
    let isHome = header.storeID == database.home.storeID.description
    let isHooked = header.entities.contains { entity in
      entity.properties.contains { $0.sealing?.isHooked == true }
    }
    guard isHome || !header.isSealed && !isHooked else {
      throw ImportFault(
        header.isSealed
          ? "the values are sealed for another store and can be opened only there"
          : "an application's own provider sealed values for another store"
      )
    }
    try ImportTables(header, on: database).prepare()
    for described in header.entities {
      let entity = try CatalogEntity.named(described.name, on: connection)
      let own = try joins(of: entity, header)
      for (table, join) in own { joins[table] = (join, entity.name) }
      targets[entity.name] = try ImportTarget(
        entity,
        columns: described.columns.map(\.name),
        joins: own.map(\.join),
        database: database
      )
    }
    guard joins.count == header.joins.count else {
      throw ImportFault("a relationship's table is not that of a property")
    }
    return header
  }

  /// The relationships of an entity that the lines have, by the name that they have in the lines.
  private func joins(
    of entity: CatalogEntity,
    _ header: TransferHeader
  ) throws -> [(table: String, join: VerifySQL.Join)] {
    try header.joins.filter { $0.owner == entity.name }.map { described in
      let property = entity.properties.first { $0.name == described.property }
      guard let property, let table = property.join, let target = property.target,
        property.kind == (described.isOrdered ? "children" : "links")
      else {
        throw ImportFault(
          "its table is not that of a relationship",
          entity: entity.name,
          property: described.property
        )
      }
      let join = VerifySQL.Join(
        table: table,
        owner: entity.table,
        target: try CatalogEntity.named(target, on: connection).table,
        isOrdered: described.isOrdered
      )
      return (described.table, join)
    }
  }

  /// - Returns: whether there are more lines; false after the line that ends an export.
  private func line() throws -> Bool {
    guard let value = try read() else {
      throw ImportFault("the last line is missing: the lines were cut")
    }
    let members = try JSONMembers(value, "the line")
    if members.has("entity") {
      try row(members)
    } else if members.has("join") {
      try join(members)
    } else if members.has("rows") {
      try last(members)
      return false
    } else {
      throw ImportFault("the line does not come from an export")
    }
    return true
  }

  private func last(_ members: JSONMembers) throws {
    let (rows, joins) = (try members.integer("rows"), try members.integer("joins"))
    guard rows == rowCount, joins == joinCount, members.count == 2 else {
      throw ImportFault(
        "the lines have \(rowCount.counted("object")) and "
          + "\(joinCount.counted("row of a relationship", "rows of relationships")) "
          + "instead of \(rows) and \(joins): they were cut"
      )
    }
    if try read() != nil { throw ImportFault("something follows the last line") }
  }

  // MARK: Objects

  private func row(_ members: JSONMembers) throws {
    let name = try members.string("entity")
    guard let target = targets[name] else {
      throw ImportFault("the first line does not name the entity")
    }
    if joinCount > 0 { throw ImportFault("an object comes after a relationship") }
    let objectID = try members.uuid("objectID")
    guard let json = members["values"], members.count == 3 else {
      throw ImportFault("the line has no \"values\", or more members than expected", entity: name)
    }
    let identity = ObjectID(objectID)
    let id = Value.blob(identity.data)
    rowCount += 1
    var arguments = try target.arguments(JSONMembers(json, "\"values\""), identity)
    let isStored = try connection.scalar(target.exists, [id]) != nil
    if isStored, try !replaces(identity, target) { return }
    if !defersReferences { try postpone(&arguments, identity, target) }
    let sql = isStored ? target.replace : target.insert
    try run(sql, [id] + arguments, entity: name, objectID)
    report.objects[name, default: 0] += 1
  }

  /// Whether a stored object is to be replaced; if so, deletes its rows of relationships.
  private func replaces(_ identity: ObjectID, _ target: ImportTarget) throws -> Bool {
    let (name, id) = (target.entity.name, Value.blob(identity.data))
    switch existing {
    case .refuse:
      throw ImportFault(
        "the object is stored already",
        .alreadyStored,
        entity: name,
        objectID: identity.uuid
      )
    case .skip:
      try connection.run(TransferSQL.insertSkipped(connection.dialect), [.text(name), id])
      report.skippedCount += 1
      return false
    case .replace:
      for join in target.joins {
        try connection.run(TransferSQL.deleteJoins(table: join.table), [id])
      }
      report.replacedCount += 1
      return true
    }
  }

  /// Whether a reference may come before its target.
  private var defersReferences: Bool {
    database.home.engine.capabilities.contains(.defersReferences)
  }

  /// Takes out references to objects that have not come yet, and notes them.
  private func postpone(
    _ arguments: inout [Value],
    _ identity: ObjectID,
    _ target: ImportTarget
  ) throws {
    for (place, column, entity) in target.references where arguments[place] != .null {
      let table = try CatalogEntity.named(entity, on: connection).table
      let exists = TransferSQL.exists(table: table)
      if try connection.scalar(exists, [arguments[place]]) != nil { continue }
      let id = Value.blob(identity.data)
      let row: [Value] = [.text(target.entity.name), id, .text(column), arguments[place]]
      try connection.run(TransferSQL.insertLater, row)
      arguments[place] = .null
    }
  }

  /// Writes the references that were noted.
  private func writeLater() throws {
    for target in targets.values.sorted(by: { $0.entity.name < $1.entity.name }) {
      for (_, column, entity) in target.references {
        let table = try CatalogEntity.named(entity, on: connection).table
        let those: [Value] = [.text(target.entity.name), .text(column)]
        let name = target.entity.property(inColumn: column)?.name ?? column
        try refuse(TransferSQL.firstWithoutTarget(table), those, target.entity.name, name)
        try connection.run(
          TransferSQL.writeLater(table: target.entity.table, column: column),
          those
        )
      }
    }
    try connection.execute(TransferSQL.dropLater)
  }

  // MARK: Relationships

  private func join(_ members: JSONMembers) throws {
    guard let (join, entity) = joins[try members.string("join")] else {
      throw ImportFault("the first line does not name the relationship")
    }
    let owner = try members.uuid("owner")
    let id = Value.blob(ObjectID(owner).data)
    var arguments = [id, Value.blob(ObjectID(try members.uuid("child")).data)]
    if join.isOrdered {
      let position = try members.integer("position")
      guard (0..<Int64.max).contains(position) else {
        throw ImportFault("a position is not a possible one", entity: entity, objectID: owner)
      }
      arguments.append(.integer(position))
    }
    guard members.count == (join.isOrdered ? 4 : 3) else {
      throw ImportFault("the line has more members than a relationship has", entity: entity)
    }
    joinCount += 1
    if existing == .skip,
      try connection.scalar(TransferSQL.isSkipped, [.text(entity), id]) != nil
    {
      return
    }
    let sql = TransferSQL.insertJoin(table: join.table, isOrdered: join.isOrdered)
    try run(sql, arguments, entity: entity, owner)
    report.joinCount += 1
  }

  /// Writes a row of an object, which the fault names if a constraint does not hold.
  private func run(
    _ sql: String,
    _ arguments: [Value],
    entity: String,
    _ objectID: UUID
  ) throws {
    do {
      try connection.run(sql, arguments)
    } catch let error as any EngineError where error.kind == .constraint {
      throw ImportFault(
        "a constraint does not hold: \(error.message)",
        .constraint,
        entity: entity,
        objectID: objectID
      )
    }
  }

  // MARK: The end

  /// Throws an error that names the first dangling reference, because SQLite would only say that there is one.
  private func end(_ header: TransferHeader) throws {
    for target in targets.values.sorted(by: { $0.entity.name < $1.entity.name }) {
      for property in target.entity.properties {
        guard let column = property.column, let name = property.target else { continue }
        let table = try CatalogEntity.named(name, on: connection).table
        let sql = TransferSQL.firstDangling(
          table: target.entity.table,
          column: column,
          target: table
        )
        try refuse(sql, [], target.entity.name, property.name)
      }
    }
    for described in header.joins {
      guard let (join, entity) = joins[described.table] else { continue }
      try refuse(TransferSQL.firstDangling(join), [], entity, described.property)
    }
  }

  /// Throws if the statement finds an object with a dangling reference.
  private func refuse(
    _ firstDangling: String,
    _ arguments: [Value],
    _ entity: String,
    _ property: String
  ) throws {
    try connection.each(firstDangling, arguments) { row in
      throw ImportFault(
        "the object that it refers to is neither in the lines nor in the store",
        entity: entity,
        property: property,
        objectID: RowKey.objectID(row)?.uuid
      )
    }
  }
}
