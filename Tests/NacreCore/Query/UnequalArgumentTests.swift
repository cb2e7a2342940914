import Foundation
import NacreCore
import NacreRecords
@testable import TestSupport
import Testing

/// Arguments of conditions that can never be equal to the column that they are compared with.
@Suite struct UnequalArgumentTests {
  private let school: School

  init() throws { school = try School() }

  private func refuses(
    _ property: String,
    _ condition: String,
    _ arguments: (any QueryArgument)?...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try school.store.read { (_) throws in
      let error = thrown(
        .unequalArgument,
        entity: "Pupil",
        property: property,
        sourceLocation: sourceLocation
      ) {
        _ = try Pupil.query(condition, arguments)
      }
      #expect(error?.description.contains("Pass") == true, sourceLocation: sourceLocation)
    }
  }

  private func count(_ condition: String, _ arguments: (any QueryArgument)?...) throws -> Int {
    try school.store.read { _ in try Pupil.query(condition, arguments) }
  }

  private var first: Pupil { school.pupils[0] }

  @Test func `an objectID is found by its UUID, and not by the UUID's text`() throws {
    #expect(try count("objectID = ?", first.objectID) == 1)
    #expect(try count("objectID IN (?)", school.pupils.prefix(3).map(\.objectID)) == 3)
    #expect(try count("tutor = ?", school.tutors[0].objectID) == 9)
    let text = first.objectID.uuidString
    try refuses("objectID", "objectID = ?", text)
    try refuses("objectID", "objectID <> ?", text)
    try refuses("objectID", "\"objectID\" IN (?)", [text])
    try refuses("objectID", "? = \"Pupil\".objectID", text)
    try refuses("tutor", "tutor = ?", 1)
    try refuses("tutor", "age > 3 AND (tutor <> ? OR name = ?)", text, "x")
    try refuses("tutor", "\"Pupil\".tutor IN (?, ?)", school.tutors[0].objectID, 7)
  }

  @Test func `a number is found by a text that is one, and no other text is taken`() throws {
    #expect(try count("age > '17'") == 2)
    #expect(try count("age > ?", "17") == 2)
    #expect(try count("age = ?", " 17.0 ") == 1)
    #expect(try count("score >= ?", "+.9e1") == 2)
    #expect(try count("age = ?", 17.0) == 1)
    for text in ["abc", "", "17 years", "0x11", "1e", ".", "1 7"] {
      try refuses("age", "age = ?", text)
    }
    try refuses("age", "age BETWEEN ? AND 5", "one")
    try refuses("score", "NOT score < ?", "x")
    try refuses("age", "age IN (?)", ["1", "x"])
    try refuses("score", "score == ?", Data([1]))
    try refuses("joined", "joined > ?", "2024-01-01")
    #expect(try count("fee = ?", "3.1") == 1)
  }

  @Test func `a text is found by a number, and by no bytes`() throws {
    #expect(try count("name = ?", 7) == 0)
    try refuses("name", "name = ?", Data([1]))
    try refuses("city", "city NOT IN (?)", [first.objectID])
  }

  @Test func `nil is taken for every column`() throws {
    #expect(try count("tutor IS ?", nil) == 2)
    #expect(try count("objectID = ?", nil) == 0)
    #expect(try count("tutor IN (?)", [UUID?.none, school.tutors[0].objectID]) == 9)
  }

  @Test func `named arguments are looked at wherever they stand`() throws {
    try school.store.read { (_) throws in
      #expect(try Pupil.where(":id = objectID", ["id": first.objectID]).count() == 1)
      expectError(.unequalArgument, entity: "Pupil", property: "age") {
        _ = try Pupil.where(
          TestPlace.isOnServer ? "age > 3 AND age = :it" : "name = :it OR age = :it",
          ["it": "x"]
        ).count()
      }
      expectError(.unequalArgument, entity: "Pupil", property: "age") {
        _ = try Pupil.where("age IN (:ages)", ["ages": ["x", "y"]]).fetchAll()
      }
      #expect(try Pupil.count(where: "age = ?2 AND name = ?1", "p03", 3) == 1)
    }
  }

  @Test(.sqliteOnly("a server refuses to compare a number with a text, whatever the expression is"))
  func `a condition that is no plain comparison is never refused`() throws {
    let text = first.objectID.uuidString
    let plain: [(String, any QueryArgument)] = [
      ("age + 1 = ?", "x"), ("1 + age = ?", "x"), ("age = ? || ''", "x"), ("-age = ?", "x"),
      ("abs(age) = ?", "x"), ("coalesce(age, ?) = 1", "x"), ("age COLLATE NOCASE = ?", "x"),
      ("age = ? COLLATE NOCASE", "x"), ("age || '' = ?", "x"), ("age LIKE ?", "x%"),
      ("age = 1 = ?", "x"), ("1 = age = ?", "x"), ("CASE age WHEN ? THEN 1 END", "x"),
      ("CASE WHEN age = ? THEN 1 ELSE 0 END", "x"), ("hex(objectID) = ?", text),
      ("age BETWEEN 1 AND name = ?", "x"), ("age IS NOT name = ?", "x"),
      ("EXISTS (SELECT 1 FROM Tutor AS age WHERE age.name = 'x' AND age.name = ?)", "x"),
      ("tutor IN (SELECT objectID FROM Tutor WHERE 1 AND name = ?)", "Ada"),
      ("(SELECT 'x' AS age WHERE 1 AND age = ?) IS NULL", "x"), ("(age) = (?)", "x"),
      ("(age, name) = (?, 'x')", "x"), ("age = 1 -- AND age = ?\n AND name = ?", "x"),
      ("name = 'age = ? ' AND name = ?", "x"), ("age IS NOT DISTINCT FROM ?", "x"),
      ("age NOT IN (?, age)", 1), ("age = CAST(? AS INTEGER)", "x"),
    ]
    for (condition, argument) in plain {
      #expect(throws: Never.self, "\(condition)") { _ = try count(condition, argument) }
    }
  }

  @Test func `every call with a condition checks its arguments before anything is changed`() throws
  {
    let store = school.store
    try store.write { (_) throws in
      let calls: [() throws -> Void] = [
        { _ = try Pupil.fetchOne(where: "age = ?", "x") },
        { _ = try Pupil.fetchAll(where: "age = ?", "x", orderBy: "age", size: 3) },
        { _ = try Pupil.where("age = ?", "x").page(0, size: 2) },
        { _ = try Pupil.where("age = ?", "x").sum(\.age) },
        { _ = try Pupil.where("age = ?", "x").exists() },
        { _ = try Pupil.where("age = ?", "x").values(\.name) },
        { _ = try Pupil.deleteAll(where: "age <> ?", "x") },
        { _ = try Pupil.where("age <> ?", "x").updateAll(.set(\.name, to: "changed")) },
        { _ = try Pupil.where("age <> ?", "x").deleteAll(cascade: true) },
      ]
      for (index, call) in calls.enumerated() {
        expectError(.unequalArgument, entity: "Pupil", property: "age") { try call() }
        // The second time the text is known already.
        let again = thrown(.unequalArgument, property: "age", call)
        #expect(again != nil, "\(index)")
      }
      #expect(try Pupil.count() == 20)
      #expect(try Pupil.count(where: "name = ?", "changed") == 0)
    }
    try store.read { (_) throws in
      expectError(.unequalArgument, property: "age") {
        _ = try Pupil.cursor(where: "age = ?", "x").next()
      }
    }
  }

  @Test func `one condition takes fitting arguments and refuses the others`() throws {
    #expect(try count("age = ?", 3) == 1)
    try refuses("age", "age = ?", "x")
    #expect(try count("age = ?", "3") == 1)
  }

  @Test func `a to-many link's elements are asked for by the same rule`() throws {
    let test = try TestStore()
    let (car, person) = (Car.create(), Person.create())
    person.code = "p"
    car.drivers.add(person)
    try test.store.save([car])
    try test.store.read { (_) throws in
      #expect(try car.drivers.fetchAll(where: "code = ?", "p").count == 1)
      expectError(.unequalArgument, entity: "Person", property: "code") {
        _ = try car.drivers.fetchAll(where: "code = ?", Data([1]))
      }
      expectError(.unequalArgument, entity: "Person", property: "objectID") {
        _ = try car.drivers.fetchAll(where: "objectID = :id", ["id": "p"])
      }
    }
  }

  @Test func `records are asked by the same rule`() throws {
    let scene = try RecordScene()
    try scene.fill()
    let students = scene.students
    #expect(try students.where("ID = ?", "3").count() == 1)
    let calls: [() throws -> Void] = [
      { _ = try students.where("age = ?", "x").fetchOne() },
      { _ = try students.where("\"Student\".age IN (?)", ["x"]).fetchAll() },
      { _ = try students.where("age = :age", ["age": "x"]).fetchAll() },
      { _ = try students.where("age = ?", "x").count() },
      { _ = try students.where("age = ?", "x").sum(\.score) },
      { _ = try students.where("age = ?", "x").cursor().next() },
      { _ = try students.where("age <> ?", "x").updateAll(.set(\.name, to: "y")) },
      { _ = try students.where("age <> ?", "x").deleteAll() },
    ]
    for call in calls {
      expectError(.unequalArgument, entity: "Student", property: "age") { try call() }
    }
    #expect(try students.count() == 10)
    let tickets = Table<Ticket>().in(scene.store)
    let ticket = Ticket()
    _ = try tickets.insert(contentsOf: [ticket])
    #expect(try tickets.where("code = ?", ticket.code).count() == 1)
    expectError(.unequalArgument, entity: "Ticket", property: "code") {
      _ = try tickets.where("code = ?", ticket.code.uuidString).count()
    }
  }

  @Test(
    .sqliteOnly("a server takes quoted names by their letters, and no others as SQLite spells them")
  )
  func `an objectID is known by all names that SQLite takes for its column`() throws {
    let text = first.objectID.uuidString
    try refuses("objectID", "\"objectid\" IN (?)", [text])
    try refuses("objectID", "? = Pupil.objectID", text)
    try refuses("tutor", "age > 3 AND (tutor IS NOT ? OR name = ?)", text, "x")
    try refuses("tutor", "`Pupil`.[tutor] IN (?, ?)", school.tutors[0].objectID, 7)
  }

  @Test(
    .sqliteOnly(
      "a server refuses a fraction beside an integer, a word beside a number, and a column of any type"
    )
  )
  func `a value of another type is found by nothing`() throws {
    #expect(try count("age = ?", 17.5) == 0)
    try refuses("fee", "fee = ?", "x")
    let scene = try RecordScene()
    let samplers = Table<Sampler>().in(scene.store)
    #expect(try samplers.where("anything = ?", "x").count() == 0)
  }
}

extension Pupil {
  fileprivate static func query(
    _ condition: String,
    _ arguments: [(any QueryArgument)?]
  ) throws -> Int {
    switch arguments.count {
    case 0: try count(where: condition)
    case 1: try count(where: condition, arguments[0])
    default: try count(where: condition, arguments[0], arguments[1])
    }
  }
}
