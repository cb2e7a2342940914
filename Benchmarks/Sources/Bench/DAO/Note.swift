/// A row of the DAO's table, as a struct that an application owns.
struct Note: Codable {
  var name: String
  var color: String?
  var power: Int
  var weight: Double
  var year: Int

  init(_ values: SampleValues) {
    (name, color, power) = (values.name, values.color, values.power)
    (weight, year) = (values.weight, values.year)
  }

  init(_ row: FloorStatement) {
    name = row.string(at: 0)
    color = row.optionalString(at: 1)
    power = row.int(at: 2)
    weight = row.double(at: 3)
    year = row.int(at: 4)
  }

  func bind(to statement: FloorStatement) {
    statement.bind(name, at: 1)
    statement.bind(color, at: 2)
    statement.bind(power, at: 3)
    statement.bind(weight, at: 4)
    statement.bind(year, at: 5)
  }
}
