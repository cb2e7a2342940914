import Foundation
import GRDB

/// A car of a graph, mapped by hand.
struct MappedCar: FetchableRecord, PersistableRecord {
  static let databaseTableName = "Car"

  let objectID: UUID
  var name: String
  var color: String?
  var power: Int
  var weight: Double
  var year: Int
  let engineID: UUID?
  var engine: MappedEngine?
  var wheels: [MappedWheel] = []

  init(_ values: GraphValues) {
    objectID = values.car.objectID.uuid
    name = values.car.name
    color = values.car.color
    power = values.car.power
    weight = values.car.weight
    year = values.car.year
    engineID = values.engine.objectID.uuid
    engine = MappedEngine(values.engine)
    wheels = values.wheels.map { MappedWheel($0) }
  }

  init(row: Row) {
    objectID = row[0]
    name = row[1]
    color = row[2]
    power = row[3]
    weight = row[4]
    year = row[5]
    engineID = row[6]
  }

  func encode(to container: inout PersistenceContainer) {
    container["objectID"] = objectID
    container["name"] = name
    container["color"] = color
    container["power"] = power
    container["weight"] = weight
    container["year"] = year
    container["engine"] = engineID
  }
}

/// A car's engine, mapped by hand.
struct MappedEngine: FetchableRecord, PersistableRecord {
  static let databaseTableName = "Engine"

  let objectID: UUID
  var code: String
  var cylinders: Int

  init(_ values: EngineValues) {
    objectID = values.objectID.uuid
    code = values.code
    cylinders = values.cylinders
  }

  init(row: Row) {
    objectID = row[0]
    code = row[1]
    cylinders = row[2]
  }

  func encode(to container: inout PersistenceContainer) {
    container["objectID"] = objectID
    container["code"] = code
    container["cylinders"] = cylinders
  }
}

/// One of a car's wheels, mapped by hand.
struct MappedWheel: FetchableRecord, PersistableRecord {
  static let databaseTableName = "Wheel"

  let objectID: UUID
  var brand: String?
  var size: Int

  init(_ values: WheelValues) {
    objectID = values.objectID.uuid
    brand = values.brand
    size = values.size
  }

  init(row: Row) {
    objectID = row[0]
    brand = row[1]
    size = row[2]
  }

  func encode(to container: inout PersistenceContainer) {
    container["objectID"] = objectID
    container["brand"] = brand
    container["size"] = size
  }
}

/// The place of a wheel at its car, mapped by hand.
struct MappedPlace: PersistableRecord {
  static let databaseTableName = "Car_wheels"

  let owner: UUID
  let position: Int
  let child: UUID

  func encode(to container: inout PersistenceContainer) {
    container["owner"] = owner
    container["position"] = position
    container["child"] = child
  }
}
