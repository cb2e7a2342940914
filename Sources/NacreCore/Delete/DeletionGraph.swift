import Foundation
import NacreEngine
import NacreStore

/// The stored objects that a delete reaches, and the objects that refer to them.
///
/// A child is deleted only if everything that refers to it is deleted too. So the graph is gathered
/// first, downwards along cascading relationships. Then every object that something outside refers
/// to is taken out again, with everything that it refers to itself, until nothing changes.
struct DeletionGraph {
  struct Node: Hashable {
    let entity: Int
    let identity: ObjectID

    func hash(into hasher: inout Hasher) { identity.hash(into: &hasher) }
  }

  private let session: EntitySession
  private var schemas: [EntitySchema] = []
  private var numbers: [String: Int] = [:]
  private var members: Set<Node> = []
  /// All objects that were gathered, parents first; those that are members no more are kept.
  private var ordered: [Node] = []
  private var roots: Set<Node> = []
  /// The objects that an object of the set refers to.
  private var references: [Node: [Node]] = [:]
  private var outsiders: [Node] = []

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
    var level = roots.map { Node(entity: number, identity: $0) }
    if !rootsStay { self.roots = Set(level) }
    for node in level where members.insert(node).inserted { ordered.append(node) }
    while !level.isEmpty { level = try gather(level, cascade: cascade) }
    if members.count > roots.count || rootsStay { try findReferrers() }
    keepReferred()
  }

  private mutating func number(_ schema: EntitySchema) -> Int {
    if let number = numbers[schema.name] { return number }
    numbers[schema.name] = schemas.count
    schemas.append(schema)
    return schemas.count - 1
  }

  /// Returns the children of one level that were not reached before.
  private mutating func gather(_ level: [Node], cascade: Bool) throws -> [Node] {
    var next: [Node] = []
    for (entity, nodes) in Dictionary(grouping: level, by: \.entity) {
      let statements = try session.statements(for: schemas[entity])
      for property in statements.owned {
        guard let relationship = property.relationship, relationship.deleteRule != .keep,
          cascade || relationship.deleteRule == .deny,
          let sql = statements.relationship(property)
        else { continue }
        let pairs = try session.pairs(
          statements.prepared(StatementKey(.references, property.index), sql.references),
          nodes.map(\.identity)
        )
        if relationship.deleteRule == .deny, let first = pairs.first {
          throw NacreError(
            .deleteDenied,
            entity: statements.schema.name,
            property: property.name,
            objectID: first.owner.uuid,
            detail: "children of this relationship that are still stored: "
              + "\(pairs.count { $0.owner == first.owner })"
          )
        }
        let target = number(sql.target)
        for pair in pairs {
          let child = Node(entity: target, identity: pair.child)
          references[Node(entity: entity, identity: pair.owner), default: []].append(child)
          if members.insert(child).inserted {
            ordered.append(child)
            next.append(child)
          }
        }
      }
    }
    return next
  }

  /// Finds the objects that refer to children of the set, by every relationship in the catalog.
  private mutating func findReferrers() throws {
    let children = ordered.filter { !roots.contains($0) }
    for (entity, nodes) in Dictionary(grouping: children, by: \.entity) {
      let schema = schemas[entity]
      for referrer in try session.referrers(of: schema) {
        for pair in try session.pairs(referrer.statement, nodes.map(\.identity)) {
          let child = Node(entity: entity, identity: pair.child)
          let owner = numbers[referrer.entity].map { Node(entity: $0, identity: pair.owner) }
          if let owner, members.contains(owner) {
            references[owner, default: []].append(child)
          } else {
            outsiders.append(child)
          }
        }
      }
    }
  }

  private mutating func keepReferred() {
    var waiting = outsiders
    while let node = waiting.popLast() {
      guard !roots.contains(node), members.remove(node) != nil else { continue }
      waiting += references[node] ?? []
    }
  }

  // MARK: - Results

  /// Whether the delete takes only one row.
  var isSingle: Bool { members.count == 1 }

  /// Whether any entity that the delete reaches has row versions.
  var detectsConflicts: Bool { schemas.contains(where: \.detectsConflicts) }

  var statements: DeletionPlan {
    let kept = ordered.filter { !members.contains($0) }
    return DeletionPlan(deleted: parts(members), kept: parts(kept))
  }

  private func parts(_ nodes: some Sequence<Node>) -> [DeletionPlan.Part] {
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
    for node in ordered where members.contains(node) {
      let statements = try session.statements(for: schemas[node.entity])
      let statement = try statements.prepared(StatementKey(.delete), statements.sql.delete)
      try node.identity.bind(to: statement, at: 1)
      try statement.run()
    }
  }

  func deletes(_ object: any Entity) -> Bool {
    deletes(object.entityState.identity, of: type(of: object).entitySchema)
  }

  func deletes(_ identity: ObjectID, of schema: EntitySchema) -> Bool {
    guard let number = numbers[schema.name] else { return false }
    return members.contains(Node(entity: number, identity: identity))
  }
}
