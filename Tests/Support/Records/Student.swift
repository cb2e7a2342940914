import Foundation
import NacreCore
import NacreRecords

/// A record with the key that the database makes.
struct Student: Record, Equatable {
  var id: Int64?
  var name = ""
  var age: Int?
  var score = 0.0
  var photo: Data?

  init() {}

  init(_ name: String, age: Int? = nil) {
    self.name = name
    self.age = age
  }

  static let columns: [RecordColumn<Student>] = [
    .key(\.id, "ID"), .column(\.name, unique: true), .column(\.age), .column(\.score),
    .column(\.photo),
  ]
}

/// Everything that a column can say.
struct Sampler: Record, Equatable {
  enum Colour: String { case red, green }
  enum Size: Int, Codable { case small = 1, large }
  struct Point: Codable, Equatable {
    var x = 0
    var y = 0
  }

  var id: Int?
  var colour = Colour.red
  var other: Colour?
  var size = Size.small
  var bigger: Size?
  var point = Point()
  var tags: [String]?
  var level: Int? = nil
  var ratio: Double?
  var text = "none"
  var when: Date?
  var link: URL?
  var isOn = false
  var big: Int64 = 0
  var anything = Value.null

  init() {}

  static let columns: [RecordColumn<Sampler>] = [
    .key(\.id), .column(\.colour), .column(\.other, default: .green), .column(\.size),
    .column(\.bigger), .column(\.point), .column(\.tags), .column(\.level, default: 1),
    .column(\.ratio, default: 1), .column(\.text), .column(\.when), .column(\.link),
    .column(\.isOn), .column(\.big), .column(\.anything),
  ]
}

/// An object that the application owns, with a rule of its own.
final class Course: Record {
  struct Refusal: Error, Equatable { var change: RecordChange }

  var code = ""
  var title: String?
  var seats = 10

  init() {}

  convenience init(_ code: String, seats: Int = 10) {
    self.init()
    self.code = code
    self.seats = seats
  }

  static var tableName: String { "courses" }
  static let columns: [RecordColumn<Course>] = [
    .key(\.code), .column(\.title, "full title"), .column(\.seats),
  ]

  func validate(for change: RecordChange) throws {
    if seats < 0 { throw Refusal(change: change) }
  }
}

/// A record whose key is two columns.
struct Mark: Record, Equatable {
  var student: Int64 = 0
  var course = ""
  var points: Int?

  init() {}

  init(_ student: Int64, _ course: String, _ points: Int? = nil) {
    (self.student, self.course, self.points) = (student, course, points)
  }

  static let columns: [RecordColumn<Mark>] = [.key(\.student), .key(\.course), .column(\.points)]
  static let indexes: [RecordIndex<Mark>] = [
    RecordIndex("byCourse", on: \.course, \.points),
    RecordIndex("byPoints", on: \.points, \.course, unique: true),
  ]
}

/// A record with sealed columns.
struct Patient: Record, Equatable {
  var id: Int64?
  var ward = ""
  var note: String?
  var number: String?
  var weight = 0.0

  init() {}

  init(_ ward: String, note: String? = nil, number: String? = nil, weight: Double = 0) {
    (self.ward, self.note, self.number, self.weight) = (ward, note, number, weight)
  }

  static let columns: [RecordColumn<Patient>] = [
    .key(\.id), .column(\.ward), .column(\.note, sealed: SealedOptions()),
    .column(\.number, sealed: SealedOptions(isUnique: true)),
    .column(\.weight, sealed: SealedOptions()),
  ]
}

/// A record with amounts.
struct Budget: Record, Equatable {
  var id: Int64?
  var balance = Decimal(0)
  var bonus: Decimal?
  var points: Int64 = 0

  init() {}

  static let columns: [RecordColumn<Budget>] = [
    .key(\.id), .column(\.balance), .column(\.bonus), .column(\.points),
  ]
}

/// The same with a sealed one.
struct SecretBudget: Record, Equatable {
  var id: Int64?
  var balance = Decimal(0)
  var secret = Decimal(0)

  init() {}

  static let columns: [RecordColumn<SecretBudget>] = [
    .key(\.id), .column(\.balance), .column(\.secret, sealed: SealedOptions()),
  ]
}

/// A record whose key is a UUID.
struct Ticket: Record, Equatable {
  var code = UUID()
  var seat: String?

  init() {}

  static let columns: [RecordColumn<Ticket>] = [.key(\.code), .column(\.seat)]
}

/// A store with tables of records.
struct RecordScene {
  let scene: Scene
  let store: Store
  var students: Table<Student> { Table<Student>().in(store) }
  var courses: Table<Course> { Table<Course>().in(store) }
  var marks: Table<Mark> { Table<Mark>().in(store) }
  var patients: Table<Patient> { Table<Patient>().in(store) }

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  /// Stores so many students, of ages 0 to 4 in turn.
  @discardableResult
  func fill(_ count: Int = 10) throws -> [Student] {
    var list = (0..<count).map { Student("S\($0)", age: $0 % 5) }
    try students.insert(contentsOf: &list)
    return list
  }
}
