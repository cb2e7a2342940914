/// The merge of one object's changes to a list with the list that is stored by now.
enum ListMerge {
  /// Returns the stored list without the elements that `own` took out of `base`, and with those
  /// that it added or moved.
  ///
  /// An element outside of a longest common subsequence of `base` and `own` was added or moved. It
  /// goes to the end if no element that stayed in its place follows it in `own`. Otherwise it goes
  /// after its nearest predecessor in `own` that is there, or to the front if there is none.
  /// Elements of `base` that are not stored any more stay out. Several occurrences of one element
  /// are told apart by their count.
  ///
  /// - Parameters:
  ///   - stored: The list as it is stored now.
  ///   - base: The list from which the object started.
  ///   - own: The object's list now.
  /// - Returns: The list to store. This is `own` if nobody else has changed the list.
  static func merged<Element: Hashable>(
    stored: [Element],
    base: [Element],
    own: [Element]
  ) -> [Element] {
    if stored == base { return own }
    // The common beginning of all three lists stays, whatever follows.
    var same = 0
    let limit = min(stored.count, base.count, own.count)
    while same < limit, stored[same] == base[same], base[same] == own[same] { same += 1 }
    let changed = mergedOnce(
      stored: numbered(stored[same...]),
      base: numbered(base[same...]),
      own: numbered(own[same...])
    )
    return stored[..<same] + changed
  }

  /// An element, and the number of equal elements before it.
  private struct Item<Element: Hashable>: Hashable {
    let element: Element
    let number: Int
  }

  private static func numbered<Element: Hashable>(_ list: ArraySlice<Element>) -> [Item<Element>] {
    var counts: [Element: Int] = [:]
    counts.reserveCapacity(list.count)
    return list.map { element in
      let number = counts[element, default: 0]
      counts[element] = number + 1
      return Item(element: element, number: number)
    }
  }

  /// Returns the merge of lists in which each element comes once.
  private static func mergedOnce<Element: Hashable>(
    stored: [Item<Element>],
    base: [Item<Element>],
    own: [Item<Element>]
  ) -> [Element] {
    let present = Set(stored)
    let places = Dictionary(uniqueKeysWithValues: zip(base, base.indices))
    let known = own.indices.filter { places[own[$0]] != nil }
    let increasing = LongestIncrease.indices(of: known.map { places[own[$0]] ?? 0 })
    let kept = increasing.map { known[$0] }
    let last = kept.last ?? -1
    let stays = Set(kept.map { own[$0] })
    var head: [Element] = []
    var behind: [Item<Element>: [Element]] = [:]
    var tail: [Element] = []
    var anchor: Item<Element>?
    for (index, item) in own.enumerated() {
      if stays.contains(item) {
        if present.contains(item) { anchor = item }
      } else if places[item] != nil && !present.contains(item) {
        // The object moved it here, and somebody else took it out.
      } else if index > last {
        tail.append(item.element)
      } else if let anchor {
        behind[anchor, default: []].append(item.element)
      } else {
        head.append(item.element)
      }
    }
    // The stored elements that stay in their places, and those that others added. Elements that
    // were taken out, or are put in again, are left out.
    let wanted = Set(own)
    let frame = stored.filter { stays.contains($0) || places[$0] == nil && !wanted.contains($0) }
    return head + frame.flatMap { [$0.element] + (behind[$0] ?? []) } + tail
  }
}

/// The longest strictly increasing subsequence.
enum LongestIncrease {
  /// Returns the indices of the elements of one such subsequence, in order.
  ///
  /// It takes n log n steps, or n if all elements increase.
  static func indices<Element: Comparable>(of list: [Element]) -> [Int] {
    // `ends` has the index of the least element that ends an increase of each length. `former` has
    // the index before each element in its increase.
    var ends: [Int] = []
    var former = [Int](repeating: -1, count: list.count)
    for (index, element) in list.enumerated() {
      var (low, high) = (0, ends.count)
      if let last = ends.last, list[last] < element { low = high }
      while low < high {
        let middle = (low + high) / 2
        if list[ends[middle]] < element { low = middle + 1 } else { high = middle }
      }
      if low > 0 { former[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var found: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      found.append(index)
      index = former[index]
    }
    return found.reversed()
  }
}
