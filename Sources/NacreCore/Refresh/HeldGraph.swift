import NacreStore

/// The stored objects that hang on one in memory by what they own, each once.
struct HeldGraph {
  private struct Key: Hashable {
    let entity: Int
    let identity: ObjectID

    init(_ object: any Entity) {
      entity = type(of: object).entitySchema.number
      identity = object.entityState.identity
    }
  }

  private let root: any Entity
  private var byKey: [Key: any Entity] = [:]

  /// Gathers the objects below `root` that are stored in the store of that number.
  init(_ root: any Entity, in store: UInt32) {
    self.root = root
    var seen: Set<ObjectIdentifier> = []
    var waiting = [root]
    while let object = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(object)).inserted else { continue }
      let state = object.entityState
      let key = Key(object)
      // The root comes first and stays, should another instance of its row hang below it.
      if state.isStored, state.store == store, byKey[key] == nil { byKey[key] = object }
      for property in type(of: object).entitySchema.properties where property.isOwned {
        waiting += property.relationship?.get(object) ?? []
      }
    }
  }

  /// The objects.
  var objects: [any Entity] { Array(byKey.values) }

  /// Compares the graph with what was loaded of the root's row.
  ///
  /// The loaded objects get, as their children, the objects of this graph that stand for the same
  /// rows.
  ///
  /// - Parameter fresh: the root as it was loaded, with its children, among whom there can be objects of this graph.
  /// - Returns: each object of this graph of which there is a fresh one, with that.
  func pairs(with fresh: any Entity) -> [(held: any Entity, fresh: any Entity)] {
    var pairs: [(any Entity, any Entity)] = []
    var seen: Set<ObjectIdentifier> = []
    var waiting = [fresh]
    while let object = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(object)).inserted else { continue }
      let held = byKey[Key(object)]
      // One of this graph was not loaded, and neither was what it owns.
      if held === object { continue }
      if let held { pairs.append((held, object)) }
      for property in type(of: object).entitySchema.properties where property.isOwned {
        guard let relationship = property.relationship else { continue }
        let children = relationship.get(object)
        if children.isEmpty { continue }
        waiting += children
        let own = children.map { byKey[Key($0)] ?? $0 }
        if property.hasColumn {
          relationship.attachOne(object, own[0])
        } else {
          relationship.attachMany(object, own)
        }
      }
    }
    return pairs
  }
}
