/// Five plain columns, an engine and wheels.
final class FloorCar: FloorCarRow {
  static let table = "Car"
  static let columns = ["name", "color", "power", "weight", "year", "engine"]

  let objectID: Identifier
  var name: String
  var color: String?
  var power: Int
  var weight: Double
  var year: Int
  let engineID: Identifier?
  var engine: FloorEngine?
  var wheels: [FloorWheel] = []

  init(_ values: GraphValues) {
    objectID = values.car.objectID
    name = values.car.name
    color = values.car.color
    power = values.car.power
    weight = values.car.weight
    year = values.car.year
    engineID = values.engine.objectID
    engine = FloorEngine(values.engine)
    wheels = values.wheels.map { FloorWheel($0) }
  }

  init(_ row: FloorStatement, _ cipher: FloorCipher) throws {
    objectID = try row.identifier(at: 0)
    name = row.string(at: 1)
    color = row.optionalString(at: 2)
    power = row.int(at: 3)
    weight = row.double(at: 4)
    year = row.int(at: 5)
    engineID = try row.optionalIdentifier(at: 6)
  }

  func bind(to statement: FloorStatement, _ cipher: FloorCipher) throws {
    statement.bind(objectID, at: 1)
    statement.bind(name, at: 2)
    statement.bind(color, at: 3)
    statement.bind(power, at: 4)
    statement.bind(weight, at: 5)
    statement.bind(year, at: 6)
    statement.bind(engine?.objectID, at: 7)
  }

  func add(to checksum: inout Checksum) {
    checksum.add(power: power, color: color, name: name, vin: nil, plate: nil)
  }
}

/// Five plain columns, two sealed ones, an engine and wheels.
final class FloorSealedCar: FloorCarRow {
  static let table = "SealedCar"
  static let columns = ["name", "color", "power", "weight", "year", "vin", "plate", "engine"]

  let objectID: Identifier
  var name: String
  var color: String?
  var power: Int
  var weight: Double
  var year: Int
  var vin: String?
  var plate: String?
  let engineID: Identifier?
  var engine: FloorEngine?
  var wheels: [FloorWheel] = []

  init(_ values: GraphValues) {
    objectID = values.car.objectID
    name = values.car.name
    color = values.car.color
    power = values.car.power
    weight = values.car.weight
    year = values.car.year
    vin = values.car.vin
    plate = values.car.plate
    engineID = values.engine.objectID
    engine = FloorEngine(values.engine)
    wheels = values.wheels.map { FloorWheel($0) }
  }

  init(_ row: FloorStatement, _ cipher: FloorCipher) throws {
    objectID = try row.identifier(at: 0)
    name = row.string(at: 1)
    color = row.optionalString(at: 2)
    power = row.int(at: 3)
    weight = row.double(at: 4)
    year = row.int(at: 5)
    vin = try cipher.string(from: row, at: 6, property: 0, of: objectID)
    plate = try cipher.string(from: row, at: 7, property: 1, of: objectID)
    engineID = try row.optionalIdentifier(at: 8)
  }

  func bind(to statement: FloorStatement, _ cipher: FloorCipher) throws {
    statement.bind(objectID, at: 1)
    statement.bind(name, at: 2)
    statement.bind(color, at: 3)
    statement.bind(power, at: 4)
    statement.bind(weight, at: 5)
    statement.bind(year, at: 6)
    try cipher.bind(vin, property: 0, of: objectID, to: statement, at: 7)
    try cipher.bind(plate, property: 1, of: objectID, to: statement, at: 8)
    statement.bind(engine?.objectID, at: 9)
  }

  func add(to checksum: inout Checksum) {
    checksum.add(power: power, color: color, name: name, vin: vin, plate: plate)
  }
}
