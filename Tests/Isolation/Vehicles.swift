import Foundation
public import Nacre
import NacreDAO

// Declared as in a new application's module, which is the main actor's by default: nothing says who may use them, but
// for the types that a property stores as JSON, whose `Codable` the store uses on any thread.

enum Fuel: String { case petrol, diesel }

nonisolated struct Place: Codable, Equatable {
  var city = ""
}

struct Money: StorableValue, Equatable {
  var cents: Int64 = 0
  static var storageClass: StorageClass { .integer }
  var storedValue: Value { .integer(cents) }
  init(cents: Int64 = 0) { self.cents = cents }
  init(storedValue: Value) throws { cents = try Int64(storedValue: storedValue) }
}

@Entity(table: "vans", version: 2) final class Van {
  var name = ""
  @Encrypted var vin: String?
  @Encrypted(searchable: true) var plate: String?
  @Column(indexed: true, dates: .integer) var made: Date?
  var power = 3 { didSet { changes += 1 } }
  var fuel = Fuel.petrol
  var place = Place()
  var price = Money()
  var horn: Horn?
  @Relationship(removed: .delete) var seats: [Seat] = []
  var driver: Link<Driver>?
  var guests = Links<Driver>()
  @Transient var changes = 0
  static let wheels = 4
  var title: String { "\(name), \(power) PS" }
  func tune() { power += 1 }

  static func migrate(from old: Int, to new: Int) throws -> [SQLStatement] { [] }

  @Entity final class Seat { var row = 0 }
}

@Entity final class Horn { var tone = 440 }

/// One that other modules may use.
@Entity public final class Driver {
  /// What is on the licence.
  public var name = ""

  /// Makes one without a name.
  public init() {}

  init(name: String) { self.name = name }
}

/// One that says itself what the others are.
@Entity nonisolated final class Trailer { var load = 0 }

struct Student: Record {
  var id: Int64?
  var name = ""
  init() {}
  init(name: String) { self.name = name }

  static let columns: [RecordColumn<Student>] = [.key(\.id, "ID"), .column(\.name)]
}

@DAO protocol VanDAO: DAOProtocol {
  func add(_ vans: [Trailer]) -> DAOResult
  func all() throws -> [Trailer]
  func all() async throws -> sending [Trailer]
  func count() throws -> Int
}

/// One whose methods any thread may call.
@DAO nonisolated protocol TrailerDAO: DAOProtocol {
  func count() throws -> Int
}

/// A class of the main actor that holds an object.
final class Dealer {
  let store: Store
  let van = Van()
  var sales = 0

  init(_ store: Store) {
    self.store = store
    van.name = "Bus"
    van.use(store)
  }

  func sell(to name: String) async throws {
    try await store.write { _ in
      van.driver = Link(Driver(name: name))
      van.power = 4
      try van.save()
      sales += 1
    }
  }
}

/// An actor that holds an object.
actor Yard {
  private let store: Store
  private let trailer = Trailer()

  init(_ store: Store) { self.store = store }

  func park() async throws -> Int {
    try await store.write { _ in
      trailer.load = 7
      try trailer.save()
      return trailer.load
    }
  }
}
