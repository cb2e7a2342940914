import Foundation
import GRDB

/// A car of a graph, by Codable; its associations are GRDB's way to its children.
struct GRDBCar: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Car"
  // Not `engine`, which is the column's name.
  static let motor = belongsTo(GRDBEngine.self).forKey("motor")
  static let places = hasMany(GRDBPlace.self).order(Column("position"))
  static let wheels = hasMany(GRDBWheel.self, through: places, using: GRDBPlace.wheel)
    .forKey("wheels")

  let objectID: UUID
  var name: String
  var color: String?
  var power: Int
  var weight: Double
  var year: Int
  let engine: UUID?

  init(_ values: GraphValues) {
    objectID = values.car.objectID.uuid
    name = values.car.name
    color = values.car.color
    power = values.car.power
    weight = values.car.weight
    year = values.car.year
    engine = values.engine.objectID.uuid
  }
}

/// A car's engine.
struct GRDBEngine: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Engine"

  let objectID: UUID
  var code: String
  var cylinders: Int

  init(_ values: EngineValues) {
    objectID = values.objectID.uuid
    code = values.code
    cylinders = values.cylinders
  }
}

/// One of a car's wheels.
struct GRDBWheel: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Wheel"

  let objectID: UUID
  var brand: String?
  var size: Int

  init(_ values: WheelValues) {
    objectID = values.objectID.uuid
    brand = values.brand
    size = values.size
  }
}

/// The place of a wheel at its car.
struct GRDBPlace: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Car_wheels"
  static let wheel = belongsTo(GRDBWheel.self)

  let owner: UUID
  let position: Int
  let child: UUID
}

/// A car with its children, as GRDB fetches it whole.
struct GRDBGraph: Decodable, FetchableRecord {
  var car: GRDBCar
  var motor: GRDBEngine?
  var wheels: [GRDBWheel]

  init(_ values: GraphValues) {
    car = GRDBCar(values)
    motor = GRDBEngine(values.engine)
    wheels = values.wheels.map { GRDBWheel($0) }
  }
}
