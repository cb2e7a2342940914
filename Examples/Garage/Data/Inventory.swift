import Nacre

/// The data set as objects, manufacturer by manufacturer, none of them stored yet.
struct Inventory {
  /// The manufacturers with their cars, by name.
  let manufacturers: [Manufacturer]
  /// The spellings that the data set has for each manufacturer, by the manufacturer's name.
  let spellings: [String: Set<String>]
  /// How many cars have no horsepower.
  let powerlessCount: Int

  /// Makes the objects, and an owner for each car.
  init(_ records: [CarRecord]) {
    var owners = OwnerGenerator()
    var byName: [String: Manufacturer] = [:]
    var spellings: [String: Set<String>] = [:]
    for record in records {
      let name = Marque.name(for: record.spelling)
      let manufacturer = byName[name] ?? Manufacturer.create()
      manufacturer.name = name
      byName[name] = manufacturer
      spellings[name, default: []].insert(record.spelling)
      let car = record.makeCar()
      car.owner = Link(owners.next())
      manufacturer.cars.append(car)
    }
    self.spellings = spellings
    manufacturers = byName.values.sorted { $0.name < $1.name }
    powerlessCount = records.count { $0.horsepower == nil }
  }

  /// How many cars there are.
  var carCount: Int { manufacturers.reduce(0) { $0 + $1.cars.count } }

  /// How many spellings there are of all manufacturers.
  var spellingCount: Int { spellings.values.reduce(0) { $0 + $1.count } }
}
