import NacreEngine
import NacreStore

/// The stored objects in memory that one object reaches through owned relationships, each once.
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

  /// Collects `root` and the objects below it that are stored in the store of that number.
  init(_ root: any Entity, in store: UInt32) {
    self.root = root
    var seen: Set<ObjectIdentifier> = []
    var waiting = [root]
    while let object = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(object)).inserted else { continue }
      let state = object.entityState
      let key = Key(object)
      // The root comes first, so it is kept even if another instance of its row is below it.
      if state.isStored, state.store == store, byKey[key] == nil { byKey[key] = object }
      for property in type(of: object).entitySchema.properties where property.isOwned {
        waiting += property.relationship?.get(object) ?? []
      }
    }
  }

  var objects: [any Entity] { Array(byKey.values) }

  /// Pairs the objects of this graph with the loaded objects of the same rows.
  ///
  /// As their children, the loaded objects get the objects of this graph that have the same rows.
  ///
  /// - Parameter fresh: the root as it was loaded, with its children, some of which may be objects
  ///   of this graph.
  /// - Returns: each object of this graph for which there is a loaded one, with that one.
  func pairs(with fresh: any Entity) -> [(held: any Entity, fresh: any Entity)] {
    var pairs: [(any Entity, any Entity)] = []
    var seen: Set<ObjectIdentifier> = []
    var waiting = [fresh]
    while let object = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(object)).inserted else { continue }
      let held = byKey[Key(object)]
      // An object of this graph was not loaded, and neither were the objects that it owns.
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
