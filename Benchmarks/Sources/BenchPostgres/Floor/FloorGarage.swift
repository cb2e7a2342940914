import CBenchPostgres

/// The floor's works on graphs.
final class FloorGarage {
  let connection: FloorConnection
  private var graphs = bench_graphs()
  private var fetched = bench_graphs()

  /// Prepares the statements of tables that are there.
  init(url: String, _ values: [GraphValues]) throws {
    connection = try FloorConnection(url: url)
    try connection.check(bench_garage_prepare(connection.handle))
    for value in values { FloorGarage.add(value, to: &graphs) }
  }

  deinit {
    bench_graphs_free(&graphs)
    bench_graphs_free(&fetched)
  }

  private static func add(_ value: GraphValues, to list: inout bench_graphs) {
    let car = value.car
    let graph = bench_graphs_add(
      &list,
      car.objectID.high,
      car.objectID.low,
      car.name,
      car.color,
      Int64(car.power),
      car.weight,
      Int64(car.year)
    )
    let engine = value.engine
    bench_graph_set_engine(
      graph,
      engine.objectID.high,
      engine.objectID.low,
      engine.code,
      Int64(engine.cylinders)
    )
    for wheel in value.wheels {
      bench_graph_add_wheel(
        graph,
        wheel.objectID.high,
        wheel.objectID.low,
        wheel.brand,
        Int64(wheel.size)
      )
    }
  }

  func save() throws { try connection.check(bench_garage_save(connection.handle, &graphs)) }

  func fetchAll() throws {
    try connection.check(bench_garage_fetch_all(connection.handle, &fetched))
  }

  /// What the last fetch gave, which is then let go.
  func takeChecksum() -> Checksum {
    var checksum = Checksum()
    for graph in UnsafeBufferPointer(start: fetched.items, count: fetched.count) {
      checksum.add(graph.car)
      if let code = graph.engine.code {
        checksum.add(cylinders: Int(graph.engine.cylinders), code: String(cString: code))
      }
      for place in 0..<graph.wheel_count {
        let wheel = graph.wheels[place]
        checksum.add(
          size: Int(wheel.size),
          brand: wheel.brand.map { String(cString: $0) },
          place: place
        )
      }
    }
    bench_graphs_free(&fetched)
    return checksum
  }
}
