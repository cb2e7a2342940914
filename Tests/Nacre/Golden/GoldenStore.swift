import Foundation
import Nacre
import TestSupport

/// A store that an earlier version has made, as it lies in the repository.
struct GoldenStore {
  private let files: GoldenFiles

  /// - Parameter name: the name of the store's directory in Tests/Golden.
  init(_ name: String) { files = GoldenFiles(name) }

  /// Opens a copy, for the store in the repository stays as it is.
  func openCopy() throws -> TestStore {
    let directory = try TemporaryDirectory()
    try files.copy(to: directory.path)
    return try TestStore(in: directory)
  }

  // MARK: - Making it

  /// Why a store was not made.
  enum Refusal: Error {
    /// There is one already: what is golden is made once.
    case exists
    /// The store left a log behind.
    case notCheckpointed
  }

  /// Makes the store in the repository with today's Nacre.
  ///
  /// - Parameter fill: stores what shall be in it.
  /// - Throws: `Refusal`, or what storing throws.
  func make(_ fill: (Store) throws -> Void) throws {
    let target = files.directory.appending(path: "store.db")
    guard !FileManager.default.fileExists(atPath: target.path) else { throw Refusal.exists }
    let test = try TestStore()
    try fill(test.store)
    try test.store.close()
    guard !FileManager.default.fileExists(atPath: test.directory.file("store.db-wal")) else {
      throw Refusal.notCheckpointed
    }
    try files.keep(test.directory.path)
  }

  /// Stores two cars and what belongs to them.
  static func storeCars(in store: Store) throws {
    try store.write { _ in for car in [beetle(), bare()] { try car.save() } }
  }

  /// A car with a value in every property.
  private static func beetle() -> Golden.Car {
    let car = Golden.Car.create(objectID: Golden.identifier(1))
    car.name = "Käfer 🪲"
    car.note = "it's \"old\"\u{0}!"
    car.isSold = true
    car.doors = -2
    car.lowest = .min
    car.highest = UInt64(Int64.max)
    car.mass = 0.1 + 0.2
    car.ratio = 0.1
    car.price = Decimal(string: "12345678901234567890123456789012345.678") ?? 0
    car.built = Date(timeIntervalSince1970: 1_732_183_456.125)
    car.token = UUID(uuid: (255, 254, 253, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    car.site = URL(string: "https://example.org/beetle?year=1963#top")
    car.photo = Data(0...255)
    car.fuel = .diesel
    car.gear = .second
    car.position = Position(x: 1.5, y: -2)
    car.tags = ["old", "", "a/b"]
    car.rank = 7
    car.vin = "VIN-1 ключ"
    car.alias = ""
    car.pin = .min
    car.isStolen = true
    car.toll = -.leastNonzeroMagnitude
    car.key = Data([0, 255])
    car.sold = Date(timeIntervalSince1970: -0.5)
    car.loan = Decimal(string: "-0.01")
    car.lot = Position(x: 0.25, y: 1e22)
    car.plan = .diesel
    addRelatives(to: car)
    return car
  }

  private static func addRelatives(to car: Golden.Car) {
    let engine = Golden.Engine.create(objectID: Golden.identifier(2))
    engine.cylinders = 4
    engine.serial = "ENGINE-1"
    car.engine = engine
    // The order of the wheels is not that of their objectIDs.
    car.wheels = [5, 3, 4].map { (number: UInt8) in
      let wheel = Golden.Wheel.create(objectID: Golden.identifier(number))
      wheel.size = Int(number) + 10
      return wheel
    }
    let people = [6, 7].map { (number: UInt8) in
      let person = Golden.Person.create(objectID: Golden.identifier(number))
      person.name = "Person \(number)"
      person.email = number == 6 ? "ada@example.org" : nil
      return person
    }
    car.owner = Link(people[0])
    for person in people { car.drivers.add(person) }
    car.seats = [8, 9].map { (number: UInt8) in
      let seat = Golden.Seat.create(objectID: Golden.identifier(number))
      seat.row = Int(number)
      return seat
    }
    let trip = Golden.Trip.create(objectID: Golden.identifier(10))
    trip.length = 1.25
    car.trips.add(trip)
  }

  /// A car as `create()` makes it.
  private static func bare() -> Golden.Car { Golden.Car.create(objectID: Golden.identifier(11)) }
}
