import NacreCore

/// Five plain columns, an engine and wheels.
final class Car {
  var name = "" { didSet { entityState.markChanged(0) } }
  var color: String? { didSet { entityState.markChanged(1) } }
  var power = 0 { didSet { entityState.markChanged(2) } }
  var weight = 0.0 { didSet { entityState.markChanged(3) } }
  var year = 0 { didSet { entityState.markChanged(4) } }
  var engine: Engine? { didSet { entityState.markChanged(5) } }
  var wheels: [Wheel] = [] { didSet { entityState.markChanged(6) } }

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    name = try row.read(at: 0)
    color = try row.read(at: 1)
    power = try row.read(at: 2)
    weight = try row.read(at: 3)
    year = try row.read(at: 4)
    engine = try row.read(at: 5)
    wheels = try row.read(at: 6)
    entityState = row.entityState()
  }

  deinit {
    NacreCore.GraphRelease.take(&engine)
    NacreCore.GraphRelease.take(&wheels)
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(color, at: 1)
    try row.bind(power, at: 2)
    try row.bind(weight, at: 3)
    try row.bind(year, at: 4)
    try row.bind(engine, at: 5)
    try row.bind(wheels, at: 6)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
    walk.visit(engine, at: 5)
    walk.visit(wheels, at: 6)
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
    schema.add("name", \Car.name)
    schema.add("color", \Car.color)
    schema.add("power", \Car.power)
    schema.add("weight", \Car.weight)
    schema.add("year", \Car.year)
    schema.add("engine", \Car.engine)
    schema.add("wheels", \Car.wheels)
    return schema.build()
  }()
}

extension Car: NacreCore.Entity {}
