import Nacre

extension Tour {
  /// Fetches whole graphs and the most frugal cars, sorted by the database.
  func fetch() throws {
    Page.step(
      3,
      "Fetch and sort",
      code: "try Car.fetchAll(orderBy: \"milesPerGallon DESC\", size: 5, with: \\.owner)"
    )
    let cars = try Car.fetchAll(orderBy: "milesPerGallon DESC", size: 5, with: \.owner)
    var table = TextTable(
      ("mpg", .right),
      ("year", .right),
      ("car", .left),
      ("horsepower", .right),
      ("owner", .left)
    )
    for car in cars {
      table.add(
        car.milesPerGallon?.tenths ?? "?",
        "\(car.year)",
        car.name,
        car.engine?.horsepower.map { "\($0)" } ?? "?",
        try car.owner?.get().name ?? "?"
      )
    }
    table.write()
    Page.gap()
    var manufacturers: [Manufacturer] = []
    let duration = try ContinuousClock().measure {
      manufacturers = try Manufacturer.fetchAll(orderBy: "name")
    }
    let carCount = manufacturers.reduce(0) { $0 + $1.cars.count }
    Page.line(
      "All \(manufacturers.count) manufacturers with \(carCount) cars and their engines: "
        + "\(duration.milliseconds)."
    )
  }

  /// Finds one car by a plain property.
  func find() throws {
    let name = "datsun 280-zx"
    Page.step(
      4,
      "Find a car by a plain property",
      code: "try Car.fetchOne(\\.name, equals: \"\(name)\")"
    )
    guard let car = try Car.fetchOne(\.name, equals: name), let engine = car.engine else {
      throw MissingError(what: name)
    }
    Page.item("car", "\(car.name), \(car.origin.rawValue) \(car.year), \(car.weight.grouped) lb")
    Page.item(
      "engine",
      "\(engine.cylinders) cylinders, \(engine.displacement.tenths) cubic inches, "
        + "\(engine.horsepower.map { "\($0)" } ?? "unknown") hp"
    )
    Page.item("0 to 60 mph", "\(car.acceleration.tenths) s")
    guard let owner = try car.owner?.get() else { throw MissingError(what: "owner") }
    Page.item("owner", "\(owner.name), plate \(owner.plate)")
  }
}

/// The error of something that the example has stored and does not find.
struct MissingError: Error, CustomStringConvertible {
  let what: String

  var description: String { "'\(what)' is not in the garage" }
}
