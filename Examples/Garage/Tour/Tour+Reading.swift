extension Tour {
  /// Reads the data set and puts the manufacturers' names right.
  func read() throws -> Inventory {
    Page.step(1, "Read the cars", code: "let car = Car.create(); car.engine = Engine.create()")
    let records = try CarRecord.readAll()
    let inventory = Inventory(records)
    let years = records.map(\.year)
    Page.item("source", "StatLib/UCI Auto MPG, by way of vega_datasets 0.9.0")
    Page.item(
      "cars",
      "\(inventory.carCount), built \(years.min() ?? 0) to \(years.max() ?? 0); "
        + "\(inventory.powerlessCount) have no horsepower"
    )
    Page.item(
      "manufacturers",
      "\(inventory.spellingCount) spellings in the file, "
        + "\(inventory.manufacturers.count) once they are put right:"
    )
    for manufacturer in inventory.manufacturers {
      let spellings = inventory.spellings[manufacturer.name, default: []]
      if spellings.contains(where: { $0 != manufacturer.name.lowercased() }) {
        Page.item("", "\(manufacturer.name): \(spellings.sorted().joined(separator: ", "))")
      }
    }
    Page.item("owners", "none is real: made up, one a car, from the seed \(OwnerGenerator.seed)")
    return inventory
  }
}
