import NacreCore

extension Checksum {
  fileprivate mutating func add(_ engine: Engine?, _ wheels: [Wheel]) {
    if let engine { add(cylinders: engine.cylinders, code: engine.code) }
    for (place, wheel) in wheels.enumerated() {
      add(size: wheel.size, brand: wheel.brand, place: place)
    }
  }
}

extension Engine {
  fileprivate static func make(_ values: EngineValues) -> Engine {
    let engine = Engine.create(objectID: values.objectID.uuid)
    engine.code = values.code
    engine.cylinders = values.cylinders
    return engine
  }
}

extension Wheel {
  fileprivate static func make(_ values: WheelValues) -> Wheel {
    let wheel = Wheel.create(objectID: values.objectID.uuid)
    wheel.brand = values.brand
    wheel.size = values.size
    return wheel
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
    car.engine = Engine.make(values.engine)
    car.wheels = values.wheels.map { Wheel.make($0) }
    return car
  }
}

extension SealedCar {
  fileprivate static func make(_ values: GraphValues) -> SealedCar {
    let car = SealedCar.create(objectID: values.car.objectID.uuid)
    car.name = values.car.name
    car.color = values.car.color
    car.power = values.car.power
    car.weight = values.car.weight
    car.year = values.car.year
    car.vin = values.car.vin
    car.plate = values.car.plate
    car.engine = Engine.make(values.engine)
    car.wheels = values.wheels.map { Wheel.make($0) }
    return car
  }
}

/// Nacre's works on graphs without sealed columns.
final class NacreGraphs: GraphSubject {
  private var cars: [Car] = []
  private var fetched: [Car] = []
  private let store: Store

  init(directory: String) throws {
    store = try NacreFile.open(
      directory,
      Car.self,
      sealed: false,
      schema: Schema.graphs(sealed: false)
    )
  }

  deinit { try? store.close() }

  func make(_ values: [GraphValues]) {
    cars = values.map { Car.make($0) }
  }

  func takeChecksum() -> Checksum {
    var checksum = Checksum()
    for car in fetched {
      checksum.add(power: car.power, color: car.color, name: car.name, vin: nil, plate: nil)
      checksum.add(car.engine, car.wheels)
    }
    fetched = []
    return checksum
  }

  func save() throws {
    try store.write { _ in
      for car in cars { try car.save(cascade: true) }
    }
  }

  func fetchAll() throws { fetched = try Car.fetchAll() }

  func delete() throws {
    try store.write { _ in
      for car in cars { try car.delete(cascade: true) }
    }
  }
}

/// Nacre's works on graphs whose cars have two sealed columns.
final class NacreSealedGraphs: GraphSubject {
  private var cars: [SealedCar] = []
  private var fetched: [SealedCar] = []
  private let store: Store

  init(directory: String) throws {
    store = try NacreFile.open(
      directory,
      SealedCar.self,
      sealed: true,
      schema: Schema.graphs(sealed: true)
    )
  }

  deinit { try? store.close() }

  func make(_ values: [GraphValues]) {
    cars = values.map { SealedCar.make($0) }
  }

  func takeChecksum() -> Checksum {
    var checksum = Checksum()
    for car in fetched {
      checksum.add(
        power: car.power,
        color: car.color,
        name: car.name,
        vin: car.vin,
        plate: car.plate
      )
      checksum.add(car.engine, car.wheels)
    }
    fetched = []
    return checksum
  }

  func save() throws {
    try store.write { _ in
      for car in cars { try car.save(cascade: true) }
    }
  }

  func fetchAll() throws { fetched = try SealedCar.fetchAll() }

  func delete() throws {
    try store.write { _ in
      for car in cars { try car.delete(cascade: true) }
    }
  }
}
