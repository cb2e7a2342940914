import NacreEngine
import NacreStore

/// How the rows of one foreign table become elements of a to-many relationship.
final class AdoptionList {
  let source: ForeignTable
  /// The columns to read.
  let columns: [String]
  private let owner: AdoptionReference
  private let child: AdoptionReference
  /// The column with the position; nil if the rows are counted.
  private let position: (place: Int, column: String)?
  private let join: VerifySQL.Join
  private let insert: String
  private let hasElement: String
  private let connection: any EngineConnection
  private var count: Int64 = 0

  /// - Throws: ``NacreError`` with code `badMapping`.
  init(_ list: AdoptedList, _ resolver: AdoptionResolver) throws {
    let entity = try resolver.entity(list.entity)
    let found = entity.properties.first { $0.name == list.property && !$0.isHidden }
    guard let property = found, property.kind == "children" || property.kind == "links" else {
      throw AdoptionResolver.fault(
        "the entity has no such to-many relationship",
        entity: list.entity,
        property: list.property
      )
    }
    guard let table = property.join, let target = property.target else {
      throw AdoptionResolver.fault(
        "its elements are found by their property \(property.inverse ?? ""): map that",
        entity: list.entity,
        property: list.property
      )
    }
    let source = try resolver.file.table(list.name)
    var places = ColumnPlaces()
    func end(_ end: AdoptedList.End, _ entity: CatalogEntity) throws -> AdoptionReference {
      try resolver.reference(
        end.columns,
        to: end.table,
        keys: end.keys,
        entity: entity,
        in: source,
        &places
      )
    }
    let children = try resolver.entity(target)
    owner = try end(list.owner, entity)
    child = try end(list.child, children)
    let isOrdered = property.kind == "children"
    position = try list.position.map { name -> (place: Int, column: String) in
      guard isOrdered else {
        throw AdoptionResolver.fault(
          "its elements have no order, so they have no position",
          entity: list.entity,
          property: list.property
        )
      }
      let column = try source.column(name)
      return (place: places.place(of: column), column: column)
    }
    join = VerifySQL.Join(
      table: table,
      owner: entity.table,
      target: children.table,
      isOrdered: isOrdered
    )
    insert = TransferSQL.insertJoin(table: table, isOrdered: isOrdered)
    hasElement = AdoptionSQL.hasElement(join: table, isOrdered: isOrdered)
    connection = resolver.connection
    columns = places.names
    self.source = source
  }

  /// Stores a row; all objects are stored already.
  ///
  /// - Returns: whether it is an element; false for a row without an owner, and for one that a list without an order has
  ///   already.
  /// - Throws: ``AdoptionFault``; ``NacreError``.
  func store(_ row: ForeignRow) throws -> Bool {
    guard let owner = try self.owner.objectID(row) else { return false }
    guard let child = try self.child.objectID(row) else {
      throw AdoptionFault(.missingValue, column: self.child.columns)
    }
    try refuseMissing(owner, join.owner, self.owner.columns)
    try refuseMissing(child, join.target, self.child.columns)
    let (ownerID, childID) = (Value.blob(owner.data), Value.blob(child.data))
    guard join.isOrdered else {
      if try connection.scalar(hasElement, [ownerID, childID]) != nil { return false }
      try connection.run(insert, [ownerID, childID])
      return true
    }
    let position = try nextPosition(row)
    if try connection.scalar(hasElement, [ownerID, .integer(position)]) != nil {
      throw AdoptionFault(.badPosition, column: self.position?.column)
    }
    try connection.run(insert, [ownerID, childID, .integer(position)])
    return true
  }

  private func nextPosition(_ row: ForeignRow) throws -> Int64 {
    guard let position else {
      // Positions need not follow each other, so one number serves all owners.
      defer { count += 1 }
      return count
    }
    guard let found = AdoptionCell.position(try row.value(at: position.place)) else {
      throw AdoptionFault(.badPosition, column: position.column)
    }
    return found
  }

  private func refuseMissing(_ object: ObjectID, _ table: String, _ column: String) throws {
    let id = Value.blob(object.data)
    if try connection.scalar(TransferSQL.exists(table: table), [id]) == nil {
      throw AdoptionFault(.danglingReference, column: column)
    }
  }
}
