import NacreCore

/// Five plain columns, two sealed ones, an engine and wheels.
final class SealedCar {
  var name = "" { didSet { entityState.markChanged(0) } }
  var color: String? { didSet { entityState.markChanged(1) } }
  var power = 0 { didSet { entityState.markChanged(2) } }
  var weight = 0.0 { didSet { entityState.markChanged(3) } }
  var year = 0 { didSet { entityState.markChanged(4) } }
  var vin: String? { didSet { entityState.markChanged(5) } }
  var plate: String? { didSet { entityState.markChanged(6) } }
  var engine: Engine? { didSet { entityState.markChanged(7) } }
  var wheels: [Wheel] = [] { didSet { entityState.markChanged(8) } }

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    name = try row.read(at: 0)
    color = try row.read(at: 1)
    power = try row.read(at: 2)
    weight = try row.read(at: 3)
    year = try row.read(at: 4)
    vin = try row.open(at: 5)
    plate = try row.open(at: 6)
    engine = try row.read(at: 7)
    wheels = try row.read(at: 8)
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
    try row.seal(vin, at: 5)
    try row.seal(plate, at: 6)
    try row.bind(engine, at: 7)
    try row.bind(wheels, at: 8)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
    walk.visit(engine, at: 7)
    walk.visit(wheels, at: 8)
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(SealedCar.self, name: "SealedCar")
    schema.add("name", \SealedCar.name)
    schema.add("color", \SealedCar.color)
    schema.add("power", \SealedCar.power)
    schema.add("weight", \SealedCar.weight)
    schema.add("year", \SealedCar.year)
    schema.add("vin", \SealedCar.vin, sealed: NacreCore.SealedOptions())
    schema.add("plate", \SealedCar.plate, sealed: NacreCore.SealedOptions())
    schema.add("engine", \SealedCar.engine)
    schema.add("wheels", \SealedCar.wheels)
    return schema.build()
  }()
}

extension SealedCar: NacreCore.Entity {}
