import NacreCore

/// Five plain columns and two sealed ones.
final class SealedSample {
  var name = "" { didSet { entityState.markChanged(0) } }
  var color: String? { didSet { entityState.markChanged(1) } }
  var power = 0 { didSet { entityState.markChanged(2) } }
  var weight = 0.0 { didSet { entityState.markChanged(3) } }
  var year = 0 { didSet { entityState.markChanged(4) } }
  var vin: String? { didSet { entityState.markChanged(5) } }
  var plate: String? { didSet { entityState.markChanged(6) } }

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
    entityState = row.entityState()
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(color, at: 1)
    try row.bind(power, at: 2)
    try row.bind(weight, at: 3)
    try row.bind(year, at: 4)
    try row.seal(vin, at: 5)
    try row.seal(plate, at: 6)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(SealedSample.self, name: "SealedSample")
    schema.add("name", \SealedSample.name)
    schema.add("color", \SealedSample.color)
    schema.add("power", \SealedSample.power)
    schema.add("weight", \SealedSample.weight)
    schema.add("year", \SealedSample.year)
    schema.add("vin", \SealedSample.vin, sealed: NacreCore.SealedOptions())
    schema.add("plate", \SealedSample.plate, sealed: NacreCore.SealedOptions())
    return schema.build()
  }()
}

extension SealedSample: NacreCore.Entity {}
