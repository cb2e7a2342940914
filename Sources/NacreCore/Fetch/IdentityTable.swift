/// The objects of one entity that a fetch has made, by identity: one instance a row.
///
/// An open-addressing table, because a fetch does little else than look up here: the standard dictionary's keyed hash
/// would cost more than the row. The keys come from the store, so nobody gains by making them collide.
struct IdentityTable {
  private var slots: [(identity: ObjectID, object: AnyObject?)] = []
  private(set) var count = 0

  /// The object of that identity, or nil.
  subscript(identity: ObjectID) -> AnyObject? {
    if slots.isEmpty { return nil }
    var index = slot(identity)
    while let object = slots[index].object {
      if slots[index].identity == identity { return object }
      index = (index + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds an object whose identity is not in the table.
  mutating func insert(_ object: AnyObject, _ identity: ObjectID) {
    if (count + 1) * 2 > slots.count { grow() }
    place(object, identity)
    count += 1
  }

  private mutating func grow() {
    let former = slots
    slots = Array(
      repeating: (ObjectID(high: 0, low: 0), nil),
      count: max(16, former.count * 2)
    )
    for (identity, object) in former {
      if let object { place(object, identity) }
    }
  }

  private mutating func place(_ object: AnyObject, _ identity: ObjectID) {
    var index = slot(identity)
    while slots[index].object != nil { index = (index + 1) & (slots.count - 1) }
    slots[index] = (identity, object)
  }

  /// Multiplying by 2^64/φ spreads what differs in any bit over the upper bits.
  private func slot(_ identity: ObjectID) -> Int {
    let mixed = (identity.low ^ identity.high) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32) & (slots.count - 1)
  }
}
