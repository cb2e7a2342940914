import Foundation
import NacreEngine
import NacreStore

/// The stored objects that a delete reaches, and the objects that refer to them.
///
/// A child is deleted only if everything that refers to it is deleted too. So the graph is gathered
/// first, downwards along cascading relationships. Then every object that something outside refers
/// to is taken out again, with everything that it refers to itself, until nothing changes.
///
/// Links do not count for the children of a relationship with the rule `cascadeNullifyingLinks`.
struct DeletionGraph {
  private let session: EntitySession
  /// The entities of the objects; a node has the number of its own among them.
  private var schemas: [EntitySchema] = []
  /// All objects that were gathered, parents first.
  private var nodes = DeletionNodes()
  /// How many of the first nodes are deleted whatever refers to them.
  private var rootCount = 0
  /// The places of nodes of which one refers to the other.
  private var references: [(owner: Int, child: Int)] = []
  /// The places of nodes to which something outside refers.
  private var outsiders: [Int] = []
  /// The places of children that no link keeps.
  private var released: Set<Int> = []
  /// The links to such children.
  private var looseLinks: [(entity: String, owner: ObjectID, child: Int)] = []

  /// Gathers the objects that a delete of some objects would take.
  ///
  /// - Parameters:
  ///   - session: The state that entities keep for the connection.
  ///   - schema: The objects' entity.
  ///   - roots: The objects to delete.
  ///   - rootsStay: Whether a root stays, too, if something refers to it.
  ///   - cascade: Whether children are deleted, too.
  /// - Throws: `deleteDenied` if a relationship's rule refuses the delete.
  init(
    _ session: EntitySession,
    _ schema: EntitySchema,
    roots: [ObjectID],
    rootsStay: Bool,
    cascade: Bool
  ) throws {
    self.session = session
    let number = self.number(schema)
    for root in roots { nodes.add(root, number) }
    if !rootsStay { rootCount = nodes.count }
    var level = 0..<nodes.count
    while !level.isEmpty {
      let next = level.upperBound
      try gather(level, cascade: cascade)
      level = next..<nodes.count
    }
    if nodes.count > rootCount { try findReferrers() }
    keepReferred()
  }

  private mutating func number(_ schema: EntitySchema) -> Int {
    if let number = knownNumber(schema.name) { return number }
    schemas.append(schema)
    return schemas.count - 1
  }

  private func knownNumber(_ entity: String) -> Int? { schemas.firstIndex { $0.name == entity } }

  /// Adds the children of one level that were not reached before.
  private mutating func gather(_ level: Range<Int>, cascade: Bool) throws {
    // The entities that this adds have no objects in the level.
    for entity in schemas.indices {
      let statements = try session.statements(for: schemas[entity])
      if statements.owned.isEmpty { continue }
      let owners = nodes.identities(of: entity, in: level)
      if owners.isEmpty { continue }
      for property in statements.owned {
        guard let relationship = property.relationship, let sql = statements.relationship(property)
        else { continue }
        switch relationship.deleteRule {
        case .deny: try refuseChildren(of: owners, property, statements, sql)
        case .keep: break
        case .cascade, .cascadeNullifyingLinks:
          if cascade { try addChildren(of: owners, entity, property, statements, sql) }
        }
      }
    }
  }

  private mutating func addChildren(
    of owners: [ObjectID],
    _ entity: Int,
    _ property: Property,
    _ statements: EntityStatements,
    _ sql: RelationshipSQL
  ) throws {
    let target = number(sql.target)
    try statements.eachReference(property, sql, of: owners) { owner, child in
      guard let owner = nodes.place(of: owner, entity) else { return }
      let child = nodes.add(child, target)
      references.append((owner, child))
      if property.relationship?.deleteRule == .cascadeNullifyingLinks { released.insert(child) }
    }
  }

  private func refuseChildren(
    of owners: [ObjectID],
    _ property: Property,
    _ statements: EntityStatements,
    _ sql: RelationshipSQL
  ) throws {
    var found: [ObjectID] = []
    try statements.eachReference(property, sql, of: owners) { owner, _ in found.append(owner) }
    guard let first = found.first else { return }
    throw NacreError(
      .deleteDenied,
      entity: statements.schema.name,
      property: property.name,
      objectID: first.uuid,
      detail: "children of this relationship that are still stored: "
        + "\(found.count { $0 == first })"
    )
  }

  /// Finds the objects that refer to children of the set, by every relationship in the catalog.
  private mutating func findReferrers() throws {
    let layout = try session.connection.layoutNumber()
    for (entity, schema) in schemas.enumerated() {
      let children = nodes.identities(of: entity, in: rootCount..<nodes.count)
      if children.isEmpty { continue }
      for referrer in try session.referrers(of: schema, at: layout) {
        let number = knownNumber(referrer.entity)
        try session.eachPair(children, ofOne: referrer.ofOne, ofMany: referrer.ofMany) {
          guard let child = nodes.place(of: $1, entity) else { return }
          if referrer.isLink, released.contains(child) {
            looseLinks.append((referrer.entity, $0, child))
          } else if let number, let owner = nodes.place(of: $0, number) {
            references.append((owner, child))
          } else {
            outsiders.append(child)
          }
        }
      }
    }
  }

  private mutating func keepReferred() {
    if outsiders.isEmpty { return }
    let children = Dictionary(grouping: references, by: \.owner)
    var waiting = outsiders
    while let node = waiting.popLast() {
      guard node >= rootCount, nodes.keep(node) else { continue }
      waiting += children[node]?.map(\.child) ?? []
    }
  }

  // MARK: - Results

  /// Whether the delete takes only one row.
  var isSingle: Bool { nodes.deletedCount == 1 }

  /// Whether any entity that the delete reaches has row versions.
  var detectsConflicts: Bool { schemas.contains(where: \.detectsConflicts) }

  var statements: DeletionPlan {
    DeletionPlan(
      deleted: parts(nodes.all.filter(\.isDeleted)),
      kept: parts(nodes.all.filter(\.isKept)),
      unlinked: unlinked
    )
  }

  /// The objects that stay, and lose a link to a deleted child.
  private var unlinked: [DeletionPlan.Part] {
    let lost = looseLinks.filter { link in
      let owner = knownNumber(link.entity).flatMap { nodes.place(of: link.owner, $0) }
      return nodes.all[link.child].isDeleted && owner.map { nodes.all[$0].isDeleted } != true
    }
    return Dictionary(grouping: lost, by: \.entity)
      .map { DeletionPlan.Part(entity: $0, objectIDs: Set($1.map(\.owner)).sorted().map(\.uuid)) }
      .sorted { $0.entity < $1.entity }
  }

  private func parts(_ nodes: [DeletionNodes.Node]) -> [DeletionPlan.Part] {
    Dictionary(grouping: nodes, by: \.entity)
      .map { entity, nodes in
        DeletionPlan.Part(
          entity: schemas[entity].name,
          objectIDs: nodes.map(\.identity).sorted().map(\.uuid)
        )
      }
      .sorted { $0.entity < $1.entity }
  }

  /// Deletes the rows, children last; the foreign keys set references from outside to nil.
  func run() throws {
    // Most nodes have the entity of the node before.
    var last: (entity: Int, statement: any PreparedStatement)?
    for node in nodes.all where node.isDeleted {
      let statement: any PreparedStatement
      if let last, last.entity == node.entity {
        statement = last.statement
      } else {
        let statements = try session.statements(for: schemas[node.entity])
        statement = try statements.prepared(StatementKey(.delete), statements.sql.delete)
        last = (node.entity, statement)
      }
      try node.identity.bind(to: statement, at: 1)
      try statement.send(.rows())
    }
  }

  func deletes(_ object: any Entity) -> Bool {
    deletes(object.entityState.identity, of: type(of: object).entitySchema)
  }

  func deletes(_ identity: ObjectID, of schema: EntitySchema) -> Bool {
    guard let number = knownNumber(schema.name), let place = nodes.place(of: identity, number)
    else { return false }
    return nodes.all[place].isDeleted
  }
}
