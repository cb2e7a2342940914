import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Arguments for `?` and `:name` in conditions and statements.
@Suite struct QueryArgumentTests {
  let school: School

  init() throws { school = try School() }

  // MARK: - Lists

  @Test func `a list stands for as many parameters as it has elements`() throws {
    #expect(try school.ages(Pupil.where("age IN (?)", [3, 1, 40])) == [1, 3])
    #expect(try school.ages(Pupil.where("age IN (?)", Set([3, 1]))) == [1, 3])
    #expect(try school.ages(Pupil.where("age IN (?)", [7])) == [7])
    #expect(
      try school.ages(Pupil.where("joined IN (?)", [School.day(2), School.day(5)])) == [2, 5]
    )
    #expect(
      try school.ages(Pupil.where("age IN (?) AND city = ?", Array(0..<12), "Bonn")) == [1, 6, 11]
    )
    #expect(try school.ages(Pupil.where("city = ? AND age IN(?)", "Bonn", [1, 2, 6])) == [1, 6])
    #expect(try school.ages(Pupil.where("bonus IN (?)", [nil, 2] as [Int?])) == [2])
  }

  @Test func `an empty list finds nothing, and excludes nothing`() throws {
    let none: [Int] = []
    #expect(try school.ages(Pupil.where("age IN (?)", none)) == [])
    #expect(try school.ages(Pupil.where("age NOT IN (?) AND age < ?", none, 3)) == [0, 1, 2])
    #expect(try school.ages(Pupil.where("age IN (:ages)", ["ages": Set<Int>()])) == [])
  }

  @Test func `a list stands wherever its number does`() throws {
    let condition = "age IN (?2) AND level IN (?2) AND city = ?1"
    #expect(try school.ages(Pupil.where(condition, "Bonn", [1, 2, 6])) == [1, 6])
  }

  @Test func `lists of thousands are one statement`() throws {
    // A condition's text has at most 7,000 values on a server.
    let ages = Array(5..<(TestPlace.isOnServer ? 6_000 : 20_000))
    #expect(try school.ages(Pupil.where("age IN (?)", ages)).count == 15)
  }

  @Test func `lists are arguments of statements, deletes, counts, values and links`() throws {
    try school.store.write { (database) throws in
      #expect(try Pupil.count(where: "age IN (?)", [1, 2]) == 2)
      #expect(try Pupil.fetchOne(where: "age IN (?)", [4])?.name == "p04")
      #expect(try Pupil.fetchValues(\.age, where: "age IN (?)", [4, 40]) == [4])
      #expect(try Pupil.cursor(where: "age IN (?)", [4, 40]).next()?.age == 4)
      #expect(
        try database.query("SELECT count(*) FROM \"Pupil\" WHERE age IN (?)", [1, 2]) == [[2]]
      )
      let changed = try database.execute(
        "UPDATE \"Pupil\" SET level = ? WHERE age IN (?)",
        9,
        [1, 2]
      )
      #expect(changed == 2)
      #expect(try Pupil.deleteAll(where: "age IN (?)", [1, 2, 3]) == 3)
      #expect(try Pupil.count() == 17)
    }
  }

  // MARK: - Names

  @Test func `names stand for arguments, each in all its places`() throws {
    let condition = "age > :min AND city IN (:cities) AND level > :min"
    #expect(
      try school.ages(Pupil.where(condition, ["min": 9, "cities": ["Ulm", "Gera"]]))
        == [10, 14, 15, 19]
    )
    #expect(try school.ages(Pupil.where("joined = :day", ["day": School.day(3)])) == [3])
    #expect(
      try school.ages(Pupil.where("bonus IS :none AND age < :age", ["none": nil, "age": 5])) == [
        3, 4,
      ]
    )
  }

  /// CTPersistance's placeholder cases.
  @Test func `a name is a whole word`() throws {
    let values: NamedArguments = ["key": 3, "keyvalue": "p03"]
    #expect(try school.ages(Pupil.where("age = :key AND name = :keyvalue", values)) == [3])
    #expect(try school.ages(Pupil.where("name=:keyvalue AND age=:key", values)) == [3])
    #expect(
      try school.ages(Pupil.where(":key=:key_value", ["key": 1, "key_value": 1])).count == 20
    )
    #expect(try school.ages(Pupil.where(":key=:keyvalue", values)) == [])
    #expect(
      try school.ages(Pupil.where("age=:a OR age=:a+1 OR age=:_a_1", ["a": 1, "_a_1": 9])) == [
        1, 2, 9,
      ]
    )
    #expect(try school.ages(Pupil.where("age=:größe", ["größe": 4])) == [4])
  }

  @Test(.sqliteOnly("it quotes names by [ ] and ` `, as SQLite alone does"))
  func `marks in literals, quoted names and comments are no parameters`() throws {
    let condition = """
      name <> ':a ? it''s' AND "age" = :a /* :b ? ' */ AND [age] = :a -- :c ' ?
      AND `age` = :a AND ':' || ':x' <> ''
      """
    #expect(try school.ages(Pupil.where(condition, ["a": 4])) == [4])
    #expect(try school.ages(Pupil.where("name <> '?' AND age IN (?) -- ?", [1, 2])) == [1, 2])
    #expect(
      try school.ages(Pupil.where("name <> ':a' AND age IN (:b) /* :c */", ["b": [1]])) == [1]
    )
  }

  @Test(
    .sqliteOnly("a server gets names with the case of their letters, and numbers for parameters")
  )
  func `a text without lists is asked as it was written`() throws {
    let query = Pupil.where("age > :min", ["min": 17]).in(school.store)
    _ = try query.fetchAll()
    let statements = try school.test.statements { _ = try query.fetchAll() }
    #expect(statements.count == 1)
    #expect(statements.first?.hasSuffix("WHERE (age > :min\n)") == true)
  }

  @Test func `positional arguments may have names in the text`() throws {
    #expect(
      try school.ages(Pupil.where("age = :a OR age = :b OR age = :a + 1", 4, 9)) == [4, 5, 9]
    )
    #expect(
      try school.ages(Pupil.where("age IN (:a) OR age = @b OR age = $c", [4], 9, 11)) == [4, 9, 11]
    )
    let any: [(any StorableValue)?] = [4]
    #expect(try school.ages(Pupil.where("age = ?", any[0])) == [4])
  }

  @Test func `no arguments and no parameters are fine, with a dictionary, too`() throws {
    #expect(try school.ages(Pupil.where("age < 2")) == [0, 1])
    #expect(try school.ages(Pupil.where("age < 2", [:])) == [0, 1])
    #expect(try school.ages(Pupil.where("age < 2", NamedArguments([:]))) == [0, 1])
  }

  @Test func `a missing name and one too many are errors that name them`() throws {
    let missing = thrown(.badStatement) {
      _ = try school.ages(Pupil.where("age > :min AND age < :most", ["min": 1]))
    }
    #expect(missing?.detail?.contains(":most") == true)
    let other = thrown(.badStatement) {
      _ = try school.ages(Pupil.where("age > :min", ["min": 1, "mim": 2]))
    }
    #expect(other?.detail?.contains(":mim") == true)
    expectError(.badStatement) { _ = try school.ages(Pupil.where("age > 1", ["min": 1])) }
    expectError(.badStatement) {
      _ = try school.ages(Pupil.where("age > ? AND age < :a", ["a": 1]))
    }
    expectError(.badStatement) { _ = try school.ages(Pupil.where("age > ?1", ["1": 1])) }
  }

  @Test(arguments: [
    ("age > ?", 0), ("age > ?", 2), ("age > 1", 1), ("age IN (?) AND age > ?", 1), ("age = ?3", 1),
    ("age = ?0", 1), ("age = ?99999999999999999999", 1), ("age = ?9223372036854775806 OR ?", 1),
    ("age = :a AND age = :b", 1),
  ])
  func `too few and too many arguments are errors`(_ condition: String, _ count: Int) throws {
    let query = { (value: any QueryArgument) in
      switch count {
      case 0: Pupil.where(condition)
      case 1: Pupil.where(condition, value)
      default: Pupil.where(condition, value, value)
      }
    }
    expectError(.badStatement) { _ = try school.ages(query(1)) }
    expectError(.badStatement) { _ = try school.ages(query([1])) }
  }

  @Test func `an argument without a stored form is an error when the query is asked`() throws {
    let query = Pupil.where("score > ?", Double.nan)
    expectError(.valueMismatch) { _ = try school.ages(query) }
    expectError(.valueMismatch) { _ = try query.in(school.store).count() }
    expectError(.valueMismatch) {
      _ = try school.ages(Pupil.where("score IN (?)", [1, Double.nan]))
    }
  }

  // MARK: - Joins by name

  @Test(arguments: [
    "1 /* ' */ AND EXISTS (SELECT 1 FROM Pupil NATURAL JOIN Pupil p) /* ' */",
    "1 -- '\n AND EXISTS (SELECT 1 FROM Pupil JOIN Pupil p USING (secret)) -- '",
    "1 /* \" */ AND EXISTS (SELECT 1 FROM Pupil JOIN Pupil p USING(secret)) /* \" */",
  ])
  func `a quote in a comment hides no join by names`(_ condition: String) throws {
    expectError(.sealedCondition) { _ = try school.ages(Pupil.where(condition)) }
  }

  @Test func `a literal and a comment are no join by names`() throws {
    let condition = "name <> 'NATURAL' /* USING */ AND age = 1"
    #expect(try school.ages(Pupil.where(condition)) == [1])
  }
}
