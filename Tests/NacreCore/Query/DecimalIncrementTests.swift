import Foundation
import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

/// Decimals that are added in the database.
@Suite struct DecimalIncrementTests {
  let school: School

  init() throws { school = try School() }

  private var all: Query<Pupil> { Pupil.all.in(school.store) }

  private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  @Test func `a decimal is added exactly to what each object has`() throws {
    let some = all.where("age < 2").ordered(by: "age")
    #expect(try some.updateAll(.increment(\.fee, by: decimal("0.20"))) == 2)
    #expect(try some.values(\.fee) == [decimal("0.3"), decimal("1.3")])
    let back = try decimal("-1.3")
    #expect(try some.updateAll(.increment(\.fee, by: back), .set(\.city, to: "Hof")) == 2)
    #expect(try some.values(\.fee) == [-1, 0])
    #expect(try all.where("city = 'Hof' AND fee < 0").count() == 1)
    #expect(try some.updateAll(.increment(\.fee, by: decimal("12345678901234567890.000001"))) == 2)
    #expect(try some.values(\.fee).last == decimal("12345678901234567890.000001"))
  }

  @Test func `an optional decimal stays nil`() throws {
    try Invoice.store(["1", "2.5"], in: school.store)
    let invoices = Invoice.all.in(school.store).ordered(by: "number")
    #expect(try invoices.updateAll(.increment(\.tip, by: 1)) == 2)
    #expect(try invoices.values(\.tip) == [nil, decimal("3.5")])
  }

  @Test func `a sum that would be rounded is an error, and nothing is changed`() throws {
    let great = try decimal("99999999999999999999999999999999999999")
    #expect(try all.where("age = 5").updateAll(.set(\.fee, to: great)) == 1)
    for query in [all, all.ordered(by: "age").limit(6)] {
      expectError(.overflow, entity: "Pupil", property: "fee") {
        _ = try query.updateAll(.increment(\.fee, by: decimal("0.01")), .set(\.city, to: "Hof"))
      }
    }
    #expect(try all.where("city = 'Hof'").count() == 0)
    #expect(try all.where("age = 4").values(\.fee) == [decimal("4.1")])
    #expect(try all.where("age = 5").updateAll(.increment(\.fee, by: 0)) == 1)
  }

  @Test func `a text that is no number is an error, and stays`() throws {
    try school.store.write { try $0.execute("UPDATE \"Pupil\" SET fee = 'much' WHERE age = 3") }
    expectError(.overflow, entity: "Pupil", property: "fee") {
      _ = try all.updateAll(.increment(\.fee, by: 1))
    }
    let stored = try school.store.read { try $0.query("SELECT fee FROM \"Pupil\" WHERE age = 3") }
    #expect(stored == [["much"]])
  }

  @Test func `records add decimals by condition and by key`() throws {
    let budgets = Table<Budget>().in(school.store)
    var budget = Budget()
    budget.balance = try decimal("0.1")
    try budgets.insert(&budget)
    let id = try #require(budget.id)
    #expect(try budgets.update([.increment(\.balance, by: decimal("0.2"))], key: id) == 1)
    #expect(try budgets.all.updateAll(.increment(\.bonus, by: 5), .increment(\.points, by: 3)) == 1)
    let stored = try #require(try budgets.fetch(key: id))
    #expect(try stored.balance == decimal("0.3") && stored.bonus == nil && stored.points == 3)
    let (great, small) = (try decimal("1E+20"), try decimal("1E-38"))
    #expect(try budgets.update([.increment(\.balance, by: great)], key: id) == 1)
    expectError(.overflow, entity: "Budget", property: "balance") {
      try budgets.update([.increment(\.balance, by: small), .set(\.points, to: 9)], key: id)
    }
    #expect(try budgets.fetch(key: id)?.points == 3)
  }
}
