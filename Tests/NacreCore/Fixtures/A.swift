import Foundation
import NacreCore
import Testing
import TestSupport

final class Wheel: Entity {
  var size = 0 { didSet { entityState.markChanged(0) } }
  var entityState = EntityState()
  init() {}
  init(row: RowReader) throws {
    try row.read(&size, at: 0)
    entityState = row.entityState()
  }
  func bindProperties(to row: RowBinder) throws { try row.bind(size, at: 0) }
  func visitChildren(_ walk: GraphWalk) {}
  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Wheel.self, name: "Wheel")
    schema.add("size", \Wheel.size)
    return schema.build()
  }()
}

final class Car: Entity {
  var name = "" { didSet { entityState.markChanged(0) } }
  var vin: String? { didSet { entityState.markChanged(1) } }
  var spare: Wheel? { didSet { entityState.markChanged(2) } }
  var wheels: [Wheel] = [] { didSet { entityState.markChanged(3) } }
  var entityState = EntityState()
  init() {}
  init(row: RowReader) throws {
    try row.read(&name, at: 0)
    try row.open(&vin, at: 1)
    try row.read(&spare, at: 2)
    try row.read(&wheels, at: 3)
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
  }
  func visitChildren(_ walk: GraphWalk) {
    walk.visit(spare, at: 2)
    walk.visit(wheels, at: 3)
  }
  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Car.self, name: "Car")
    schema.add("name", \Car.name)
    schema.add("vin", \Car.vin, sealed: true)
    schema.add("spare", \Car.spare)
    schema.add("wheels", \Car.wheels)
    return schema.build()
  }()
}

@Test func `smoke`() throws {
  let dir = try TemporaryDirectory()
  let store = try Store.open(dir.file("a.db"), unlock: .keyFile(dir.file("a.key"), createIfMissing: true))
  try store.makeDefault()
  let car = Car.create()
  car.name = "A"
  car.vin = "SECRET"
  car.wheels = [Wheel.create(), Wheel.create()]
  car.wheels[1].size = 7
  car.spare = car.wheels[0]
  try car.save(cascade: true)
  #expect(!car.hasChanges)
  let again = try #require(try Car.fetch(id: car.objectID))
  #expect(again.name == "A")
  #expect(again.vin == "SECRET")
  #expect(again.wheels.map(\.size) == [0, 7])
  #expect(again.spare === again.wheels[0])
  #expect(!again.hasChanges)
  again.wheels.removeFirst()
  try again.save()
  let third = try #require(try Car.fetchOne(\.name, equals: "A"))
  #expect(third.wheels.map(\.size) == [7])
  #expect(try Car.fetchValues(\.name, \.vin).first?.1 == "SECRET")
  print(try third.deletionPlan())
  try third.delete(cascade: true)
  #expect(try Wheel.count() == 0)
  #expect(try Car.count() == 0)
}
