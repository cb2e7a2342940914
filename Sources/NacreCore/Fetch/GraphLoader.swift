import NacreEngine
import NacreStore

/// The loader of the graph that a set of objects owns: it loads level by level, with one query for
/// each relationship and level.
final class GraphLoader {
  private let session: EntitySession
  /// The links of the first level to load as well.
  private let prefetch: [Property]
  private var known: [Int: IdentityTable] = [:]
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
    if held.isEmpty, roots.statements.schema.isRecursive || !prefetch.isEmpty {
      var table = IdentityTable()
      for (object, identity) in zip(roots.objects, roots.identities) {
        table.insert(object, identity)
      }
      known[roots.statements.schema.number] = table
    }
    var level = [roots]
    while !level.isEmpty {
      batches += level
      next = [:]
      for batch in level { try loadTargets(of: batch) }
      level = next.values.filter { !$0.objects.isEmpty }
    }
  }

  private func loadTargets(of batch: Batch) throws {
    for (index, property) in batch.toOne.enumerated() where !batch.references[index].isEmpty {
      try loadToOne(property, batch.references[index], of: batch)
    }
    for property in batch.statements.ownedToMany { try loadToMany(property, of: batch) }
  }

  private func loadToOne(
    _ property: Property,
    _ references: [Batch.Reference],
    of batch: Batch
  ) throws {
    guard let relationship = property.relationship else { return }
    let statements = try session.statements(for: relationship.target.entitySchema)
    var table = known.removeValue(forKey: statements.schema.number) ?? IdentityTable()
    defer { known[statements.schema.number] = table }
    let missing = missing(references, in: table)
    if !missing.isEmpty {
      let (statement, reader) = try statements.targets()
      defer { statement.reset() }
      try session.bind(missing, to: statement)
      let level = nextLevel(statements)
      while try statement.step() { _ = try object(reader, statements.schema, level, &table) }
    }
    for reference in references {
      guard let object = table[reference.target] else { continue }
      relationship.attachOne(batch.objects[reference.owner], object)
    }
  }

  private func loadToMany(_ property: Property, of batch: Batch) throws {
    guard let relationship = property.relationship,
      let sql = batch.statements.relationship(property)
    else { return }
    let statements = try session.statements(for: sql.target)
    let (statement, reader) = try batch.statements.rows(
      StatementKey(.children, property.index),
      sql.children,
      base: 1,
      of: statements
    )
    defer { statement.reset() }
    try session.bind(batch.identities, to: statement)
    let level = nextLevel(statements)
    var table = known.removeValue(forKey: statements.schema.number) ?? IdentityTable()
    defer { known[statements.schema.number] = table }
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
      children.append(try object(reader, statements.schema, level, &table))
      if position != 0 {
        places.append(ListPlace(statement.integer(at: position), reader.identity))
      }
    }
    attach()
  }

  /// Returns the object of the current row: the known one, or a new one, which goes into the next
  /// level.
  @inline(__always)
  private func object(
    _ reader: RowReader,
    _ schema: EntitySchema,
    _ level: Batch,
    _ table: inout IdentityTable
  ) throws -> AnyObject {
    let identity = try reader.next()
    if let object = table[identity] { return object }
    let object: any Entity = try schema.type.init(row: reader)
    try level.append(object, reader)
    table.insert(object, identity)
    return object
  }

  private func nextLevel(_ statements: EntityStatements) -> Batch {
    if let batch = next[statements.schema.number] { return batch }
    let batch = Batch(statements, following: statements.ownedToOne)
    next[statements.schema.number] = batch
    return batch
  }

  /// Returns the targets without a known object, each once, in order.
  private func missing(_ references: [Batch.Reference], in table: IdentityTable) -> [ObjectID] {
    var missing = references.lazy.map(\.target).filter { table[$0] == nil }.sorted()
    var last: ObjectID?
    missing.removeAll { identity in
      defer { last = identity }
      return identity == last
    }
    return missing
  }
}
