import NacreEngine
import NacreStore

/// The loader of the graph that a set of objects owns: it loads level by level, with one query for
/// each relationship and level, or a few where there are many objects.
final class GraphLoader {
  private let session: EntitySession
  /// The links of the first level to load as well.
  private let prefetch: [Property]
  /// The objects of each entity that several properties or levels of the graph can lead to.
  private var known: [Int: IdentityTable] = [:]
  /// The numbers of these entities; nil if they are all that there are.
  private var shared: Set<Int>?
  private var next: [Int: Batch] = [:]
  /// All batches so far, which keep the objects in the tables alive.
  private var batches: [Batch] = []
  /// The objects that are known from the beginning and are not loaded.
  private let held: [any Entity]

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - session: The state that entities keep for the connection.
  ///   - prefetch: The links to load as well.
  ///   - held: Objects that stand for their rows, which are not loaded; there is one for each row.
  init(_ session: EntitySession, prefetch: [Property] = [], beside held: [any Entity] = []) {
    self.session = session
    self.prefetch = prefetch
    self.held = held
    for object in held {
      let number = type(of: object).entitySchema.number
      known[number, default: IdentityTable()].insert(object, object.entityState.identity)
    }
  }

  /// Returns a batch for the objects that were asked for.
  func makeRoots(_ statements: EntityStatements) -> Batch {
    Batch(statements, following: statements.ownedToOne + prefetch)
  }

  /// Loads the objects that the objects of a batch own, and the links that were asked for.
  func load(_ roots: Batch) throws {
    if roots.objects.isEmpty { return }
    let schema = roots.statements.schema
    if held.isEmpty && prefetch.isEmpty { shared = schema.sharedInGraph }
    if held.isEmpty, isShared(schema) {
      var table = IdentityTable()
      for (object, identity) in zip(roots.objects, roots.identities) {
        table.insert(object, identity)
      }
      known[schema.number] = table
    }
    var level = [roots]
    while !level.isEmpty {
      batches += level
      next = [:]
      for batch in level { try loadTargets(of: batch) }
      level = next.values.filter { !$0.objects.isEmpty }
    }
  }

  /// Returns whether several properties or levels of the graph can lead to one object of an entity.
  private func isShared(_ schema: EntitySchema) -> Bool {
    shared?.contains(schema.number) ?? true
  }

  private func loadTargets(of batch: Batch) throws {
    for (index, property) in batch.toOne.enumerated() where !batch.references[index].isEmpty {
      guard let relationship = property.relationship else { continue }
      var references = batch.takeReferences(at: index)
      try load(&references, of: relationship.target) { owner, object in
        relationship.attachOne(batch.objects[owner], object)
      }
    }
    for property in batch.statements.ownedToMany {
      guard let relationship = property.relationship,
        let sql = batch.statements.relationship(property)
      else { continue }
      if sql.joinTable != nil && batch.statements.walks(batch.objects.count) {
        try loadPlaces(property, relationship, sql, of: batch)
      } else {
        try loadJoined(property, relationship, sql, of: batch)
      }
    }
  }

  /// Finds or makes the object of each reference, and gives it to `attach` with the reference's
  /// owner; a reference to a row that does not exist is left out.
  ///
  /// It sorts the caller's references, because a copy of millions takes as much memory again.
  private func load(
    _ wanted: inout [Batch.Reference],
    of type: any Entity.Type,
    _ attach: (Int, AnyObject) -> Void
  ) throws {
    let statements = try session.statements(for: type.entitySchema)
    var table = takeTable(of: statements.schema)
    defer { known[statements.schema.number] = table }
    if let table {
      wanted.removeAll { reference in
        guard let object = table[reference.target] else { return false }
        attach(reference.owner, object)
        return true
      }
    }
    // Objects that were made together mostly have children that were made together.
    if zip(wanted, wanted.dropFirst()).contains(where: { $1.target < $0.target }) {
      wanted.sort { $0.target < $1.target }
    }
    let level = nextLevel(statements)
    try statements.eachRow(under: wanted.lazy.map(\.target)) { reader, first in
      let object = try make(reader, statements.schema, level, &table)
      var index = first
      repeat {
        attach(wanted[index].owner, object)
        index += 1
      } while index < wanted.count && wanted[index].target == reader.identity
    }
  }

  /// Loads the children of many owners: first their places in the lists, then all of their rows.
  ///
  /// Both come in the order of a table, where a join would search for the row of each place.
  private func loadPlaces(
    _ property: Property,
    _ relationship: Property.Relationship,
    _ sql: RelationshipSQL,
    of batch: Batch
  ) throws {
    let owners = batch.owners
    var places: [Batch.Reference] = []
    // Where the children of each owner end among all places.
    var ends: [(owner: Int, end: Int)] = []
    try batch.statements.eachPlace(property, sql, of: owners.lazy.map(\.identity)) { owner, child in
      if ends.last?.owner == owner { ends.removeLast() }
      places.append(Batch.Reference(owner: places.count, target: child))
      ends.append((owner, places.count))
    }
    var objects = [AnyObject?](repeating: nil, count: places.count)
    try load(&places, of: relationship.target) { place, object in objects[place] = object }
    var start = 0
    for (owner, end) in ends {
      let children = objects[start..<end].compactMap { $0 }
      relationship.attachMany(batch.objects[owners[owner].index], children)
      start = end
    }
  }

  /// Loads the children of owners by one query, owner by owner.
  private func loadJoined(
    _ property: Property,
    _ relationship: Property.Relationship,
    _ sql: RelationshipSQL,
    of batch: Batch
  ) throws {
    let statements = try session.statements(for: sql.target)
    let (statement, reader) = try batch.statements.rows(
      StatementKey(.children, property.index),
      sql.children(session.connection.dialect),
      base: 1,
      of: statements
    )
    defer { statement.reset() }
    try session.bind(batch.identities, to: statement)
    let level = nextLevel(statements)
    var table = takeTable(of: statements.schema)
    let isShared = table != nil
    defer { if isShared { known[statements.schema.number] = table } }
    // Lists that have a table can hold one child several times; a child's own link can't.
    if !isShared && sql.joinTable != nil { table = IdentityTable() }
    // Rows come owner by owner, so one list of children is open at a time.
    var owner = -1
    var children: [AnyObject] = []
    var places: [ListPlace] = []
    // The position comes after the owner's number and the row.
    let position = sql.positionColumn == nil ? 0 : 1 + statements.schema.rowColumnCount
    func attach() {
      guard owner >= 0 else { return }
      let ordered = position == 0 ? children : ListPlace.ordered(children, by: places)
      relationship.attachMany(batch.objects[owner], ordered)
    }
    while try statement.step() {
      let number = Int(statement.integer(at: 0) ?? 0)
      if number != owner {
        attach()
        owner = number
        children.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
      }
      let identity = try reader.next()
      let child = try table?[identity] ?? make(reader, statements.schema, level, &table)
      children.append(child)
      if position != 0 { places.append(ListPlace(statement.integer(at: position), identity)) }
    }
    attach()
  }

  /// Makes the object of the current row, and puts it into the next level if there is more to load.
  @inline(__always)
  private func make(
    _ reader: RowReader,
    _ schema: EntitySchema,
    _ level: Batch?,
    _ table: inout IdentityTable?
  ) throws -> AnyObject {
    let object: any Entity = try schema.type.init(row: reader)
    try level?.append(object, reader)
    table?.insert(object, reader.identity)
    return object
  }

  /// Returns the known objects of an entity, to be put back; nil if each can be met only once.
  private func takeTable(of schema: EntitySchema) -> IdentityTable? {
    guard isShared(schema) else { return nil }
    return known.removeValue(forKey: schema.number) ?? IdentityTable()
  }

  /// Returns the batch of an entity's objects on the next level; nil if nobody needs it.
  private func nextLevel(_ statements: EntityStatements) -> Batch? {
    // The tables do not keep their objects alive, so the batches do.
    if statements.owned.isEmpty && !isShared(statements.schema) { return nil }
    if let batch = next[statements.schema.number] { return batch }
    let batch = Batch(statements, following: statements.ownedToOne)
    next[statements.schema.number] = batch
    return batch
  }
}
