import Foundation
import NacreCore

/// A parent with plain values of every kind, children and links.
final class Vehicle: Entity {
  enum Kind: String, Codable, CaseIterable { case car, van, bus }
  enum Fuel: Int, Codable, CaseIterable { case petrol, diesel, none }

  var name: String = "" { didSet { entityState.markChanged(0) } }
  var label: String? { didSet { entityState.markChanged(1) } }
  var power: Int = 0 { didSet { entityState.markChanged(2) } }
  var seats: Int? { didSet { entityState.markChanged(3) } }
  var small: Int8 = 0 { didSet { entityState.markChanged(4) } }
  var weight: Double = 0 { didSet { entityState.markChanged(5) } }
  var load: Double? { didSet { entityState.markChanged(6) } }
  var isNew: Bool = false { didSet { entityState.markChanged(7) } }
  var isSold: Bool? { didSet { entityState.markChanged(8) } }
  var kind: Kind = .car { didSet { entityState.markChanged(9) } }
  var fuel: Fuel? { didSet { entityState.markChanged(10) } }
  var built: Date = Date(timeIntervalSince1970: 0) { didSet { entityState.markChanged(11) } }
  var sold: Date? { didSet { entityState.markChanged(12) } }
  var serial: UUID = UUID() { didSet { entityState.markChanged(13) } }
  var price: Decimal = 0 { didSet { entityState.markChanged(14) } }
  var photo: Data = Data() { didSet { entityState.markChanged(15) } }
  var tags: [String] = [] { didSet { entityState.markChanged(16) } }
  var motor: Motor? { didSet { entityState.markChanged(17) } }
  var tyres: [Tyre] = [] { didSet { entityState.markChanged(18) } }
  var trips: [Trip] = [] { didSet { entityState.markChanged(19) } }
  var keeper: Link<Keeper>? { didSet { entityState.markChanged(20) } }
  var drivers: Links<Keeper> = Links<Keeper>() { didSet { entityState.markChanged(21) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    label = try row.read(at: 1)
    power = try row.read(at: 2)
    seats = try row.read(at: 3)
    small = try row.read(at: 4)
    weight = try row.read(at: 5)
    load = try row.read(at: 6)
    isNew = try row.read(at: 7)
    isSold = try row.read(at: 8)
    kind = try row.read(at: 9)
    fuel = try row.read(at: 10)
    built = try row.read(at: 11)
    sold = try row.read(at: 12)
    serial = try row.read(at: 13)
    price = try row.read(at: 14)
    photo = try row.read(at: 15)
    tags = try row.read(at: 16)
    motor = try row.read(at: 17)
    tyres = try row.read(at: 18)
    trips = try row.read(at: 19)
    keeper = try row.read(at: 20)
    drivers = try row.read(at: 21)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(label, at: 1)
    try row.bind(power, at: 2)
    try row.bind(seats, at: 3)
    try row.bind(small, at: 4)
    try row.bind(weight, at: 5)
    try row.bind(load, at: 6)
    try row.bind(isNew, at: 7)
    try row.bind(isSold, at: 8)
    try row.bind(kind, at: 9)
    try row.bind(fuel, at: 10)
    try row.bind(built, at: 11)
    try row.bind(sold, at: 12)
    try row.bind(serial, at: 13)
    try row.bind(price, at: 14)
    try row.bind(photo, at: 15)
    try row.bind(tags, at: 16)
    try row.bind(motor, at: 17)
    try row.bind(tyres, at: 18)
    try row.bind(trips, at: 19)
    try row.bind(keeper, at: 20)
    try row.bind(drivers, at: 21)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(motor, at: 17)
    walk.visit(tyres, at: 18)
    walk.visit(trips, at: 19)
    walk.visit(keeper, at: 20)
    walk.visit(drivers, at: 21)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Vehicle.self, name: "Vehicle")
    schema.add("name", \Vehicle.name)
    schema.add("label", \Vehicle.label)
    schema.add("power", \Vehicle.power)
    schema.add("seats", \Vehicle.seats)
    schema.add("small", \Vehicle.small)
    schema.add("weight", \Vehicle.weight)
    schema.add("load", \Vehicle.load)
    schema.add("isNew", \Vehicle.isNew)
    schema.add("isSold", \Vehicle.isSold)
    schema.add("kind", \Vehicle.kind)
    schema.add("fuel", \Vehicle.fuel)
    schema.add("built", \Vehicle.built)
    schema.add("sold", \Vehicle.sold)
    schema.add("serial", \Vehicle.serial)
    schema.add("price", \Vehicle.price)
    schema.add("photo", \Vehicle.photo)
    schema.add("tags", \Vehicle.tags)
    schema.add("motor", \Vehicle.motor)
    schema.add("tyres", \Vehicle.tyres)
    schema.add("trips", \Vehicle.trips, inverse: \Trip.vehicle)
    schema.add("keeper", \Vehicle.keeper)
    schema.add("drivers", \Vehicle.drivers)
    return schema.build()
  }()
}
