import NacreCore

/// A parent with a sealed property, a to-one child, ordered children, a link and links.
final class Car: Entity {
  var name = "" { didSet { entityState.markChanged(0) } }
  var vin: String? { didSet { entityState.markChanged(1) } }
  var spare: Wheel? { didSet { entityState.markChanged(2) } }
  var wheels: [Wheel] = [] { didSet { entityState.markChanged(3) } }
  var owner: Link<Person>? { didSet { entityState.markChanged(4) } }
  var drivers = Links<Person>() { didSet { entityState.markChanged(5) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    vin = try row.open(at: 1)
    spare = try row.read(at: 2)
    wheels = try row.read(at: 3)
    owner = try row.read(at: 4)
    drivers = try row.read(at: 5)
    entityState = row.entityState()
  }

  deinit {
    GraphRelease.take(&spare)
    GraphRelease.take(&wheels)
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(name, at: 0)
    try row.seal(vin, at: 1)
    try row.bind(spare, at: 2)
    try row.bind(wheels, at: 3)
    try row.bind(owner, at: 4)
    try row.bind(drivers, at: 5)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(spare, at: 2)
    walk.visit(wheels, at: 3)
    walk.visit(owner, at: 4)
    walk.visit(drivers, at: 5)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Car.self, name: "Car")
    schema.add("name", \Car.name)
    schema.add("vin", \Car.vin, sealed: SealedOptions())
    schema.add("spare", \Car.spare)
    schema.add("wheels", \Car.wheels)
    schema.add("owner", \Car.owner)
    schema.add("drivers", \Car.drivers)
    return schema.build()
  }()
}
