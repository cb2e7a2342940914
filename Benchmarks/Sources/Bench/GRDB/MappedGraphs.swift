import Foundation
import GRDB

/// GRDB's works on graphs, with records mapped by hand and the floor's three queries.
final class MappedGraphs: GraphSubject {
  private var cars: [MappedCar] = []
  private var fetched: [MappedCar] = []
  private let pool: DatabasePool

  private static let engines = """
    SELECT e.*, c."objectID" FROM "Car" c
    JOIN "Engine" e ON e."objectID" = c."engine" ORDER BY c."objectID"
    """
  private static let wheels = """
    SELECT w.*, p."owner" FROM "Car_wheels" p
    JOIN "Wheel" w ON w."objectID" = p."child" ORDER BY p."owner", p."position"
    """

  init(directory: String) throws {
    pool = try GRDBFile.open(directory, "grdb-mapped", schema: Schema.graphs(sealed: false))
  }

  func make(_ values: [GraphValues]) {
    cars = values.map { MappedCar($0) }
  }

  func takeChecksum() -> Checksum {
    var checksum = Checksum()
    for car in fetched {
      checksum.add(power: car.power, color: car.color, name: car.name, vin: nil, plate: nil)
      if let engine = car.engine {
        checksum.add(cylinders: engine.cylinders, code: engine.code)
      }
      for (place, wheel) in car.wheels.enumerated() {
        checksum.add(size: wheel.size, brand: wheel.brand, place: place)
      }
    }
    fetched = []
    return checksum
  }

  func save() throws {
    try pool.write { database in
      for car in cars {
        try car.engine?.insert(database)
        for wheel in car.wheels { try wheel.insert(database) }
        try car.insert(database)
        for (position, wheel) in car.wheels.enumerated() {
          try MappedPlace(owner: car.objectID, position: position, child: wheel.objectID)
            .insert(database)
        }
      }
    }
  }

  func fetchAll() throws {
    fetched = try pool.read { database in
      var cars = try MappedCar.order(Column("objectID")).fetchAll(database)
      try attach(MappedGraphs.engines, in: database, to: &cars) { car, row in
        car.engine = MappedEngine(row: row)
      }
      try attach(MappedGraphs.wheels, in: database, to: &cars) { car, row in
        car.wheels.append(MappedWheel(row: row))
      }
      return cars
    }
  }

  /// Merges children, whose owner stands in column 3, into cars in the same order.
  private func attach(
    _ sql: String,
    in database: Database,
    to cars: inout [MappedCar],
    _ body: (inout MappedCar, Row) -> Void
  ) throws {
    var index = 0
    let rows = try Row.fetchCursor(database, sql: sql)
    while let row = try rows.next() {
      let owner: UUID = row[3]
      while index < cars.count, cars[index].objectID != owner { index += 1 }
      guard index < cars.count else { return }
      body(&cars[index], row)
    }
  }

  func delete() throws {
    try pool.write { database in
      for car in cars { try GRDBDeletion.delete(car.objectID, in: database) }
    }
  }
}
