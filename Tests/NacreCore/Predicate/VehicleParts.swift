import NacreCore

/// A child with a child of its own and sealed values.
final class Motor: Entity {
  var cylinders: Int = 0 { didSet { entityState.markChanged(0) } }
  var note: String? { didSet { entityState.markChanged(1) } }
  var spare: Tyre? { didSet { entityState.markChanged(2) } }
  var code: String? { didSet { entityState.markChanged(3) } }
  var secret: String? { didSet { entityState.markChanged(4) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    cylinders = try row.read(at: 0)
    note = try row.read(at: 1)
    spare = try row.read(at: 2)
    code = try row.open(at: 3)
    secret = try row.open(at: 4)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(cylinders, at: 0)
    try row.bind(note, at: 1)
    try row.bind(spare, at: 2)
    try row.seal(code, at: 3)
    try row.seal(secret, at: 4)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(spare, at: 2)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Motor.self, name: "Motor")
    schema.add("cylinders", \Motor.cylinders)
    schema.add("note", \Motor.note)
    schema.add("spare", \Motor.spare)
    schema.add("code", \Motor.code, sealed: SealedOptions(isSearchable: true))
    schema.add("secret", \Motor.secret, sealed: SealedOptions())
    return schema.build()
  }()
}

/// A child without children.
final class Tyre: Entity {
  var inches: Double = 0 { didSet { entityState.markChanged(0) } }
  var brand: String? { didSet { entityState.markChanged(1) } }
  var wear: Int = 0 { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    inches = try row.read(at: 0)
    brand = try row.read(at: 1)
    wear = try row.read(at: 2)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(inches, at: 0)
    try row.bind(brand, at: 1)
    try row.bind(wear, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Tyre.self, name: "Tyre")
    schema.add("inches", \Tyre.inches)
    schema.add("brand", \Tyre.brand)
    schema.add("wear", \Tyre.wear)
    return schema.build()
  }()
}

/// A child that is found by its own link to its parent.
final class Trip: Entity {
  var length: Int = 0 { didSet { entityState.markChanged(0) } }
  var vehicle: Link<Vehicle>? { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    length = try row.read(at: 0)
    vehicle = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(length, at: 0)
    try row.bind(vehicle, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(vehicle, at: 1)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Trip.self, name: "Trip")
    schema.add("length", \Trip.length)
    schema.add("vehicle", \Trip.vehicle)
    return schema.build()
  }()
}

/// The target of links.
final class Keeper: Entity {
  var handle: String = "" { didSet { entityState.markChanged(0) } }
  var age: Int? { didSet { entityState.markChanged(1) } }
  var boss: Link<Keeper>? { didSet { entityState.markChanged(2) } }
  var code: String? { didSet { entityState.markChanged(3) } }
  var kept: Links<Vehicle> = Links<Vehicle>() { didSet { entityState.markChanged(4) } }
  var team: Links<Keeper> = Links<Keeper>() { didSet { entityState.markChanged(5) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    handle = try row.read(at: 0)
    age = try row.read(at: 1)
    boss = try row.read(at: 2)
    code = try row.open(at: 3)
    kept = try row.read(at: 4)
    team = try row.read(at: 5)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(handle, at: 0)
    try row.bind(age, at: 1)
    try row.bind(boss, at: 2)
    try row.seal(code, at: 3)
    try row.bind(kept, at: 4)
    try row.bind(team, at: 5)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(boss, at: 2)
    walk.visit(kept, at: 4)
    walk.visit(team, at: 5)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Keeper.self, name: "Keeper")
    schema.add("handle", \Keeper.handle)
    schema.add("age", \Keeper.age)
    schema.add("boss", \Keeper.boss)
    schema.add("code", \Keeper.code, sealed: SealedOptions(isSearchable: true))
    schema.add("kept", \Keeper.kept, inverse: \Vehicle.keeper)
    schema.add("team", \Keeper.team)
    return schema.build()
  }()
}
