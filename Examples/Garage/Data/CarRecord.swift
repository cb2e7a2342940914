import Foundation
import Nacre

/// One record of `cars.json`, as the data set has it.
struct CarRecord: Decodable {
  let name: String
  let milesPerGallon: Double?
  let cylinders: Int
  let displacement: Double
  let horsepower: Int?
  let weight: Int
  let acceleration: Double
  let firstOfYear: String
  let origin: Origin

  enum CodingKeys: String, CodingKey {
    case name = "Name"
    case milesPerGallon = "Miles_per_Gallon"
    case cylinders = "Cylinders"
    case displacement = "Displacement"
    case horsepower = "Horsepower"
    case weight = "Weight_in_lbs"
    case acceleration = "Acceleration"
    case firstOfYear = "Year"
    case origin = "Origin"
  }

  /// The model year; the data set has it as January 1.
  var year: Int { Int(firstOfYear.prefix(4)) ?? 0 }

  /// The first word of the name, by which the data set tells the manufacturers apart.
  var spelling: String { String(name.prefix { $0 != " " }) }

  /// The 406 records that come with the example.
  static func readAll() throws -> [CarRecord] {
    guard let url = Bundle.module.url(forResource: "cars", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try JSONDecoder().decode([CarRecord].self, from: Data(contentsOf: url))
  }

  /// A car that is not stored yet.
  func makeCar() -> Car {
    let engine = Engine.create()
    engine.cylinders = cylinders
    engine.displacement = displacement
    engine.horsepower = horsepower
    let car = Car.create()
    car.name = name
    car.year = year
    car.origin = origin
    car.milesPerGallon = milesPerGallon
    car.acceleration = acceleration
    car.weight = weight
    car.engine = engine
    return car
  }
}
