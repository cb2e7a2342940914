import Foundation
import Nacre

/// The classes of the stores in Tests/Golden.
///
/// What is stored there was stored by them: they never change.
enum Golden {
  /// A value of every storage class, plain and sealed, and every kind of relationship.
  @Entity final class Car {
    var name = ""
    var note: String?
    var isSold = false
    var doors = 0
    var lowest: Int8 = 0
    var highest: UInt64 = 0
    var mass = 0.0
    var ratio: Float = 0
    var price: Decimal = 0
    var built = Date(timeIntervalSince1970: 0)
    var token = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var site: URL?
    var photo = Data()
    var fuel = Fuel.petrol
    var gear: Gear?
    var position = Position()
    var tags: [String] = []
    @Column("order", indexed: true) var rank = 0
    @Encrypted var vin = ""
    @Encrypted var alias: String?
    @Encrypted var pin = 0
    @Encrypted var isStolen = false
    @Encrypted var toll = 0.0
    @Encrypted var key = Data()
    @Encrypted var sold: Date?
    @Encrypted var loan: Decimal?
    @Encrypted var lot: Position?
    @Encrypted var plan: Fuel?
    var engine: Engine?
    var wheels: [Wheel] = []
    var owner: Link<Person>?
    var drivers = Links<Person>()
    @Relationship(inverse: \Seat.car) var seats: [Seat] = []
    @Relationship(inverse: \Trip.car) var trips = Links<Trip>()
  }

  @Entity final class Engine {
    var cylinders = 0
    @Encrypted var serial = ""
  }

  @Entity final class Wheel {
    var size = 0
  }

  @Entity(table: "people", objectID: .v4) final class Person {
    @Column("full_name", unique: true) var name = ""
    @Encrypted var email: String?
  }

  @Entity final class Seat {
    var row = 0
    var car: Link<Car>?
  }

  @Entity final class Trip {
    var length = 0.0
    var car: Link<Car>?
  }

  /// The objectID of object number `number`.
  static func identifier(_ number: UInt8) -> UUID {
    UUID(uuid: (1, 147, 158, 52, 92, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
  }
}
