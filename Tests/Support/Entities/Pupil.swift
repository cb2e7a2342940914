import Foundation
import NacreCore

/// What queries are asked of: a number of each kind, a date, a decimal, sealed properties, a link.
final class Pupil: Entity {
  var name = "" { didSet { entityState.markChanged(0) } }
  var age = 0 { didSet { entityState.markChanged(1) } }
  var level: Int8 = 0 { didSet { entityState.markChanged(2) } }
  var score: Double? { didSet { entityState.markChanged(3) } }
  var city: String? { didSet { entityState.markChanged(4) } }
  var joined = Date(timeIntervalSince1970: 0) { didSet { entityState.markChanged(5) } }
  var fee = Decimal(0) { didSet { entityState.markChanged(6) } }
  var secret = "" { didSet { entityState.markChanged(7) } }
  var pass: String? { didSet { entityState.markChanged(8) } }
  var tutor: Link<Tutor>? { didSet { entityState.markChanged(9) } }
  var bonus: Int? { didSet { entityState.markChanged(10) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    age = try row.read(at: 1)
    level = try row.read(at: 2)
    score = try row.read(at: 3)
    city = try row.read(at: 4)
    joined = try row.read(at: 5)
    fee = try row.read(at: 6)
    secret = try row.open(at: 7)
    pass = try row.open(at: 8)
    tutor = try row.read(at: 9)
    bonus = try row.read(at: 10)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(age, at: 1)
    try row.bind(level, at: 2)
    try row.bind(score, at: 3)
    try row.bind(city, at: 4)
    try row.bind(joined, at: 5)
    try row.bind(fee, at: 6)
    try row.seal(secret, at: 7)
    try row.seal(pass, at: 8)
    try row.bind(tutor, at: 9)
    try row.bind(bonus, at: 10)
  }

  func visitChildren(_ walk: GraphWalk) { walk.visit(tutor, at: 9) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Pupil.self, name: "Pupil")
    schema.add("name", \Pupil.name)
    schema.add("age", \Pupil.age)
    schema.add("level", \Pupil.level)
    schema.add("score", \Pupil.score)
    schema.add("city", \Pupil.city)
    schema.add("joined", \Pupil.joined)
    schema.add("fee", \Pupil.fee)
    schema.add("secret", \Pupil.secret, sealed: SealedOptions())
    schema.add("pass", \Pupil.pass, sealed: SealedOptions(isSearchable: true))
    schema.add("tutor", \Pupil.tutor)
    schema.add("bonus", \Pupil.bonus)
    return schema.build()
  }()
}

/// Who a pupil links to.
final class Tutor: Entity {
  var name = "" { didSet { entityState.markChanged(0) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws { try row.bind(name, at: 0) }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Tutor.self, name: "Tutor")
    schema.add("name", \Tutor.name)
    return schema.build()
  }()
}

/// Twenty pupils: p00 to p19 of the ages 0 to 19, five cities in turn, every fourth without a score.
struct School {
  let test: TestStore
  let pupils: [Pupil]
  let tutors: [Tutor]

  var store: Store { test.store }

  static let cities = ["Ulm", "Bonn", "Köln", "Jena", "Gera"]

  static func day(_ number: Int) -> Date { Date(timeIntervalSince1970: 86_400 * Double(number)) }

  init() throws {
    test = try TestStore()
    tutors = ["Ada", "Bea"].map { name in
      let tutor = Tutor.create()
      tutor.name = name
      return tutor
    }
    let tutors = tutors
    pupils = (0..<20).map { number in
      let pupil = Pupil.create()
      pupil.name = "p\(number < 10 ? "0" : "")\(number)"
      pupil.age = number
      pupil.level = Int8(number)
      pupil.score = number.isMultiple(of: 4) ? nil : Double(number) / 2
      pupil.city = Self.cities[number % 5]
      pupil.joined = Self.day(number)
      pupil.fee = Decimal(number) + Decimal(sign: .plus, exponent: -2, significand: 10)
      pupil.secret = "secret \(number)"
      pupil.pass = number.isMultiple(of: 2) ? "pass \(number)" : nil
      pupil.tutor = number < 18 ? Link(tutors[number % 2]) : nil
      pupil.bonus = number < 3 ? number : nil
      return pupil
    }
    try test.store.save(pupils)
  }

  /// The ages of the pupils that a query finds, in order.
  func ages(_ query: Query<Pupil>) throws -> [Int] {
    try query.in(store).ordered(by: "age").fetchAll().map(\.age)
  }
}
