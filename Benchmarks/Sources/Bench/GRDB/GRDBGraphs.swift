import GRDB

/// GRDB's works on graphs, with Codable records and associations.
final class GRDBGraphs: GraphSubject {
  private var graphs: [GRDBGraph] = []
  private var fetched: [GRDBGraph] = []
  private let pool: DatabasePool

  init(directory: String) throws {
    pool = try GRDBFile.open(directory, "grdb", schema: Schema.graphs(sealed: false))
  }

  func make(_ values: [GraphValues]) {
    graphs = values.map { GRDBGraph($0) }
  }

  func takeChecksum() -> Checksum {
    var checksum = Checksum()
    for graph in fetched {
      let car = graph.car
      checksum.add(power: car.power, color: car.color, name: car.name, vin: nil, plate: nil)
      if let engine = graph.motor {
        checksum.add(cylinders: engine.cylinders, code: engine.code)
      }
      for (place, wheel) in graph.wheels.enumerated() {
        checksum.add(size: wheel.size, brand: wheel.brand, place: place)
      }
    }
    fetched = []
    return checksum
  }

  func save() throws {
    try pool.write { database in
      for graph in graphs {
        try graph.motor?.insert(database)
        for wheel in graph.wheels { try wheel.insert(database) }
        try graph.car.insert(database)
        for (position, wheel) in graph.wheels.enumerated() {
          try GRDBPlace(owner: graph.car.objectID, position: position, child: wheel.objectID)
            .insert(database)
        }
      }
    }
  }

  func fetchAll() throws {
    fetched = try pool.read { database in
      try GRDBCar.including(optional: GRDBCar.motor).including(all: GRDBCar.wheels)
        .asRequest(of: GRDBGraph.self).fetchAll(database)
    }
  }

  func delete() throws {
    try pool.write { database in
      for graph in graphs { try GRDBDeletion.delete(graph.car.objectID, in: database) }
    }
  }
}
