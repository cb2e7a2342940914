import NacreCore

/// The works on graphs of a car, its engine and four wheels.
struct GraphWorks {
  let store: Store
  private let server: BenchServer
  private let floor: FloorGarage
  private let cars: [Car]
  private let fetched = Fetched<Car>()
  private let expected: Checksum

  init(_ server: BenchServer, _ count: Int, _ directory: String) throws {
    let values = GraphValues.make(count: count)
    self.server = server
    store = try SubjectStores.open(server, Car.self, directory)
    cars = values.map { Car.make($0) }
    expected = Checksum(values, sealed: false)
    floor = try FloorGarage(url: server.url(SubjectStores.floor), values)
  }

  var trials: [Trial] {
    [
      Trial(
        work: .saveGraph,
        operations: cars.count,
        ways: [
          Way(subject: .floor, run: { try floor.save() }, verify: expectOfFloor),
          Way(subject: .nacre, run: { try store.save(cars) }, verify: expectOfNacre),
        ]
      ),
      Trial(work: .fetchGraph, operations: cars.count, ways: [fetchByFloor, fetchByNacre]),
    ]
  }

  // Each subject reads once before, which warms the caches.

  private var fetchByFloor: Way {
    Way(
      subject: .floor,
      prepare: {
        try SubjectStores.vacuum(server)
        try expectOfFloor()
      },
      run: { try floor.fetchAll() },
      verify: { try expect(expected, floor.takeChecksum()) }
    )
  }

  private var fetchByNacre: Way {
    Way(
      subject: .nacre,
      prepare: {
        try SubjectStores.vacuum(server)
        try expectOfNacre()
      },
      run: { fetched.objects = try Car.fetchAll() },
      verify: { try expect(expected, fetched.takeChecksum()) }
    )
  }

  private func expectOfFloor() throws {
    try floor.fetchAll()
    try expect(expected, floor.takeChecksum())
  }

  private func expectOfNacre() throws {
    fetched.objects = try Car.fetchAll()
    try expect(expected, fetched.takeChecksum())
  }
}

extension Car: Summed {
  func add(to checksum: inout Checksum) {
    checksum.add(power: power, color: color, name: name, vin: nil, plate: nil)
    if let engine { checksum.add(cylinders: engine.cylinders, code: engine.code) }
    for (place, wheel) in wheels.enumerated() {
      checksum.add(size: wheel.size, brand: wheel.brand, place: place)
    }
  }
}

extension Car {
  fileprivate static func make(_ values: GraphValues) -> Car {
    let car = Car.create(objectID: values.car.objectID.uuid)
    car.name = values.car.name
    car.color = values.car.color
    car.power = values.car.power
    car.weight = values.car.weight
    car.year = values.car.year
    let engine = Engine.create(objectID: values.engine.objectID.uuid)
    engine.code = values.engine.code
    engine.cylinders = values.engine.cylinders
    car.engine = engine
    car.wheels = values.wheels.map { values in
      let wheel = Wheel.create(objectID: values.objectID.uuid)
      wheel.brand = values.brand
      wheel.size = values.size
      return wheel
    }
    return car
  }
}
