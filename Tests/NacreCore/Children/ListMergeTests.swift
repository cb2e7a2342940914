import Foundation
import Testing

@testable import NacreCore

@Suite struct ListMergeTests {
  @Test(arguments: [
    // base, own, stored, merged
    ("", "ab", "", "ab"),
    ("ab", "aby", "abx", "abxy"),
    ("abc", "ac", "abcx", "acx"),
    ("abc", "abcd", "ac", "acd"),
    ("abcd", "dabc", "abcdx", "dabcx"),
    ("abc", "axbc", "abyc", "axbyc"),
    ("abc", "abxc", "ac", "axc"),
    ("ab", "xab", "yab", "xyab"),
    ("ab", "x", "abz", "zx"),
    ("", "x", "y", "yx"),
    ("ab", "", "abz", "z"),
    ("a", "ab", "axb", "axb"),
    ("abc", "cab", "ab", "ab"),
    ("aa", "a", "aab", "ab"),
    ("a", "aa", "ab", "aba"),
    ("abc", "abc", "cbax", "cbax"),
  ])
  func `a merge applies an instance's changes to the stored list`(
    base: String,
    own: String,
    stored: String,
    merged: String
  ) {
    let found = ListMerge.merged(stored: Array(stored), base: Array(base), own: Array(own))
    #expect(String(found) == merged)
  }

  @Test(arguments: UInt64(0)..<200)
  func `a merge gives the result of its rule, applied step by step`(seed: UInt64) {
    var chance = Chance(state: seed)
    for _ in 0..<50 {
      let base = Self.list(&chance)
      let own = Self.changed(base, &chance)
      let stored = Self.changed(base, &chance)
      let merged = ListMerge.merged(stored: stored, base: base, own: own)
      #expect(merged == Self.slowly(stored, base, own), "\(stored) \(base) \(own)")
      #expect(ListMerge.merged(stored: base, base: base, own: own) == own)
      #expect(ListMerge.merged(stored: stored, base: own, own: own) == stored)
    }
  }

  @Test(arguments: UInt64(0)..<50)
  func `no increase is longer than the one that is found`(seed: UInt64) {
    var chance = Chance(state: seed)
    for _ in 0..<50 {
      let list = (0..<Int.random(in: 0...14, using: &chance)).map { _ in
        Int.random(in: 0...9, using: &chance)
      }
      let found = LongestIncrease.indices(of: list)
      #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 && list[$0] < list[$1] })
      var lengths: [Int] = []
      for (index, element) in list.enumerated() {
        let shorter = (0..<index).filter { list[$0] < element }.map { lengths[$0] }
        lengths.append((shorter.max() ?? 0) + 1)
      }
      #expect(found.count == lengths.max() ?? 0)
    }
  }

  @Test(arguments: UInt64(0)..<50)
  func `corrected positions put a list in order, and an ordered list needs none`(seed: UInt64) {
    var chance = Chance(state: seed)
    for _ in 0..<50 {
      let children = (0..<Int.random(in: 0...12, using: &chance)).map {
        ObjectID(high: 1, low: UInt64($0))
      }
      let places = children.shuffled(using: &chance).map { child in
        let position: Int64? =
          switch Int.random(in: 0...3, using: &chance) {
          case 0: nil
          case 1: Int64.random(in: -3...3, using: &chance)
          default: Int64.random(in: .min ... .max, using: &chance)
          }
        return ListPlace(position, child)
      }
      let corrections = ListPlace.corrections(places)
      let found = Dictionary(uniqueKeysWithValues: corrections.map { ($0.child, $0.position) })
      let written = places.map { ListPlace(found[$0.child] ?? $0.position, $0.child) }
      #expect(written.sorted() == written)
      #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 } == corrections.isEmpty)
    }
  }

  @Test func `one element that moves gets one position`() {
    var places = (0..<100).map {
      ListPlace(Int64($0) * ListPlace.step, ObjectID(high: 1, low: UInt64($0)))
    }
    places.insert(places.remove(at: 70), at: 20)
    let moved = ListPlace.corrections(places)
    #expect(moved.map(\.child) == [places[20].child])
    places.append(places.removeFirst())
    #expect(ListPlace.corrections(places).count == 2)
  }

  // MARK: -

  private static func list(_ chance: inout Chance) -> [Int] {
    (0..<Int.random(in: 0...8, using: &chance)).map { _ in Int.random(in: 0...9, using: &chance) }
  }

  private static func changed(_ list: [Int], _ chance: inout Chance) -> [Int] {
    var list = list
    for _ in 0..<Int.random(in: 0...4, using: &chance) {
      let element = Int.random(in: 0...12, using: &chance)
      switch Int.random(in: 0...2, using: &chance) {
      case 0: list.insert(element, at: Int.random(in: 0...list.count, using: &chance))
      case 1 where !list.isEmpty: list.remove(at: Int.random(in: list.indices, using: &chance))
      default: list.shuffle(using: &chance)
      }
    }
    return list
  }

  private static func keys(_ list: [Int]) -> [[Int]] {
    list.enumerated().map { index, element in [element, list[..<index].count { $0 == element }] }
  }

  /// The rule, one sentence after another.
  private static func slowly(_ stored: [Int], _ base: [Int], _ own: [Int]) -> [Int] {
    let (stored, base, own) = (keys(stored), keys(base), keys(own))
    let known = own.indices.filter { base.contains(own[$0]) }
    let kept = LongestIncrease.indices(of: known.map { base.firstIndex(of: own[$0]) ?? -1 })
      .map { known[$0] }
    var merged = stored.filter { element in
      guard let index = own.firstIndex(of: element) else { return !base.contains(element) }
      return kept.contains(index)
    }
    for (index, element) in own.enumerated() where !kept.contains(index) {
      if base.contains(element) && !stored.contains(element) { continue }
      if !kept.contains(where: { $0 > index }) {
        merged.append(element)
        continue
      }
      let place = own[..<index].last { merged.contains($0) }.flatMap { merged.firstIndex(of: $0) }
      merged.insert(element, at: place.map { $0 + 1 } ?? 0)
    }
    return merged.map { $0[0] }
  }
}
