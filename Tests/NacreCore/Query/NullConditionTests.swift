import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Conditions that ask whether a sealed property is nil.
@Suite struct NullConditionTests {
  let school: School

  init() throws { school = try School() }

  private var all: Query<Pupil> { Pupil.all.in(school.store) }

  @Test func `a condition asks for nil of a sealed property as a predicate does`() throws {
    let odd = try school.ages(all.where(#Predicate { $0.pass == nil }))
    #expect(odd == Array(stride(from: 1, to: 20, by: 2)))
    for condition in [
      "pass IS NULL", "pass ISNULL", "\"Pupil\".\"pass\" is null", "NOT (pass IS NOT NULL)",
      "(age = 50 OR pass /* none */ IS NULL)", "NOT pass NOTNULL", "PASS IS NULL AND age >= 0",
    ] {
      #expect(try school.ages(all.where(condition)) == odd, "\(condition)")
    }
    let some = all.where("(age = 1 OR pass IS NOT NULL) AND age < ?", 4)
    #expect(try school.ages(some) == [0, 1, 2])
    #expect(try school.ages(all.where("pass NOT NULL").where("age < 3")) == [0, 2])
    #expect(try all.where("pass IS NULL").updateAll(.set(\.city, to: "Hof")) == 10)
    #expect(try all.where("pass IS NULL AND city = ?", "Hof").deleteAll() == 10)
  }

  @Test func `anything else that a condition asks of a sealed property is refused`() {
    for condition in [
      "pass IS 'x'", "pass IS NULL OR pass = 'x'", "pass || '' IS NULL", "length(pass) IS NULL",
      "(pass IS NULL) = (pass > 'a')", "EXISTS (SELECT 1 FROM Pupil p WHERE p.pass IS NULL)",
      "age IN (SELECT age FROM Pupil WHERE pass IS NULL)", "pass__index IS NULL",
    ] {
      expectError(.sealedCondition, entity: "Pupil", property: "pass") {
        _ = try all.where(condition).count()
      }
    }
    expectError(.sealedCondition, entity: "Pupil", property: "pass") {
      _ = try all.ordered(by: "pass IS NULL").fetchAll()
    }
    expectError(.sealedCondition, entity: "Pupil", property: "secret") {
      _ = try all.where("pass IS NULL AND secret = 'x'").count()
    }
  }

  @Test func `a property that hides its nils is refused, because none of them is NULL`() throws {
    let test = try TestStore()
    try test.store.write { _ in try Badge.make("a").save() }
    expectError(.sealedCondition, entity: "Badge", property: "hidden") {
      _ = try Badge.where("hidden IS NULL").in(test.store).count()
    }
    #expect(try Badge.where(#Predicate { $0.hidden == nil }).in(test.store).count() == 1)
  }
}
