import NacreCore

// The entities are what `@Entity` makes of them, written out: no macro, no swift-syntax to build.

/// Five plain columns and an identifier.
final class Sample {
  var name = "" { didSet { entityState.markChanged(0) } }
  var color: String? { didSet { entityState.markChanged(1) } }
  var power = 0 { didSet { entityState.markChanged(2) } }
  var weight = 0.0 { didSet { entityState.markChanged(3) } }
  var year = 0 { didSet { entityState.markChanged(4) } }

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    name = try row.read(at: 0)
    color = try row.read(at: 1)
    power = try row.read(at: 2)
    weight = try row.read(at: 3)
    year = try row.read(at: 4)
    entityState = row.entityState()
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(color, at: 1)
    try row.bind(power, at: 2)
    try row.bind(weight, at: 3)
    try row.bind(year, at: 4)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(Sample.self, name: "Sample")
    schema.add("name", \Sample.name)
    schema.add("color", \Sample.color)
    schema.add("power", \Sample.power)
    schema.add("weight", \Sample.weight)
    schema.add("year", \Sample.year)
    return schema.build()
  }()
}

extension Sample: NacreCore.Entity {}
