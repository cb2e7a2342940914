import NacreEngine
import NacreStore

/// The place of an object in a list that its elements' own links store: the position in its row,
/// and its identity.
///
/// An attacker who can write to the file can write any position, but a position decides about
/// nothing but order. An element without a position comes after those that have one. Elements with equal
/// positions are ordered by their identities.
struct ListPlace: Comparable {
  /// The value that stands for no position.
  static let none = Int64.max
  /// The distance between new positions, which leaves room between them.
  static let step: Int64 = 1 << 16

  let position: Int64
  let child: ObjectID

  /// Makes a place; a number so far out that there may be no room after it counts as no position.
  init(_ position: Int64?, _ child: ObjectID) {
    let limit: Int64 = 1 << 61
    self.position = position.flatMap { (-limit...limit).contains($0) ? $0 : nil } ?? Self.none
    self.child = child
  }

  static func < (a: ListPlace, b: ListPlace) -> Bool {
    a.position != b.position ? a.position < b.position : a.child < b.child
  }

  /// Returns the positions to write so that a list has its elements in this order; mostly, these
  /// are as few as possible.
  ///
  /// Elements at the end that have no position and are in order need none. Of the others, those in
  /// a longest increase stay as they are, and the rest get positions between them. If there is no
  /// room for these, all get new positions.
  static func corrections(_ list: [ListPlace]) -> [(child: ObjectID, position: Int64)] {
    var end = list.count
    while end > 0, list[end - 1].position == none, end == list.count || list[end - 1] < list[end] {
      end -= 1
    }
    let head = list[..<end]
    let placed = head.indices.filter { head[$0].position != none }
    let kept = LongestIncrease.indices(of: placed.map { head[$0] }).map { placed[$0] }
    if let found = gaps(head, kept) { return found }
    return head.indices.compactMap { index in
      let position = Int64(index) * step
      return head[index].position == position ? nil : (head[index].child, position)
    }
  }

  /// Returns positions for all elements between those that stay, or nil if there is no room.
  private static func gaps(
    _ list: ArraySlice<ListPlace>,
    _ kept: [Int]
  ) -> [(child: ObjectID, position: Int64)]? {
    var found: [(ObjectID, Int64)] = []
    var (start, low) = (0, Int64?.none)
    for end in kept + [list.endIndex] {
      let high = end < list.endIndex ? list[end].position : nil
      for (offset, index) in (start..<end).enumerated() {
        let position = between(low, high, offset, end - start)
        guard let position, ListPlace(position, list[index].child).position == position else {
          return nil
        }
        found.append((list[index].child, position))
      }
      (start, low) = (end + 1, high)
    }
    return found
  }

  /// Returns the position of one of `count` elements between two others, or nil if there is no
  /// room.
  private static func between(
    _ low: Int64?,
    _ high: Int64?,
    _ offset: Int,
    _ count: Int
  ) -> Int64? {
    switch (low, high) {
    case (nil, nil): return Int64(offset) * step
    case (let low?, nil): return low + Int64(offset + 1) * step
    case (nil, let high?): return high - Int64(count - offset) * step
    case (let low?, let high?):
      let room = (high - low) / Int64(count + 1)
      return room < 1 ? nil : low + Int64(offset + 1) * room
    }
  }
}

extension ListPlace {
  /// Returns objects in the order of their places.
  static func ordered(_ objects: [AnyObject], by places: [ListPlace]) -> [AnyObject] {
    let isOrdered = zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
    // A graph without such a list, or with a list that was never rearranged, costs no more than
    // this look.
    if isOrdered { return objects }
    return zip(places, objects).sorted { $0.0 < $1.0 }.map(\.1)
  }
}
