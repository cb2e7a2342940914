import Foundation
import Nacre
import Testing
@testable import TestSupport

/// The store of format 1 in Tests/Golden, read by today's Nacre.
@Suite(.sqliteOnly("the golden store is a file")) struct GoldenTests {
  private static let isMaking = ProcessInfo.processInfo.environment["NACRE_MAKE_GOLDEN"] == "1"

  private let golden = GoldenStore("format-1")

  @Test(.enabled(if: isMaking, "NACRE_MAKE_GOLDEN=1 makes the store, once"))
  func `the store of format 1 is made`() throws { try golden.make(GoldenStore.storeCars) }

  private func car(_ number: UInt8, in test: TestStore) throws -> Golden.Car {
    try #require(try test.store.read { _ in try Golden.Car.fetch(id: Golden.identifier(number)) })
  }

  // MARK: - Content

  @Test(.disabled(if: isMaking)) func `every plain value is what was stored`() throws {
    let test = try golden.openCopy()
    let car = try car(1, in: test)
    #expect(car.name == "Käfer 🪲" && car.note == "it's \"old\"\u{0}!")
    #expect(car.isSold && car.doors == -2 && car.lowest == -128)
    #expect(car.highest == 9_223_372_036_854_775_807)
    #expect(car.mass == 0.30000000000000004 && car.ratio == 0.1)
    #expect(car.price.description == "12345678901234567890123456789012345.678")
    #expect(car.built == Date(timeIntervalSince1970: 1_732_183_456.125))
    #expect(car.token.uuidString == "FFFEFD04-0506-0708-090A-0B0C0D0E0F10")
    #expect(car.site?.absoluteString == "https://example.org/beetle?year=1963#top")
    #expect(car.photo == Data(0...255))
    #expect(car.fuel == .diesel && car.gear == .second && car.position == Position(x: 1.5, y: -2))
    #expect(car.tags == ["old", "", "a/b"] && car.rank == 7)
  }

  @Test(.disabled(if: isMaking)) func `every sealed value is what was stored`() throws {
    let test = try golden.openCopy()
    let car = try car(1, in: test)
    #expect(car.vin == "VIN-1 ключ" && car.alias == "")
    #expect(car.pin == -9_223_372_036_854_775_808 && car.isStolen)
    #expect(car.toll == -.leastNonzeroMagnitude && car.key == Data([0, 255]))
    #expect(car.sold == Date(timeIntervalSince1970: -0.5))
    #expect(car.loan?.description == "-0.01" && car.lot == Position(x: 0.25, y: 1e22))
    #expect(car.plan == .diesel && car.engine?.serial == "ENGINE-1")
    let emails = try test.store.read { _ in
      try Golden.Person.fetchValues(\.email, orderBy: "full_name")
    }
    #expect(emails == ["ada@example.org", nil])
  }

  @Test(.disabled(if: isMaking)) func `every relationship is what was stored`() throws {
    let test = try golden.openCopy()
    let car = try car(1, in: test)
    func identifiers(_ numbers: UInt8...) -> [UUID] { numbers.map(Golden.identifier) }
    #expect(car.engine?.objectID == Golden.identifier(2) && car.engine?.cylinders == 4)
    #expect(car.wheels.map(\.objectID) == identifiers(5, 3, 4))
    #expect(car.wheels.map(\.size) == [15, 13, 14])
    #expect(car.owner?.objectID == Golden.identifier(6))
    #expect(try car.owner?.get().name == "Person 6")
    #expect(try car.drivers.fetchAll().map(\.objectID) == identifiers(6, 7))
    #expect(car.seats.map(\.objectID) == identifiers(8, 9) && car.seats.map(\.row) == [8, 9])
    #expect(car.seats.allSatisfy { $0.car?.objectID == car.objectID })
    let trips = try car.trips.fetchAll()
    #expect(trips.map(\.objectID) == identifiers(10) && trips.map(\.length) == [1.25])
    #expect(!car.hasChanges)
  }

  @Test(.disabled(if: isMaking)) func `a car without values has the defaults it was made with`()
    throws
  {
    let test = try golden.openCopy()
    let car = try car(11, in: test)
    #expect(car.name == "" && car.note == nil && !car.isSold && car.mass == 0 && car.price == 0)
    #expect(car.site == nil && car.photo == Data() && car.gear == nil && car.tags == [])
    #expect(car.vin == "" && car.alias == nil && car.pin == 0 && car.key == Data())
    #expect(car.sold == nil && car.loan == nil && car.lot == nil && car.plan == nil)
    #expect(car.engine == nil && car.wheels.isEmpty && car.owner == nil && car.seats.isEmpty)
    #expect(try car.drivers.count() == 0 && car.trips.count() == 0)
  }

  @Test(.disabled(if: isMaking)) func `the golden store holds nothing else`() throws {
    let test = try golden.openCopy()
    let counts = try test.store.read { _ in
      try [
        Golden.Car.count(), Golden.Engine.count(), Golden.Wheel.count(), Golden.Person.count(),
        Golden.Seat.count(), Golden.Trip.count(),
      ]
    }
    #expect(counts == [2, 1, 3, 2, 2, 1])
    let format = try test.store.read {
      try $0.query("SELECT value FROM nacre_store WHERE name = 'format'")
    }
    #expect(format == [[1]])
  }

  // MARK: - Use

  @Test(.disabled(if: isMaking))
  func `today's classes take the golden tables as they are, and tell the catalog what may be nil`()
    throws
  {
    let test = try golden.openCopy()
    let schema = { try test.store.read { try $0.query("SELECT * FROM sqlite_schema") } }
    let catalog = {
      try test.store.read {
        try $0.query(
          """
          SELECT entity, name, "column", type, sealed, kind, target, "join", inverse \
          FROM nacre_property
          """
        )
      }
    }
    let before = (try schema(), try catalog())
    let writes = try test.writes {
      try test.store.write { _ in _ = try Golden.Car.fetchAll() }
    }
    #expect(
      writes.allSatisfy { $0.contains("nacre_property") || $0.contains("\"nacre_store\"") }
    )
    // But for the places of children that are found by their own link, which it is older than.
    try test.store.write { try $0.execute("ALTER TABLE Seat DROP COLUMN car__position") }
    #expect(try schema() == before.0)
    #expect(try catalog() == before.1)
    try test.store.write { _ in _ = try Golden.Car.fetchAll() }
    let again = try test.writes { try test.store.write { _ in _ = try Golden.Car.fetchAll() } }
    #expect(again == [])
  }

  @Test(.disabled(if: isMaking)) func `the golden store's objects can be changed`() throws {
    let test = try golden.openCopy()
    let car = try car(1, in: test)
    car.vin = "VIN-2"
    car.wheels.removeFirst()
    car.drivers.remove(objectID: Golden.identifier(6))
    try car.save()
    try test.store.close()
    let again = try TestStore(in: test.directory)
    let found = try self.car(1, in: again)
    #expect(found.vin == "VIN-2" && found.pin == .min)
    #expect(found.wheels.map(\.size) == [13, 14])
    #expect(try found.drivers.count() == 1)
    try found.delete(cascade: true)
    let left = try again.store.read { _ in
      try (Golden.Car.count(), Golden.Engine.count(), Golden.Seat.count(), Golden.Wheel.count())
    }
    #expect(left == (1, 0, 0, 1))
  }
}
