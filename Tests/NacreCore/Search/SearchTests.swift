import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Fetching by the values of sealed properties.
@Suite struct SearchTests {
  private func labels(_ badges: [Badge]) -> [String] { badges.map(\.label).sorted() }

  @Test func `objects are found by a sealed value`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      for index in 0..<50 {
        try Badge.make("\(index)") { $0.plate = "AB-\(index % 5)" }.save()
      }
      #expect(
        try labels(Badge.fetchAll(\.plate, equals: "AB-3"))
          == (0..<10).map { "\($0 * 5 + 3)" }.sorted()
      )
      #expect(try Badge.fetchOne(\.plate, equals: "AB-1")?.plate == "AB-1")
      #expect(try Badge.fetchOne(\.plate, equals: "AB-9") == nil)
      #expect(try Badge.fetchAll(\.plate, in: ["AB-0", "AB-4", "AB-4", "none"]).count == 20)
      #expect(try Badge.fetchAll(\.plate, in: [String?]()).isEmpty)
    }
  }

  @Test func `a search goes by the index and not over all rows`() throws {
    let test = try TestStore()
    try test.store.write { _ in try Badge.make("a") { $0.plate = "X" }.save() }
    let statements = try test.statements {
      try test.store.read { _ in _ = try Badge.fetchOne(\.plate, equals: "X") }
    }
    let search = try #require(statements.first { $0.contains("plate__index") })
    let detail = try test.plan(of: search, Data([0, 0]))
    if TestPlace.isOnServer {
      return #expect(detail.contains("Index Scan using") && detail.contains("Badge__plate__index"))
    }
    #expect(detail.contains("USING INDEX Badge__plate__index") || detail.contains("COVERING INDEX"))
    #expect(!detail.contains("SCAN"))
  }

  @Test func `nil is found, hidden or not`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      try Badge.make("a") { $0.plate = "X" }.save()
      try Badge.make("b") { $0.hidden = "secret" }.save()
      #expect(try labels(Badge.fetchAll(\.plate, equals: nil)) == ["b"])
      #expect(try labels(Badge.fetchAll(\.plate, in: [nil, "X"])) == ["a", "b"])
      #expect(try labels(Badge.fetchAll(\.hidden, equals: nil)) == ["a"])
      #expect(try Badge.fetchOne(\.hidden, equals: "secret")?.label == "b")
      #expect(try Badge.fetchOne(\.hidden, equals: nil)?.hidden == nil)
    }
  }

  @Test func `hidden nil and padded values look like any other`() throws {
    let test = try TestStore()
    try test.store.write { _ in
      try Badge.make("a").save()
      try Badge.make("b") { $0.hidden = "short" }.save()
      try Badge.make("c") { $0.hidden = String(repeating: "x", count: 25) }.save()
    }
    let sizes = try test.store.read {
      try $0.query("SELECT hidden, length(hidden) FROM \"Badge\"")
    }
    #expect(sizes.allSatisfy { $0[0].storageClass == .blob })
    let lengths: Set<Value> = Set(sizes.map { $0[1] })
    // An envelope's 45 bytes and 32 of the text.
    #expect(lengths == [.integer(77)])
  }

  @Test func `texts are compared as the normalizer has them`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      try Badge.make("a") { $0.email = "Grüße@Example.ORG" }.save()
      try Badge.make("b") { $0.phone = "+49 (30) 12-34" }.save()
      #expect(try Badge.fetchOne(\.email, equals: "GRÜSSE@example.org")?.label == "a")
      #expect(try Badge.fetchOne(\.email, equals: "GRU\u{308}SSE@example.org")?.label == "a")
      #expect(try Badge.fetchOne(\.email, equals: "Grusse@example.org") == nil)
      #expect(try Badge.fetchOne(\.phone, equals: "4930 1234")?.label == "b")
      #expect(
        try Badge.fetchOne(\.email, equals: "Grüße@Example.ORG")?.email == "Grüße@Example.ORG"
      )
    }
  }

  @Test func `an exact index tells composed from decomposed texts`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      try Badge.make("a") { $0.plate = "é" }.save()
      #expect(try Badge.fetchOne(\.plate, equals: "e\u{301}") == nil)
      #expect(try Badge.fetchOne(\.plate, equals: "é")?.label == "a")
    }
  }

  @Test func `values that share an index value are told apart`() throws {
    let test = try TestStore()
    try test.store.write { _ in
      for index in 0..<600 { try Badge.make("\(index)") { $0.email = "e\(index)" }.save() }
    }
    try test.store.read { (database) throws in
      // 600 values on 8 bits: each index value stands for more than one.
      let tokens = try database.query("SELECT count(DISTINCT email__index) FROM \"Badge\"")
      #expect(tokens == [[.integer(256)]] || tokens[0][0] != .integer(600))
      for index in stride(from: 0, to: 600, by: 37) {
        #expect(try Badge.fetchAll(\.email, equals: "e\(index)").map(\.label) == ["\(index)"])
      }
    }
  }

  @Test func `a changed value is found under the new one alone`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      let badge = Badge.make("a") { $0.number = 7 }
      try badge.save()
      badge.number = 8
      try badge.save()
      #expect(try Badge.fetchOne(\.number, equals: 7) == nil)
      #expect(try Badge.fetchOne(\.number, equals: 8)?.label == "a")
    }
  }

  @Test func `more values than a statement takes are found`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      for index in 0..<1200 { try Badge.make("\(index)") { $0.number = index }.save() }
      #expect(try Badge.fetchAll(\.number, in: 0..<1100).count == 1100)
      #expect(try Badge.fetchAll(\.label, in: (0..<1100).map(String.init)).count == 1100)
    }
  }

  @Test func `plain properties are searched by the same calls`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      for label in ["a", "b", "c"] { try Badge.make(label).save() }
      #expect(try labels(Badge.fetchAll(\.label, in: ["a", "c", "x"])) == ["a", "c"])
      #expect(try Badge.fetchAll(\.label, equals: "b").count == 1)
    }
  }

  @Test func `a property that is not searchable says so and what to do`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      try Badge.make("a").save()
      let error = #expect(throws: NacreError.self) {
        try Badge.fetchOne(\.name, equals: "x")
      }
      #expect(error?.code == .sealedCondition)
      #expect(error?.property == "name")
      #expect(error?.description.contains("@Encrypted(searchable: true)") == true)
    }
  }

  @Test(arguments: ["plate = 'x'", "plate__index = x'00'", "length(plate) > 3"])
  func `a condition that reads a sealed column or its index is refused by name`(
    condition: String
  ) throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      try Badge.make("a").save()
      let error = #expect(throws: NacreError.self) {
        try Badge.fetchAll(where: condition)
      }
      #expect(error?.code == .sealedCondition)
      #expect(error?.property == "plate")
      #expect(error?.description.contains("fetchAll(\\.plate, equals:)") == true)
    }
  }

  @Test(arguments: [
    "label IN (SELECT p.label FROM (SELECT ? AS plate__index) s JOIN Badge p USING (plate__index))",
    "label IN (SELECT p.label FROM (SELECT ? AS plate__index) s natural JOIN Badge p)",
  ])
  func `a join by name, of which no authorizer is told, is refused`(condition: String) throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      try Badge.make("it's using").save()
      let error = #expect(throws: NacreError.self) {
        try Badge.fetchAll(where: condition, Data([1, 2]))
      }
      #expect(error?.code == .sealedCondition)
      #expect(try Badge.count(where: "label = 'it''s using'") == 1)
    }
  }
}
