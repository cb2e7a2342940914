import NacreEngine
import NacreStore
import Synchronization

/// An entity's name, table, properties and relationships, made once for its class.
public final class EntitySchema: RowSchema, @unchecked Sendable {
  // Sendable holds: everything is set in init, except for `facts`, which has a lock.

  let type: any Entity.Type
  /// How new identifiers are made.
  let identifiers: IdentifierVersion
  /// The change bits of to-many children, which have rows outside of the entity's table.
  let manyMask: UInt64
  /// The change bits of to-one children that are deleted when another takes their place.
  let removingMask: UInt64
  /// The properties that hold links to many objects; each `Links` keeps its own unsaved changes.
  let manyLinks: [Property]
  /// Whether the entity has neither children nor links.
  let isFlat: Bool
  /// Whether the entity has children that are found by their own link to it.
  let hasInverses: Bool
  /// The key path of the class's `objectID`, which is kept because making it anew allocates it.
  private let objectIDPath: AnyKeyPath
  private let facts = Mutex<GraphFacts?>(nil)

  /// The facts that depend on the schemas that this one reaches; they are not known while it is
  /// being made.
  private struct GraphFacts {
    let isRecursive: Bool
    let reachable: [any Entity.Type]
    let shared: Set<Int>
    let reachesVersions: Bool
  }

  init(
    name: String,
    table: String,
    type: any Entity.Type,
    identifiers: IdentifierVersion,
    detectsConflicts: Bool = false,
    tokenizer: Tokenizer = .unicode61,
    properties: [Property]
  ) {
    self.type = type
    self.identifiers = identifiers
    objectIDPath = type.objectIDPath
    manyLinks = properties.filter { if case .links = $0.kind { true } else { false } }
    let owned = properties.filter(\.isOwned)
    manyMask = EntityState.bits(owned.filter { !$0.hasColumn })
    removingMask = EntityState.bits(
      owned.filter { $0.hasColumn && $0.relationship?.removalRule == .delete }
    )
    isFlat = !properties.contains { $0.relationship != nil }
    hasInverses = properties.contains { $0.relationship?.setInverse != nil }
    super.init(
      name: name,
      table: table,
      properties: properties,
      keys: [],
      hasObjectID: true,
      detectsConflicts: detectsConflicts,
      tokenizer: tokenizer
    ) { _ in .null }
  }

  override var version: Int { type.entityVersion }

  override func isObjectID(_ path: AnyKeyPath) -> Bool { path == objectIDPath }

  /// The number of columns in a row that is read whole.
  ///
  /// These are the objectID, one column for each property and, if the class detects conflicts, the
  /// version at the end.
  var rowColumnCount: Int32 {
    Int32(clamping: properties.count) &+ (detectsConflicts ? 2 : 1)
  }

  /// Returns whether additions to an object's links, or removals from them, wait for its `save()`.
  func hasPendingLinks(_ object: any Entity) -> Bool {
    manyLinks.contains { $0.pendingLinks(of: object)?.hasPendingChanges == true }
  }

  /// The columns with the objects' places in lists that the objects' own links store.
  override var positionColumns: [String] {
    properties.compactMap { link in
      guard case .link(let relationship) = link.kind else { return nil }
      let isListed = relationship.target.entitySchema.properties.contains { list in
        guard case .children(let children) = list.kind else { return false }
        return children.target == type && children.inverse == link.keyPath
      }
      return isListed ? positionColumn(of: link) : nil
    }
  }

  /// Returns the column with the objects' places in a list that one of their links stores.
  ///
  /// Returns nil if a property already has a column of that name; the list then has no order.
  func positionColumn(of link: Property) -> String? {
    let name = CatalogProperty.positionColumn(of: link.column)
    let isTaken = properties.contains { property in
      [property.column, property.indexColumn].contains { $0.map(SQLName.init) == SQLName(name) }
    }
    return isTaken ? nil : name
  }

  /// Sets each child's own link to the object, if that link stores the relationship.
  ///
  /// A child that was in the list before keeps its link, because it may belong to another owner by
  /// now.
  ///
  /// - Parameters:
  ///   - object: The owner.
  ///   - undo: Takes what a save that fails has to do for each link that was set.
  func setInverses(of object: any Entity, noting undo: (@escaping () -> Void) -> Void) {
    let state = object.entityState
    for property in properties
    where !state.isStored || state.changes & EntityState.bit(property.index) != 0 {
      guard let relationship = property.relationship, let set = relationship.setInverse else {
        continue
      }
      // A changed list does not change its children's rows, because the list is written by itself.
      // So a stored child whose class detects conflicts keeps its change bits.
      let isMerged =
        object.entityChildren.isKept && relationship.target.entitySchema.detectsConflicts
      let former = state.isStored ? object.entityChildren.list(at: property.index)?.children : nil
      var known: Set<ObjectID>?
      for (index, child) in relationship.get(object).enumerated() {
        if let former, child.entityState.hasIdentity {
          let identity = child.entityState.identity
          // Most children are where they were.
          if index < former.count && former[index] == identity { continue }
          known = known ?? Set(former)
          if known?.contains(identity) == true { continue }
        }
        let changes = child.entityState.changes
        guard let unset = set(child, object) else { continue }
        let linkBit = child.entityState.changes & ~changes
        if isMerged && child.entityState.isStored { child.entityState.changes = changes }
        undo {
          // Other properties may have been set since then.
          if unset() { child.entityState.changes &= ~linkBit }
        }
      }
    }
  }

  /// Whether an object can own, through any number of children, another object of its own class.
  public var isRecursive: Bool { graphFacts.isRecursive }

  /// The entity and every entity that it reaches by children and links, each once; their tables
  /// refer to each other.
  var reachable: [any Entity.Type] { graphFacts.reachable }

  /// The numbers of the entities of whose objects one can be met twice on the way from an object to
  /// all that it owns: over several properties, or at several levels.
  var sharedInGraph: Set<Int> { graphFacts.shared }

  /// Whether the entity's rows have versions, or those of an entity that it owns through any number
  /// of children.
  @usableFromInline var reachesVersions: Bool { graphFacts.reachesVersions }

  private var graphFacts: GraphFacts {
    if let known = facts.withLock({ $0 }) { return known }
    let owned = reach { $0.isOwned }
    let made = GraphFacts(
      isRecursive: owned.contains { $0 == type },
      reachable: [type] + reach { _ in true }.filter { $0 != type },
      shared: sharedEntities(of: owned),
      reachesVersions: detectsConflicts || owned.contains { $0.entitySchema.detectsConflicts }
    )
    facts.withLock { $0 = made }
    return made
  }

  private func sharedEntities(of owned: [any Entity.Type]) -> Set<Int> {
    var seen: Set<Int> = [number]
    var shared: Set<Int> = []
    let schemas = owned.map { $0.entitySchema }
    for schema in schemas.filter({ $0 !== self }) + [self] {
      for property in schema.properties where property.isOwned {
        guard let target = property.relationship?.target.entitySchema else { continue }
        if !seen.insert(target.number).inserted { shared.insert(target.number) }
      }
    }
    // A shared object can be met twice, and so can all that it owns.
    for schema in [self] + schemas where shared.contains(schema.number) {
      shared.formUnion(schema.reach { $0.isOwned }.map { $0.entitySchema.number })
    }
    return shared
  }

  /// Returns the entities that this one reaches over one or more properties that pass `test`.
  private func reach(over test: (Property) -> Bool) -> [any Entity.Type] {
    var found: [any Entity.Type] = []
    var seen: Set<ObjectIdentifier> = []
    var waiting: [EntitySchema] = [self]
    while let schema = waiting.popLast() {
      for property in schema.properties where test(property) {
        guard let target = property.relationship?.target else { continue }
        if seen.insert(ObjectIdentifier(target)).inserted {
          found.append(target)
          waiting.append(target.entitySchema)
        }
      }
    }
    return found
  }
}

extension Entity {
  fileprivate static var objectIDPath: AnyKeyPath { \Self.objectID }
}

extension Sequence<any Entity.Type> {
  /// The schemas of the classes and of every class that they reach, each once.
  var reachableSchemas: [EntitySchema] {
    var seen: Set<Int> = []
    return flatMap { $0.entitySchema.reachable }.map { $0.entitySchema }
      .filter { seen.insert($0.number).inserted }
  }
}
