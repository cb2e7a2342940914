import NacreStore
import Synchronization

private let schemaCount = Atomic<Int>(0)

/// An entity's name, table, properties and relationships, made once for its class.
public final class EntitySchema: @unchecked Sendable {
  // Sendable holds: everything is set in init or by `lazy` values under `facts`' lock.

  /// The class's name, which is also the entity's name in the catalog and in sealed values' contexts.
  public let name: String
  /// The table's name.
  public let table: String
  /// The stored properties, in the order of their declaration.
  public let properties: [Property]
  let type: any Entity.Type
  /// How new identifiers are made.
  let identifiers: IdentifierVersion
  /// The schema's number in this process, by which connections keep their prepared statements.
  let number: Int
  /// The change bits of to-many children, which have rows outside of the entity's table.
  let manyMask: UInt64
  /// The change bits of to-one children that are deleted when another takes their place.
  let removingMask: UInt64
  /// Whether a row that was changed since its object was loaded is neither overwritten nor deleted.
  let detectsConflicts: Bool
  /// The properties that hold links to many objects, whose changes wait in the links themselves.
  let manyLinks: [Property]
  /// Whether the entity is a row and nothing else: no children, no links.
  let isFlat: Bool
  /// Whether there are children that are found by their own link to this entity.
  let hasInverses: Bool
  /// How a Date is bound that a condition has as an argument; nil is as it is everywhere.
  let dateArguments: DateArguments?
  private let indexOfKeyPath: [AnyKeyPath: Int]
  private let indexOfName: [String: Int]
  private let facts = Mutex<GraphFacts?>(nil)

  /// The facts that follow from the schemas that this one reaches, which are not known while it is
  /// being made.
  private struct GraphFacts {
    let isRecursive: Bool
    let reachable: [any Entity.Type]
    let reachesVersions: Bool
  }

  init(
    name: String,
    table: String,
    type: any Entity.Type,
    identifiers: IdentifierVersion,
    detectsConflicts: Bool = false,
    properties: [Property]
  ) {
    self.name = name
    self.table = table
    self.type = type
    self.identifiers = identifiers
    self.detectsConflicts = detectsConflicts
    self.properties = properties
    manyLinks = properties.filter { if case .links = $0.kind { true } else { false } }
    number = schemaCount.add(1, ordering: .relaxed).oldValue
    manyMask = properties.filter { $0.isOwned && !$0.hasColumn }
      .reduce(0) { $0 | EntityState.bit($1.index) }
    removingMask =
      properties.filter {
        $0.isOwned && $0.hasColumn && $0.relationship?.removalRule == .delete
      }
      .reduce(0) { $0 | EntityState.bit($1.index) }
    isFlat = !properties.contains { $0.relationship != nil }
    hasInverses = properties.contains { $0.relationship?.setInverse != nil }
    dateArguments = DateArguments(Set(properties.compactMap(\.dateForm)), of: name)
    indexOfKeyPath = Dictionary(
      properties.map { ($0.keyPath, $0.index) },
      uniquingKeysWith: { first, _ in first }
    )
    indexOfName = Dictionary(
      properties.map { ($0.name, $0.index) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The property behind a key path, or nil where it is no stored property of the entity.
  func property(_ keyPath: AnyKeyPath) -> Property? {
    indexOfKeyPath[keyPath].map { properties[$0] }
  }

  /// The property of that name, or nil.
  public func property(named name: String) -> Property? {
    indexOfName[name].map { properties[$0] }
  }

  /// The parameter of a property's blind index in the entity's statements.
  func indexParameter(_ property: Int) -> Int32 {
    Int32(truncatingIfNeeded: properties.count + 2 + property)
  }

  /// The parameter of the version that a row gets; the one that it has to have comes behind it.
  var versionParameter: Int32 { indexParameter(properties.count) }

  /// How many columns a row has that is read whole: the objectID, one for each property, and at the end the version where
  /// the class detects conflicts.
  var rowColumnCount: Int32 {
    Int32(clamping: properties.count) &+ (detectsConflicts ? 2 : 1)
  }

  /// Whether additions to an object's links, or removals from them, wait for its `save()`.
  func hasPendingLinks(_ object: any Entity) -> Bool {
    manyLinks.contains { $0.pendingLinks(of: object)?.hasPendingChanges == true }
  }

  /// The columns with the objects' places in lists that are kept by a link of theirs.
  var positionColumns: [String] {
    properties.compactMap { link in
      guard case .link(let relationship) = link.kind else { return nil }
      let isListed = relationship.target.entitySchema.properties.contains { list in
        guard case .children(let children) = list.kind else { return false }
        return children.target == type && children.inverse == link.keyPath
      }
      return isListed ? positionColumn(of: link) : nil
    }
  }

  /// The column with the objects' places in a list that is kept by one of their links; nil where a property has a column
  /// of that name, for which the list goes without an order.
  func positionColumn(of link: Property) -> String? {
    let name = CatalogProperty.positionColumn(of: link.column)
    let isTaken = properties.contains { property in
      [property.column, property.indexColumn].contains { $0?.lowercased() == name.lowercased() }
    }
    return isTaken ? nil : name
  }

  /// Sets the links of an object's children to it, where the relationship is held by them; one that was there before and
  /// has another owner's by now keeps that.
  func setInverses(of object: any Entity) {
    let state = object.entityState
    for property in properties
    where !state.isStored || state.changes & EntityState.bit(property.index) != 0 {
      guard let relationship = property.relationship, let set = relationship.setInverse else {
        continue
      }
      // A stored child's own row stays as it is where it has a version: a changed list is no change of its rows, and is
      // written by itself.
      let isMerged =
        object.entityChildren.isKept && relationship.target.entitySchema.detectsConflicts
      let former = state.isStored ? object.entityChildren.list(at: property.index)?.children : nil
      var known: Set<ObjectID>?
      for (index, child) in relationship.get(object).enumerated() {
        if let former, child.entityState.hasIdentity {
          let identity = child.entityState.identity
          // Mostly, it is where it was.
          if index < former.count && former[index] == identity { continue }
          known = known ?? Set(former)
          if known?.contains(identity) == true { continue }
        }
        let changes = child.entityState.changes
        set(child, object)
        if isMerged && child.entityState.isStored { child.entityState.changes = changes }
      }
    }
  }

  /// Whether an object can own, through any number of children, another object of its own class.
  public var isRecursive: Bool { graphFacts.isRecursive }

  /// The entity and all that it reaches by children and links, each once: their tables refer to each other.
  var reachable: [any Entity.Type] { graphFacts.reachable }

  /// Whether rows have versions of the entity or of what it owns, through any number of children.
  @usableFromInline var reachesVersions: Bool { graphFacts.reachesVersions }

  private var graphFacts: GraphFacts {
    if let known = facts.withLock({ $0 }) { return known }
    let owned = reach { $0.isOwned }
    let made = GraphFacts(
      isRecursive: owned.contains { $0 == type },
      reachable: [type] + reach { _ in true }.filter { $0 != type },
      reachesVersions: detectsConflicts || owned.contains { $0.entitySchema.detectsConflicts }
    )
    facts.withLock { $0 = made }
    return made
  }

  /// The entities that this one reaches over one or more properties that pass `test`.
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

extension Sequence<any Entity.Type> {
  /// The schemas of the classes and of all that these reach, each once.
  var reachableSchemas: [EntitySchema] {
    var seen: Set<Int> = []
    return flatMap { $0.entitySchema.reachable }.map { $0.entitySchema }
      .filter { seen.insert($0.number).inserted }
  }
}
