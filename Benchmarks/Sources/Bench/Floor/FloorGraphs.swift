/// The floor's works on graphs without sealed columns.
final class FloorGraphs: GraphSubject {
  private var cars: [FloorCar] = []
  private var fetched: [FloorCar] = []
  private let garage: FloorGarage<FloorCar>

  init(directory: String) throws {
    garage = try FloorGarage(
      FloorFile(directory: directory, schema: Schema.graphs(sealed: false))
    )
  }

  func make(_ values: [GraphValues]) {
    cars = values.map { FloorCar($0) }
  }

  func takeChecksum() -> Checksum {
    defer { fetched = [] }
    return garage.checksum(of: fetched)
  }

  func save() throws { try garage.save(cars) }

  func fetchAll() throws { fetched = try garage.fetchAll() }

  func delete() throws { try garage.delete(cars) }
}

/// The floor's works on graphs whose cars have two sealed columns.
final class FloorSealedGraphs: GraphSubject {
  private var cars: [FloorSealedCar] = []
  private var fetched: [FloorSealedCar] = []
  private let garage: FloorGarage<FloorSealedCar>

  init(directory: String) throws {
    garage = try FloorGarage(
      FloorFile(directory: directory, schema: Schema.graphs(sealed: true))
    )
  }

  func make(_ values: [GraphValues]) {
    cars = values.map { FloorSealedCar($0) }
  }

  func takeChecksum() -> Checksum {
    defer { fetched = [] }
    return garage.checksum(of: fetched)
  }

  func save() throws { try garage.save(cars) }

  func fetchAll() throws { fetched = try garage.fetchAll() }

  func delete() throws { try garage.delete(cars) }
}
