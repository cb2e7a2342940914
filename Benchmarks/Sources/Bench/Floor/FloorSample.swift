/// Five columns and an identifier.
final class FloorSample: FloorSampleRow {
  static let table = "Sample"
  static let columns = ["name", "color", "power", "weight", "year"]
  static let updated = "power"

  let objectID: Identifier
  var name: String
  var color: String?
  var power: Int
  var weight: Double
  var year: Int

  init(_ values: SampleValues) {
    objectID = values.objectID
    name = values.name
    color = values.color
    power = values.power
    weight = values.weight
    year = values.year
  }

  init(_ row: FloorStatement, _ cipher: FloorCipher) throws {
    objectID = try row.identifier(at: 0)
    name = row.string(at: 1)
    color = row.optionalString(at: 2)
    power = row.int(at: 3)
    weight = row.double(at: 4)
    year = row.int(at: 5)
  }

  func bind(to statement: FloorStatement, _ cipher: FloorCipher) throws {
    statement.bind(objectID, at: 1)
    statement.bind(name, at: 2)
    statement.bind(color, at: 3)
    statement.bind(power, at: 4)
    statement.bind(weight, at: 5)
    statement.bind(year, at: 6)
  }

  func change(vin next: String) { power += 1 }

  func bindChange(to statement: FloorStatement, _ cipher: FloorCipher) throws {
    statement.bind(power, at: 1)
    statement.bind(objectID, at: 2)
  }

  func add(to checksum: inout Checksum) {
    checksum.add(power: power, color: color, name: name, vin: nil, plate: nil)
  }
}
