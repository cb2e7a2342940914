import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Constants that a predicate computes.
@Suite struct PredicateConstantTests {
  @Test func `a sealed property is compared with what constants come to`() throws {
    let test = try TestStore()
    let two = 2
    try test.store.write { (_) throws in
      for number in [-1, 0, 2, 6] { try Badge.make("\(number)") { $0.number = number }.save() }
      let cases: [(Predicate<Badge>, [String])] = [
        (#Predicate { $0.number == -1 }, ["-1"]),
        (#Predicate { $0.number == 1 + 1 }, ["2"]),
        (#Predicate { $0.number == -(two - 3) * two }, ["2"]),
        (#Predicate { $0.number == 13 / two }, ["6"]),
        (#Predicate { $0.number == 13 % -3 - 1 }, ["0"]),
        (#Predicate { $0.number != -1 }, ["0", "2", "6"]),
      ]
      for (predicate, labels) in cases {
        let found = try Badge.fetchAll(predicate).map(\.label)
        #expect(found.sorted() == labels, "\(predicate)")
      }
    }
  }

  @Test func `constants that overflow do not trap`() throws {
    let school = try School()
    let (least, greatest, zero) = (Int.min, Int.max, 0)
    try school.store.read { (_) throws in
      #expect(try Pupil.count(#Predicate { $0.age < -least }) == 20)
      #expect(try Pupil.count(#Predicate { $0.age < greatest + greatest }) == 20)
      #expect(try Pupil.count(#Predicate { $0.age == 1 / zero }) == 0)
      #expect(try Pupil.count(#Predicate { $0.age == 1 % zero }) == 0)
      #expect(try Pupil.count(#Predicate { $0.age == 3 - 1 }) == 1)
    }
  }
}
