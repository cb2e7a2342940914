/// Deletes stored graphs: the car, and those of its children that nothing else refers to.
struct FloorDeletion {
  private let selectEngine: FloorStatement
  private let selectWheels: FloorStatement
  private let engineInUse: FloorStatement
  private let wheelInUse: FloorStatement
  private let deleteCar: FloorStatement
  private let deleteEngine: FloorStatement
  private let deleteWheel: FloorStatement

  init(_ writer: FloorConnection, car: String) throws {
    selectEngine = try writer.prepare(
      "SELECT \"engine\" FROM \"\(car)\" WHERE \"objectID\" = ?"
    )
    selectWheels = try writer.prepare(
      "SELECT \"child\" FROM \"\(car)_wheels\" WHERE \"owner\" = ?"
    )
    engineInUse = try writer.prepare(
      "SELECT 1 FROM \"\(car)\" WHERE \"engine\" = ? AND \"objectID\" <> ? LIMIT 1"
    )
    wheelInUse = try writer.prepare(
      "SELECT 1 FROM \"\(car)_wheels\" WHERE \"child\" = ? AND \"owner\" <> ? LIMIT 1"
    )
    deleteCar = try writer.prepare("DELETE FROM \"\(car)\" WHERE \"objectID\" = ?")
    deleteEngine = try writer.prepare("DELETE FROM \"Engine\" WHERE \"objectID\" = ?")
    deleteWheel = try writer.prepare("DELETE FROM \"Wheel\" WHERE \"objectID\" = ?")
  }

  func delete(_ car: Identifier) throws {
    var engine: Identifier?
    selectEngine.bind(car, at: 1)
    if try selectEngine.step() { engine = try selectEngine.optionalIdentifier(at: 0) }
    selectEngine.reset()

    var wheels: [Identifier] = []
    selectWheels.bind(car, at: 1)
    while try selectWheels.step() { wheels.append(try selectWheels.identifier(at: 0)) }
    selectWheels.reset()

    if let found = engine, try has(found, outside: car, engineInUse) { engine = nil }
    try wheels.removeAll { try has($0, outside: car, wheelInUse) }

    // The foreign key takes the car's places with it.
    try delete(car, deleteCar)
    if let engine { try delete(engine, deleteEngine) }
    for wheel in wheels { try delete(wheel, deleteWheel) }
  }

  private func has(
    _ child: Identifier,
    outside car: Identifier,
    _ statement: FloorStatement
  ) throws -> Bool {
    statement.bind(child, at: 1)
    statement.bind(car, at: 2)
    defer { statement.reset() }
    return try statement.step()
  }

  private func delete(_ row: Identifier, _ statement: FloorStatement) throws {
    statement.bind(row, at: 1)
    try statement.run()
  }
}
