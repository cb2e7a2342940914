/// The loops over cars with their engines and wheels, with statements that stay prepared.
struct FloorGarage<Car: FloorCarRow> {
  private let file: FloorFile
  private let cipher: FloorCipher
  private let insertCar: FloorStatement
  private let insertEngine: FloorStatement
  private let insertWheel: FloorStatement
  private let insertPlace: FloorStatement
  private let selectCars: FloorStatement
  private let selectEngines: FloorStatement
  private let selectWheels: FloorStatement
  private let deletion: FloorDeletion

  init(_ file: FloorFile) throws {
    self.file = file
    cipher = try FloorCipher(properties: 2)
    let places = "\(Car.table)_wheels"
    insertCar = try file.writer.prepare(Car.insertSQL)
    insertEngine = try file.writer.prepare(FloorEngine.insertSQL)
    insertWheel = try file.writer.prepare(FloorWheel.insertSQL)
    insertPlace = try file.writer.prepare(
      "INSERT INTO \"\(places)\" (\"owner\", \"position\", \"child\") VALUES (?, ?, ?)"
    )
    selectCars = try file.reader.prepare(
      "SELECT \(Car.selection("c")) FROM \"\(Car.table)\" c ORDER BY c.\"objectID\""
    )
    selectEngines = try file.reader.prepare(
      """
      SELECT \(FloorEngine.selection("e")), c."objectID" FROM "\(Car.table)" c
      JOIN "Engine" e ON e."objectID" = c."engine" ORDER BY c."objectID"
      """
    )
    selectWheels = try file.reader.prepare(
      """
      SELECT \(FloorWheel.selection("w")), p."owner" FROM "\(places)" p
      JOIN "Wheel" w ON w."objectID" = p."child" ORDER BY p."owner", p."position"
      """
    )
    deletion = try FloorDeletion(file.writer, car: Car.table)
  }

  /// Children before their parents, so that no foreign key has to wait for the commit.
  func save(_ cars: [Car]) throws {
    try file.writer.transaction {
      for car in cars {
        if let engine = car.engine { try insert(engine, insertEngine) }
        for wheel in car.wheels { try insert(wheel, insertWheel) }
        try insert(car, insertCar)
        for (position, wheel) in car.wheels.enumerated() {
          insertPlace.bind(car.objectID, at: 1)
          insertPlace.bind(position, at: 2)
          insertPlace.bind(wheel.objectID, at: 3)
          try insertPlace.run()
        }
      }
    }
  }

  private func insert(_ row: some FloorRow, _ statement: FloorStatement) throws {
    try row.bind(to: statement, cipher)
    try statement.run()
  }

  /// One query a level; both levels of children come in the order of the cars and are merged.
  func fetchAll() throws -> [Car] {
    var cars: [Car] = []
    try file.reader.execute("BEGIN")
    while try selectCars.step() { cars.append(try Car(selectCars, cipher)) }
    selectCars.reset()

    var index = 0
    while try selectEngines.step() {
      let owner = try selectEngines.identifier(at: 3)
      while index < cars.count, cars[index].objectID != owner { index += 1 }
      guard index < cars.count else { throw FloorError(message: "an engine without its car") }
      cars[index].engine = try FloorEngine(selectEngines, cipher)
    }
    selectEngines.reset()

    index = 0
    while try selectWheels.step() {
      let owner = try selectWheels.identifier(at: 3)
      while index < cars.count, cars[index].objectID != owner { index += 1 }
      guard index < cars.count else { throw FloorError(message: "a wheel without its car") }
      cars[index].wheels.append(try FloorWheel(selectWheels, cipher))
    }
    selectWheels.reset()
    try file.reader.execute("COMMIT")
    return cars
  }

  func delete(_ cars: [Car]) throws {
    try file.writer.transaction {
      for car in cars { try deletion.delete(car.objectID) }
    }
  }

  func checksum(of cars: [Car]) -> Checksum {
    var checksum = Checksum()
    for car in cars {
      car.add(to: &checksum)
      if let engine = car.engine {
        checksum.add(cylinders: engine.cylinders, code: engine.code)
      }
      for (place, wheel) in car.wheels.enumerated() {
        checksum.add(size: wheel.size, brand: wheel.brand, place: place)
      }
    }
    return checksum
  }
}
