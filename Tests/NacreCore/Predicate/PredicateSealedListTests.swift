import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Large lists of values of searchable properties, inside of and, or and not.
@Suite struct PredicateSealedListTests {
  private func badges(_ count: Int) throws -> TestStore {
    let test = try TestStore()
    try test.store.write { _ in
      for index in 0..<count {
        try Badge.make("\(index)") {
          $0.plate = index % 5 == 4 ? nil : "AB-\(index)"
          $0.number = index % 3
          $0.email = "\(index)@x.org"
        }.save()
      }
    }
    return test
  }

  @Test
  func `a predicate takes lists longer than a statement has parameters, inside and, or and not`()
    throws
  {
    let test = try badges(1_500)
    let plates: [String?] = (0..<1_200).map { "AB-\($0)" }
    let withNone = Array(plates.suffix(700)) + [nil]
    let emails = (300..<2_000).map { "\($0)@X.ORG" }
    let one = #Predicate<Badge> { plates.contains($0.plate) && emails.contains($0.email) }
    let two = #Predicate<Badge> { !plates.contains($0.plate) || $0.number == 1 }
    let three = #Predicate<Badge> {
      !(withNone.contains($0.plate) && !emails.contains($0.email)) && $0.number != 2
    }
    try test.store.read { (_) throws in
      let all = try Badge.fetchAll()
      // By the normalizer, which sees no case.
      let known = Set(emails.map { $0.lowercased() })
      func check(_ predicate: Predicate<Badge>, _ isWanted: (Badge) -> Bool) throws {
        let wanted = Set(all.filter(isWanted).map(\.label))
        #expect(Set(try Badge.fetchAll(predicate).map(\.label)) == wanted)
        #expect(try Badge.count(predicate) == wanted.count)
        #expect(wanted.count > 100 && wanted.count < all.count)
      }
      try check(one) { plates.contains($0.plate) && known.contains($0.email) }
      try check(two) { !plates.contains($0.plate) || $0.number == 1 }
      try check(three) {
        !(withNone.contains($0.plate) && !known.contains($0.email)) && $0.number != 2
      }
    }
  }

  @Test(.sqliteOnly("a list of values has a parameter for each on a server"))
  func `lists of different lengths make one text of SQL`() throws {
    let test = try badges(40)
    try test.store.read { (_) throws in
      var texts: Set<String> = []
      for length in [2, 9, 30] {
        let plates: [String?] = (0..<length).map { "AB-\($0)" }
        let statements = try test.statements {
          _ = try Badge.fetchAll(#Predicate { plates.contains($0.plate) && $0.label != "1" })
        }
        texts.insert(try #require(statements.last))
      }
      #expect(texts.count == 1)
    }
  }
}
