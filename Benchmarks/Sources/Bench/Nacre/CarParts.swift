import NacreCore

/// A car's engine.
final class Engine {
  var code = "" { didSet { entityState.markChanged(0) } }
  var cylinders = 0 { didSet { entityState.markChanged(1) } }

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    code = try row.read(at: 0)
    cylinders = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.bind(code, at: 0)
    try row.bind(cylinders, at: 1)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(Engine.self, name: "Engine")
    schema.add("code", \Engine.code)
    schema.add("cylinders", \Engine.cylinders)
    return schema.build()
  }()
}

extension Engine: NacreCore.Entity {}

/// One of a car's wheels.
final class Wheel {
  var brand: String? { didSet { entityState.markChanged(0) } }
  var size = 0 { didSet { entityState.markChanged(1) } }

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    brand = try row.read(at: 0)
    size = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.bind(brand, at: 0)
    try row.bind(size, at: 1)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(Wheel.self, name: "Wheel")
    schema.add("brand", \Wheel.brand)
    schema.add("size", \Wheel.size)
    return schema.build()
  }()
}

extension Wheel: NacreCore.Entity {}
