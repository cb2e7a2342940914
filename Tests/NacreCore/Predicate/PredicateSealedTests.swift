import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Predicates about sealed properties.
@Suite struct PredicateSealedTests {
  private static let plates = [nil, "AB-1", "AB-2", "AB-3", ""]

  /// Badges with every pair of a plate and a hidden text.
  private func badges() throws -> TestStore {
    let test = try TestStore()
    try test.store.write { _ in
      for (index, plate) in Self.plates.enumerated() {
        for hidden in Self.plates {
          let label = "\(index) \(hidden ?? "none")"
          try Badge.make(label) {
            $0.plate = plate
            $0.hidden = hidden
            $0.number = index
            $0.email = index == 1 ? "Bob@x.org" : "\(label)@x.org"
          }.save()
        }
      }
    }
    return test
  }

  private func check(_ predicates: [Predicate<Badge>]) throws {
    let test = try badges()
    try test.store.read { (_) throws in
      let all = try Badge.fetchAll()
      for (index, predicate) in predicates.enumerated() {
        let wanted = try all.filter { try predicate.evaluate($0) }.map(\.label)
        let found = try Badge.fetchAll(predicate).map(\.label)
        #expect(found.sorted() == wanted.sorted(), "[\(index)] \(predicate)")
        #expect(!wanted.isEmpty && wanted.count < all.count, "[\(index)]")
        let count = try Badge.count(predicate)
        #expect(count == wanted.count, "[\(index)]")
      }
    }
  }

  @Test func `a searchable property is found by its index, and the rest by negation`() throws {
    let plate = "AB-2"
    let missing: String? = nil
    let some: [String?] = [nil, "AB-1"]
    let (one, two): (String?, String?) = ("AB-1", "AB-2")
    let either = #Predicate<Badge> { ($0.plate == two && $0.number == 2) || $0.hidden == one }
    try check([
      #Predicate { $0.plate == "AB-2" },
      #Predicate { $0.plate == plate },
      #Predicate { $0.plate != "AB-2" },
      #Predicate { !($0.plate == "AB-2") },
      #Predicate { $0.plate == "" },
      #Predicate { $0.plate == nil },
      #Predicate { $0.plate != nil },
      #Predicate { $0.plate == missing },
      #Predicate { some.contains($0.plate) },
      #Predicate { !some.contains($0.plate) },
      either,
    ])
  }

  @Test
  func `a predicate compares sealed properties that hide nil, in closures, and of other types`()
    throws
  {
    let some: [String?] = [nil, "AB-1"]
    let list = ["AB-1", "AB-3", "nothing"]
    try check([
      #Predicate { $0.plate.flatMap { list.contains($0) } == true },
      #Predicate { $0.hidden == "AB-2" },
      #Predicate { $0.hidden != "AB-2" },
      #Predicate { $0.hidden == nil },
      #Predicate { $0.hidden != nil },
      #Predicate { some.contains($0.hidden) },
      #Predicate { !some.contains($0.hidden) },
      #Predicate { $0.plate != nil && $0.plate! == "AB-3" },
      #Predicate { $0.plate.flatMap { $0 == "AB-3" } == true },
      #Predicate { $0.plate.flatMap { $0 == "AB-3" } == nil },
      #Predicate { $0.number == 3 },
      #Predicate { [1, 4].contains($0.number) },
      #Predicate { $0.serial == "serial of 1 AB-1" },
    ])
  }

  @Test func `texts are compared as the property's normalizer has them`() throws {
    let test = try badges()
    try test.store.read { (_) throws in
      let found = try Badge.fetchAll(#Predicate { $0.email == "BOB@X.ORG" })
      #expect(found.count == 5)
      let all = try Badge.count(#Predicate { $0.email != "bob@x.org" })
      #expect(all == 20)
    }
  }

  @Test func `a searchable plate is found by its value`() throws {
    let test = try badges()
    try test.store.write { (_) throws in
      try Badge.make("wanted") { $0.plate = "AB-123-C" }.save()
      let badge = try Badge.fetchOne(#Predicate { $0.plate == "AB-123-C" })
      #expect(badge?.label == "wanted")
      let deleted = try Badge.deleteAll(#Predicate { $0.plate == "AB-123-C" })
      #expect(deleted == 1)
      let gone = try Badge.fetchOne(#Predicate { $0.plate == "AB-123-C" })
      #expect(gone == nil)
    }
  }

  @Test func `a cursor finds by a sealed value`() throws {
    let test = try badges()
    try test.store.read { (_) throws in
      let cursor = try Badge.cursor(#Predicate { $0.plate == "AB-2" })
      var count = 0
      while let badge = try cursor.next() {
        #expect(badge.plate == "AB-2")
        count += 1
      }
      #expect(count == 5)
    }
  }

  @Test func `a sealed value finds more objects than a statement has parameters`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      for index in 0..<2_000 {
        try Badge.make("\(index)") { $0.number = index % 2 }.save()
      }
      let even = try Badge.count(#Predicate { $0.number == 0 })
      #expect(even == 1_000)
      let odd = try Badge.count(#Predicate { $0.number != 0 && $0.label != "1" })
      #expect(odd == 999)
    }
  }

  @Test func `a predicate compares a sealed property of a child`() throws {
    let codes: [String?] = ["code 1", nil]
    try VehicleFleet().check([
      #Predicate { $0.motor?.code == "code 2" },
      #Predicate { $0.motor?.code != "code 2" },
      #Predicate { $0.motor?.code == nil },
      #Predicate { $0.motor?.code != nil },
      #Predicate { $0.motor.flatMap { codes.contains($0.code) } == true },
      #Predicate { $0.motor.flatMap { codes.contains($0.code) } != false },
      #Predicate { $0.motor?.secret == nil && $0.motor != nil },
    ])
  }

  @Test func `the error names the sealed property that can't answer a predicate`() throws {
    let test = try badges()
    let fleet = try VehicleFleet(count: 3)
    let cases: [(Predicate<Badge>, String, String)] = [
      (#Predicate { $0.name == "x" }, "name", "searchable: true"),
      (#Predicate { $0.name < "x" }, "name", "searchable: true"),
      (#Predicate { $0.number > 3 }, "number", "only =="),
      (#Predicate { $0.serial.starts(with: "s") }, "serial", "only =="),
      (#Predicate { $0.serial == $0.email }, "serial", "only =="),
      (#Predicate { ($0.plate ?? "") == "x" }, "plate", "only =="),
      (#Predicate { $0.plate?.isEmpty == true }, "plate", "only =="),
      (#Predicate { (1...3).contains($0.number) }, "number", "only =="),
    ]
    for (predicate, property, words) in cases {
      let error = thrown(.sealedCondition, entity: "Badge", property: property) {
        _ = try test.store.read { _ in try Badge.fetchAll(predicate) }
      }
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
    let child = thrown(.sealedCondition, entity: "Motor", property: "secret") {
      _ = try fleet.test.store.read { _ in
        try Vehicle.fetchAll(#Predicate { $0.motor?.secret == "x" })
      }
    }
    #expect(child != nil)
  }
}
