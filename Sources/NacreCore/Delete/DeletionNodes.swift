import NacreEngine

/// The objects that a delete has gathered, each once and at its place: they come in the order in
/// which they were found.
struct DeletionNodes {
  /// A gathered object.
  struct Node {
    let identity: ObjectID
    /// The number of its entity in the graph.
    let entity: Int
    /// Whether it stays.
    fileprivate(set) var isKept = false

    var isDeleted: Bool { !isKept }
  }

  private struct Key: Hashable {
    let identity: ObjectID
    let entity: Int

    func hash(into hasher: inout Hasher) { identity.hash(into: &hasher) }
  }

  private(set) var all: [Node] = []
  private var keptCount = 0
  /// The places, once there are so many nodes that a look through all would take longer.
  private var places: [Key: Int] = [:]
  private static let fewNodes = 16

  var count: Int { all.count }
  var deletedCount: Int { all.count - keptCount }

  /// Returns the place of an object; nil if it was not gathered.
  func place(of identity: ObjectID, _ entity: Int) -> Int? {
    if all.count > Self.fewNodes { return places[Key(identity: identity, entity: entity)] }
    return all.firstIndex { $0.identity == identity && $0.entity == entity }
  }

  /// Adds an object, unless it is there, and returns its place.
  @discardableResult
  mutating func add(_ identity: ObjectID, _ entity: Int) -> Int {
    if let place = place(of: identity, entity) { return place }
    all.append(Node(identity: identity, entity: entity))
    if all.count == Self.fewNodes + 1 {
      for (place, node) in all.enumerated() { note(node, at: place) }
    } else if all.count > Self.fewNodes {
      note(all[all.count - 1], at: all.count - 1)
    }
    return all.count - 1
  }

  private mutating func note(_ node: Node, at place: Int) {
    places[Key(identity: node.identity, entity: node.entity)] = place
  }

  /// Lets the object at a place stay, and returns whether it was deleted so far.
  mutating func keep(_ place: Int) -> Bool {
    if all[place].isKept { return false }
    all[place].isKept = true
    keptCount += 1
    return true
  }

  /// The identities of one entity's objects at some places.
  func identities(of entity: Int, in places: Range<Int>) -> [ObjectID] {
    all[places].compactMap { $0.entity == entity ? $0.identity : nil }
  }
}
