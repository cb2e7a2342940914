/// Five plain columns and two sealed ones.
final class FloorSealedSample: FloorSampleRow {
  static let table = "SealedSample"
  static let columns = ["name", "color", "power", "weight", "year", "vin", "plate"]
  static let updated = "vin"

  let objectID: Identifier
  var name: String
  var color: String?
  var power: Int
  var weight: Double
  var year: Int
  var vin: String?
  var plate: String?

  init(_ values: SampleValues) {
    objectID = values.objectID
    name = values.name
    color = values.color
    power = values.power
    weight = values.weight
    year = values.year
    vin = values.vin
    plate = values.plate
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
  }

  func change(vin next: String) { vin = next }

  func bindChange(to statement: FloorStatement, _ cipher: FloorCipher) throws {
    try cipher.bind(vin, property: 0, of: objectID, to: statement, at: 1)
    statement.bind(objectID, at: 2)
  }

  func add(to checksum: inout Checksum) {
    checksum.add(power: power, color: color, name: name, vin: vin, plate: plate)
  }
}
