#if PostgreSQL
import Foundation
import NacreCore
import NacreStore
import Testing
@testable import TestSupport

/// Queries whose words mean something else to the server find the same on both engines.
@Suite struct EngineAgreementTests {
  private func pupils(_ fees: [String], in engine: TestEngine) throws -> EngineStore {
    let opened = try engine.makeStore()
    let pupils = try fees.enumerated().map { number, fee in
      let pupil = Pupil.create()
      pupil.age = number
      pupil.level = Int8(number)
      pupil.name = number.isMultiple(of: 2) ? "Ärger \(number)" : "Audi\\ \(number)"
      pupil.fee = try #require(Decimal(string: fee))
      return pupil
    }
    try opened.store.save(pupils)
    return opened
  }

  @Test(arguments: TestEngine.allCases)
  func `decimals are ordered, compared and added as numbers`(engine: TestEngine) throws {
    let opened = try pupils(["10.1", "9", "-3", "9.5", "0.25"], in: engine)
    try opened.store.read { (_) throws in
      #expect(
        try Pupil.all.ordered(by: SortDescriptor(\.fee)).fetchAll().map(\.age) == [2, 4, 1, 3, 0]
      )
      #expect(try Pupil.fetchAll(orderBy: "fee DESC").map(\.age) == [0, 3, 1, 4, 2])
      #expect(try Pupil.count(where: "fee > ?", Decimal(9)) == 2)
      #expect(try Pupil.count(where: "\"Pupil\".fee BETWEEN ? AND ?", Decimal(9), Decimal(10)) == 2)
      #expect(try Pupil.count(where: "fee COLLATE nacre_decimal >= 9") == 3)
      let nine = Decimal(9)
      #expect(try Pupil.count(#Predicate { $0.fee > nine }) == 2)
      #expect(try Pupil.all.max(\.fee) == Decimal(string: "10.1"))
      #expect(try Pupil.all.min(\.fee) == -3)
      #expect(try Pupil.all.sum(\.fee) == Decimal(string: "25.85"))
      #expect(try Pupil.fetchOne(\.fee, equals: 9)?.age == 1)
    }
    #expect(try Pupil.all.in(opened.store).updateAll(.increment(\.fee, by: Decimal(1) / 4)) == 5)
    let values = try Pupil.all.in(opened.store).ordered(by: SortDescriptor(\.age)).values(\.fee)
    #expect(values == ["10.35", "9.25", "-2.75", "9.75", "0.5"].map { Decimal(string: $0) })
  }

  @Test(arguments: TestEngine.allCases)
  func `a pattern makes no difference between ASCII letters alone, and has no escape`(
    engine: TestEngine
  ) throws {
    let opened = try pupils(["0", "1", "2"], in: engine)
    try opened.store.read { (_) throws in
      #expect(try Pupil.count(where: "name LIKE ?", "AUDI%") == 1)
      #expect(try Pupil.count(where: "name LIKE ?", "ärger%") == 0)
      #expect(try Pupil.count(where: "name LIKE 'aud_\\ %' AND age = 1") == 1)
      #expect(try Pupil.count(where: "name NOT LIKE ?", "%ger%") == 1)
      #expect(try Pupil.count(where: "name LIKE '%' || ? || '%'", "i\\ 1") == 1)
      #expect(try Pupil.count(where: "name LIKE ('%' || ?) AND age > 0", "I\\ 1") == 1)
      #expect(try Pupil.count(where: "name LIKE '%i!\\ ' || ? ESCAPE '!'", "1") == 1)
      #expect(try Pupil.count(where: "name LIKE '%i!!\\ ' || ? ESCAPE '!'", "1") == 0)
    }
  }

  @Test func `a pattern that the server would end elsewhere is refused by name`() throws {
    let store = try TestEngine.postgres.makeStore().store
    let error = #expect(throws: NacreError.self) {
      _ = try Pupil.where("name LIKE ? < 'b'", "a").in(store).count()
    }
    #expect(error?.code == .badStatement)
  }

  private enum Keyworded: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("desc"), .init("last"), .init("and")] }
  }

  @Test(arguments: TestEngine.allCases)
  func `a keyword is no property's name, except where a value has to stand`(engine: TestEngine)
    throws
  {
    let opened = try engine.makeStore()
    let store = opened.store
    defer { withExtendedLifetime(opened) {} }
    for (name, desc) in [("a", "3"), ("b", "1"), ("c", "2")] {
      try Robot<Keyworded>.store(in: store) { robot in
        robot[text: "name"] = name
        robot[text: "desc"] = desc
        robot[text: "last"] = "z"
        robot[text: "and"] = name
      }
    }
    try store.read { (_) throws in
      let names = { (order: String) in
        try Robot<Keyworded>.fetchAll(orderBy: order).map { $0[text: "name"] }.joined()
      }
      #expect(try names("name DESC") == "cba")
      #expect(try names("name DESC NULLS LAST") == "cba")
      #expect(try names("desc") == "bca")
      #expect(try names("desc DESC") == "acb")
      #expect(try Robot<Keyworded>.count(where: "name > 'a' AND desc > '1' AND last = 'z'") == 1)
      #expect(try Robot<Keyworded>.count(where: "\"and\" = 'a' AND name = 'a'") == 1)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func `integers are computed beyond 64 bits, and a quotient by zero is none`(engine: TestEngine)
    throws
  {
    let opened = try pupils(["0", "1", "2"], in: engine)
    let (greatest, zero) = (Int.max, 0)
    try opened.store.read { (_) throws in
      #expect(try Pupil.count(#Predicate { $0.age + greatest > 5 }) == 3)
      #expect(try Pupil.count(#Predicate { $0.age / zero == 1 }) == 0)
      #expect(try Pupil.count(#Predicate { (0 - 3 - $0.age) / 2 == -2 }) == 2)
      #expect(try Pupil.count(#Predicate { (0 - 3 - $0.age) % 2 == -1 }) == 2)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func `different values are in the order of what is not read`(engine: TestEngine) throws {
    let opened = try pupils(["3", "1", "2", "1"], in: engine)
    let query = Pupil.where("age < 3").in(opened.store).ordered(by: SortDescriptor(\.fee))
    #expect(try query.distinct().values(\.age) == [1, 2, 0])
    #expect(try query.limit(2).distinct().values(\.age) == [1, 2])
  }

  private enum Caseless: RobotForm {
    static var parts: [RobotPart] { [.init("name", column: .init(collation: .noCase))] }
  }

  @Test func `a rule for texts that the server does not have is refused by name`() throws {
    let store = try TestEngine.postgres.makeStore().store
    let error = #expect(throws: NacreError.self) { try Robot<Caseless>.use(in: store) }
    #expect(error?.code == .badDeclaration && error?.property == "name")
  }

  @Test func `a text without its case is refused by name on a server`() throws {
    let store = try TestEngine.postgres.makeStore().store
    for predicate: Predicate<Pupil> in [
      #Predicate { $0.name.caseInsensitiveCompare("a").rawValue == 0 },
      #Predicate { $0.name.localizedCompare("a").rawValue == 0 },
      #Predicate { $0.name.localizedStandardContains("a") },
    ] {
      let error = #expect(throws: NacreError.self) {
        _ = try Pupil.where(predicate).in(store).count()
      }
      #expect(error?.code == .untranslatablePredicate)
      let query = Pupil.where(predicate, filteringInMemory: true).in(store)
      #expect(throws: Never.self) { _ = try query.fetchAll() }
    }
  }
}
#endif
