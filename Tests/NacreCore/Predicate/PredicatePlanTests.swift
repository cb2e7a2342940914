import Foundation
@testable import NacreCore
import NacreStore
@testable import TestSupport
import Testing

/// Predicates of one place in the source, which differ only in the values that they captured.
@Suite struct PredicatePlanTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func save(_ trinkets: [Trinket]) throws {
    try test.store.write { _ in for trinket in trinkets { try trinket.save() } }
  }

  private func trinket(_ change: (Trinket) -> Void) -> Trinket {
    let trinket = Trinket.create()
    change(trinket)
    return trinket
  }

  private func count<E: Entity>(_ predicate: Predicate<E>) throws -> Int {
    try test.store.read { _ in try E.count(predicate) }
  }

  private func planCount() throws -> Int {
    try test.store.read { database in
      try database.entities.statements(for: Trinket.entitySchema).row.predicates.planCount
    }
  }

  @Test func `predicates of one place share a plan and find by their own values`() throws {
    try save((0..<10).map { number in trinket { ($0.long, $0.text) = (number, "a") } })
    func isBetween(_ low: Int, _ high: Int, _ text: String) -> Predicate<Trinket> {
      #Predicate { $0.long > low && !($0.long >= high) && $0.text == text }
    }
    for (low, high, text, found) in [(2, 7, "a", 4), (-1, 100, "a", 10), (2, 7, "b", 0)] {
      #expect(try count(isBetween(low, high, text)) == found)
    }
    #expect(try planCount() == 1)
  }

  @Test func `predicates of one type and other properties or comparisons have plans of their own`()
    throws
  {
    try save([trinket { ($0.long, $0.amount) = (1, 5) }])
    let predicates: [(Predicate<Trinket>, Int)] = [
      (#Predicate { $0.long < 3 }, 1), (#Predicate { $0.long > 3 }, 0),
      (#Predicate { $0.long <= 1 }, 1), (#Predicate { $0.long >= 2 }, 0),
      (#Predicate { $0.amount < 3 }, 0), (#Predicate { $0.amount > 3 }, 1),
    ]
    for _ in 0..<2 {
      for (predicate, found) in predicates {
        #expect(try count(predicate) == found, "\(predicate)")
      }
    }
    #expect(try planCount() == predicates.count)
  }

  @Test(arguments: [["a", nil, "b", nil], [nil, "a", nil, "b"]])
  func `a captured nil finds nil, before and after a value`(texts: [String?]) throws {
    try save([trinket { $0.text = "a" }, trinket { _ in }, trinket { _ in }])
    func has(_ text: String?) -> Predicate<Trinket> { #Predicate { $0.text == text } }
    func lacks(_ text: String?) -> Predicate<Trinket> { #Predicate { $0.text != text } }
    for text in texts {
      let found = text == nil ? 2 : text == "a" ? 1 : 0
      #expect(try count(has(text)) == found)
      #expect(try count(lacks(text)) == 3 - found)
    }
  }

  @Test func `a captured value is stored in the form of its property each time`() throws {
    let dates = [1_000_000, 2_000_000].map { Date(timeIntervalSince1970: $0) }
    try save(dates.map { date in trinket { $0.date = date } })
    func isAt(_ date: Date) -> Predicate<Trinket> { #Predicate { $0.date == date } }
    for date in dates { #expect(try count(isAt(date)) == 1) }
    #expect(try count(isAt(dates[0] + 1)) == 0)
    #expect(try planCount() == 1)
  }

  @Test func `a property of a captured value is read from that value each time`() throws {
    try save([trinket { $0.long = 3 }])
    func isAsLong(as text: String) -> Predicate<Trinket> { #Predicate { $0.long == text.count } }
    for (text, found) in [("abc", 1), ("ab", 0), ("xyz", 1)] {
      #expect(try count(isAsLong(as: text)) == found)
    }
  }

  @Test func `a sealed property is searched each time`() throws {
    func isHidden(_ text: String?) -> Predicate<Badge> { #Predicate { $0.hidden == text } }
    let isNil = #Predicate<Badge> { $0.hidden == nil }
    try test.store.write { _ in try Badge.make("one") { $0.hidden = "x" }.save() }
    #expect(try count(isHidden("y")) == 0)
    #expect(try count(isNil) == 0)
    try test.store.write { _ in
      try Badge.make("two") { $0.hidden = "y" }.save()
      try Badge.make("three").save()
    }
    #expect(try count(isHidden("y")) == 1)
    #expect(try count(isNil) == 1)
  }
}
