import NacreSQLite

/// Loads the graph that a set of objects owns, level by level: one query a relationship and level.
final class GraphLoader {
  private let database: Database
  /// The links to load as well, of the first level.
  private let prefetch: [Property]
  private var known: [Int: IdentityTable] = [:]

  /// The objects of one entity on one level, with the identities of their to-one children.
  final class Batch {
    let plan: EntityPlan
    var objects: [any Entity] = []
    /// For every to-one property that is followed: which object refers to which target.
    var targets: [(property: Property, pairs: [(owner: Int, target: ObjectID)])]

    init(_ plan: EntityPlan, following toOne: [Property]) {
      self.plan = plan
      targets = toOne.map { ($0, []) }
    }

    /// Takes the object that `reader` has just made from its current row.
    func append(_ object: any Entity, _ reader: RowReader) throws {
      for index in targets.indices {
        let property = targets[index].property.index
        do {
          guard let target = try reader.target(at: property) else { continue }
          targets[index].pairs.append((objects.count, target))
        } catch {
          throw reader.failure(error, property)
        }
      }
      objects.append(object)
    }
  }

  init(_ database: Database, prefetch: [Property] = []) {
    self.database = database
    self.prefetch = prefetch
  }

  /// A batch for the objects that were asked for.
  func makeRoots(_ plan: EntityPlan) -> Batch {
    Batch(plan, following: plan.ownedToOne + prefetch)
  }

  /// Loads what the objects of a batch own, and the links that were asked for.
  func load(_ roots: Batch) throws {
    if roots.plan.schema.isRecursive || !prefetch.isEmpty {
      for object in roots.objects { enter(object, roots.plan.schema) }
    }
    var level = [roots]
    while !level.isEmpty {
      var next: [Int: Batch] = [:]
      for batch in level { try loadTargets(of: batch, into: &next) }
      level = next.values.filter { !$0.objects.isEmpty }
    }
  }

  private func enter(_ object: any Entity, _ schema: EntitySchema) {
    known[schema.number, default: IdentityTable()].insert(object, object.entityState.identity)
  }

  private func loadTargets(of batch: Batch, into next: inout [Int: Batch]) throws {
    for (property, pairs) in batch.targets where !pairs.isEmpty {
      try loadToOne(property, pairs, of: batch, into: &next)
    }
    for property in batch.plan.ownedToMany {
      try loadToMany(property, of: batch, into: &next)
    }
  }

  private func loadToOne(
    _ property: Property,
    _ pairs: [(owner: Int, target: ObjectID)],
    of batch: Batch,
    into next: inout [Int: Batch]
  ) throws {
    guard let relationship = property.relationship else { return }
    let target = relationship.target.entitySchema
    let missing = missing(pairs.map(\.target), of: target)
    if !missing.isEmpty {
      let plan = try database.plan(for: target)
      let rows = try plan.rows(
        StatementKey(.targets),
        RelationshipSQL.targets(of: target),
        base: 1
      )
      try read(rows, missing, plan, &next) { _, _ in }
    }
    for (owner, identity) in pairs {
      guard let object = known[target.number]?[identity] else { continue }
      relationship.attach(batch.objects[owner], [object])
    }
  }

  private func loadToMany(
    _ property: Property,
    of batch: Batch,
    into next: inout [Int: Batch]
  ) throws {
    guard let relationship = property.relationship, let sql = batch.plan.relationship(property)
    else { return }
    let plan = try database.plan(for: sql.target)
    let rows = try batch.plan.rows(
      StatementKey(.children, property.index),
      sql.children,
      base: 1,
      of: plan
    )
    // Rows come owner by owner, so one list of children is open at a time.
    var owner = -1
    var children: [AnyObject] = []
    let attach = {
      if !children.isEmpty { relationship.attach(batch.objects[owner], children) }
    }
    let owners = batch.objects.map { $0.entityState.identity }
    try read(rows, owners, plan, &next) { number, child in
      if number != owner {
        attach()
        owner = number
        children.removeAll(keepingCapacity: true)
      }
      children.append(child)
    }
    attach()
  }

  /// Those identities that no object is known for, each once, in order.
  private func missing(_ identities: [ObjectID], of schema: EntitySchema) -> [ObjectID] {
    let table = known[schema.number]
    var missing = identities.filter { table?[$0] == nil }
    missing.sort()
    var last: ObjectID?
    missing.removeAll { identity in
      defer { last = identity }
      return identity == last
    }
    return missing
  }

  /// Reads rows that hang on `identities`; objects that are new go into the next level.
  private func read(
    _ rows: (statement: Statement, reader: RowReader),
    _ identities: [ObjectID],
    _ plan: EntityPlan,
    _ next: inout [Int: Batch],
    _ body: (_ number: Int, _ object: AnyObject) -> Void
  ) throws {
    let (statement, reader) = rows
    let target = plan.schema
    let batch = next[target.number] ?? Batch(plan, following: plan.ownedToOne)
    next[target.number] = batch
    defer { statement.reset() }
    try database.bind(identities, to: statement)
    var table = known.removeValue(forKey: target.number) ?? IdentityTable()
    defer { known[target.number] = table }
    while try statement.step() {
      let identity = try reader.next()
      let number = Int(statement.int64(at: 0))
      if let object = table[identity] {
        body(number, object)
        continue
      }
      let object: any Entity = try target.type.init(row: reader)
      try batch.append(object, reader)
      table.insert(object, identity)
      body(number, object)
    }
  }
}
