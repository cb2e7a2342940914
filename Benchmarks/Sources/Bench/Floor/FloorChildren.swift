/// A car's engine.
final class FloorEngine: FloorRow {
  static let table = "Engine"
  static let columns = ["code", "cylinders"]

  let objectID: Identifier
  var code: String
  var cylinders: Int

  init(_ values: EngineValues) {
    objectID = values.objectID
    code = values.code
    cylinders = values.cylinders
  }

  init(_ row: FloorStatement, _ cipher: FloorCipher) throws {
    objectID = try row.identifier(at: 0)
    code = row.string(at: 1)
    cylinders = row.int(at: 2)
  }

  func bind(to statement: FloorStatement, _ cipher: FloorCipher) throws {
    statement.bind(objectID, at: 1)
    statement.bind(code, at: 2)
    statement.bind(cylinders, at: 3)
  }
}

/// One of a car's wheels.
final class FloorWheel: FloorRow {
  static let table = "Wheel"
  static let columns = ["brand", "size"]

  let objectID: Identifier
  var brand: String?
  var size: Int

  init(_ values: WheelValues) {
    objectID = values.objectID
    brand = values.brand
    size = values.size
  }

  init(_ row: FloorStatement, _ cipher: FloorCipher) throws {
    objectID = try row.identifier(at: 0)
    brand = row.optionalString(at: 1)
    size = row.int(at: 2)
  }

  func bind(to statement: FloorStatement, _ cipher: FloorCipher) throws {
    statement.bind(objectID, at: 1)
    statement.bind(brand, at: 2)
    statement.bind(size, at: 3)
  }
}
