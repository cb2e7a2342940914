import NacreEngine
import NacreStore

/// The objects of one entity that a fetch has made, by identity: one instance for each row.
///
/// It is an open-addressing table, because a fetch does little else than look up objects here: the
/// keyed hash of the standard dictionary would cost more than the row. The keys come from the
/// store, so nobody gains by making them collide. The table does not retain the objects: the
/// loader's batches do, for as long as the table is used.
struct IdentityTable {
  private var identities: [ObjectID] = []
  private var objects: [Unmanaged<AnyObject>?] = []
  private var count = 0

  /// The object of that identity, or nil if there is none.
  subscript(identity: ObjectID) -> AnyObject? {
    if objects.isEmpty { return nil }
    var index = slot(identity)
    while let object = objects[index] {
      if identities[index] == identity { return object.takeUnretainedValue() }
      index = (index + 1) & (objects.count - 1)
    }
    return nil
  }

  /// Adds an object whose identity is not in the table.
  mutating func insert(_ object: AnyObject, _ identity: ObjectID) {
    if (count + 1) * 2 > objects.count { grow() }
    place(.passUnretained(object), identity)
    count += 1
  }

  private mutating func grow() {
    let former = (identities, objects)
    let capacity = max(16, objects.count * 2)
    identities = Array(repeating: ObjectID(high: 0, low: 0), count: capacity)
    objects = Array(repeating: nil, count: capacity)
    for (identity, object) in zip(former.0, former.1) {
      if let object { place(object, identity) }
    }
  }

  private mutating func place(_ object: Unmanaged<AnyObject>, _ identity: ObjectID) {
    var index = slot(identity)
    while objects[index] != nil { index = (index + 1) & (objects.count - 1) }
    identities[index] = identity
    objects[index] = object
  }

  /// Returns the slot at which the search for an identity begins.
  ///
  /// Multiplying by 2^64/φ spreads differences in any bit over the upper bits.
  private func slot(_ identity: ObjectID) -> Int {
    let mixed = (identity.low ^ identity.high) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32) & (objects.count - 1)
  }
}
