import Foundation
import Nacre
import Testing
import TestSupport

/// The rows that `save` writes, and those that it leaves (design: meaning of save).
@Suite struct SaveTests {
  let test: TestStore

  init() throws { test = try TestStore() }

  private func fullCar() -> Car {
    let car = Car.create()
    car.use(test.store)
    car.name = "Beetle"
    car.power = 34
    car.vin = "VIN-1"
    car.engine = Engine.create()
    car.engine?.cylinders = 4
    car.wheels = (0..<4).map { size in
      let wheel = Wheel.create()
      wheel.size = size
      return wheel
    }
    car.owner = Link(Person.create())
    return car
  }

  private func fetch<E: Entity>(_ object: E) throws -> E {
    let found = try test.store.read { _ in try E.fetch(id: object.objectID) }
    return try #require(found)
  }

  private func count<E: Entity>(_ type: E.Type) throws -> Int {
    try test.store.read { _ in try E.count() }
  }

  @Test func `a cascading save stores the object with its children and the new object of a link`()
    throws
  {
    let car = fullCar()
    try car.save(cascade: true)
    let fetched = try fetch(car)
    #expect(fetched.name == "Beetle")
    #expect(fetched.power == 34)
    #expect(fetched.color == nil)
    #expect(fetched.vin == "VIN-1")
    #expect(fetched.engine?.cylinders == 4)
    #expect(fetched.wheels.map(\.size) == [0, 1, 2, 3])
    #expect(fetched.owner?.objectID == car.owner?.objectID)
    #expect(try count(Person.self) == 1)
  }

  @Test func `cascade is the default`() throws {
    let car = fullCar()
    try car.save()
    #expect(try count(Wheel.self) == 4)
  }

  @Test func `an unchanged graph writes nothing`() throws {
    let car = fullCar()
    try car.save()
    let first = try test.writes { try car.save() }
    #expect(first == [])
    let fetched = try fetch(car)
    #expect(!fetched.hasChanges)
    let second = try test.writes { try fetched.save() }
    #expect(second == [])
  }

  @Test func `only the changed column of the changed object is written`() throws {
    let car = fullCar()
    try car.save()
    car.power = 50
    let writes = try test.writes { try car.save() }
    #expect(writes == ["UPDATE \"Car\" SET \"power\" = ?4 WHERE \"objectID\" = ?1"])
    #expect(try fetch(car).power == 50)
  }

  @Test func `a changed grandchild is written although its parents are unchanged`() throws {
    let root = Node.create()
    root.use(test.store)
    root.next = Node.create()
    root.next?.next = Node.create()
    try root.save()
    root.next?.next?.title = "deep"
    let writes = try test.writes { try root.save() }
    #expect(writes.count == 1)
    #expect(try fetch(root).next?.next?.title == "deep")
  }

  @Test func `appending to ordered children writes the new rows alone`() throws {
    let car = fullCar()
    try car.save()
    let wheel = Wheel.create()
    car.wheels.append(wheel)
    let writes = try test.writes { try car.save() }
    #expect(writes.count == 2)
    #expect(writes.allSatisfy { $0.hasPrefix("INSERT") })
    #expect(try fetch(car).wheels.map(\.objectID) == car.wheels.map(\.objectID))
  }

  @Test func `the order of children is kept through removing, moving and inserting`() throws {
    let car = fullCar()
    try car.save()
    car.wheels.swapAt(0, 3)
    car.wheels.remove(at: 1)
    car.wheels.insert(Wheel.create(), at: 1)
    try car.save()
    #expect(try fetch(car).wheels.map(\.objectID) == car.wheels.map(\.objectID))
  }

  @Test func `a cycle of three is saved and comes back closed`() throws {
    let nodes = (0..<3).map { _ in Node.create() }
    nodes[0].use(test.store)
    for index in 0..<3 { nodes[index].next = nodes[(index + 1) % 3] }
    try nodes[0].save()
    let fetched = try fetch(nodes[0])
    #expect(fetched.next?.next?.next === fetched)
    #expect(try count(Node.self) == 3)
    fetched.next = nil
    nodes[0].next = nil
  }

  @Test func `a shared child is stored once and fetched as one instance`() throws {
    let shared = Node.create()
    let root = Node.create()
    root.use(test.store)
    root.next = shared
    root.children = [shared, Node.create()]
    root.children[1].next = shared
    try root.save()
    #expect(try count(Node.self) == 3)
    let fetched = try fetch(root)
    #expect(fetched.next === fetched.children[0])
    #expect(fetched.children[1].next === fetched.next)
  }

  @Test func `a save without cascade writes the row and its links, not the children`() throws {
    let car = fullCar()
    try car.save()
    car.engine?.cylinders = 8
    car.power = 90
    car.wheels.removeLast()
    try car.save(cascade: false)
    let fetched = try fetch(car)
    #expect(fetched.power == 90)
    #expect(fetched.wheels.count == 3)
    #expect(fetched.engine?.cylinders == 4)
    #expect(car.engine?.hasChanges == true)
  }

  @Test func `a save without cascade names the child that was never stored`() throws {
    let car = fullCar()
    car.owner = nil
    let error = #expect(throws: NacreError.self) { try car.save(cascade: false) }
    #expect(error?.code == .unstoredChild)
    #expect(error?.property == "engine")
    #expect(error?.objectID == car.objectID)
    #expect(error?.detail?.contains(car.engine?.objectID.uuidString ?? "-") == true)
    #expect(try count(Car.self) == 0)
    #expect(car.hasChanges && !car.isStored)
  }

  @Test func `an object marked for deletion is deleted by its save`() throws {
    let car = fullCar()
    try car.save()
    car.isMarkedForDeletion = true
    try car.save()
    #expect(try count(Car.self) == 0)
    #expect(try count(Wheel.self) == 0)
    #expect(!car.isStored)
  }

  @Test func `a child marked for deletion is deleted when its parent is saved`() throws {
    let car = fullCar()
    try car.save()
    car.wheels[1].isMarkedForDeletion = true
    car.engine?.isMarkedForDeletion = true
    try car.save()
    let fetched = try fetch(car)
    #expect(fetched.wheels.map(\.size) == [0, 2, 3])
    #expect(fetched.engine == nil)
    #expect(try count(Engine.self) == 0)
  }

  @Test func `children that are taken out stay stored unless the relationship says otherwise`()
    throws
  {
    let car = fullCar()
    car.stickers = [Sticker.create(), Sticker.create()]
    car.engine?.label = Sticker.create()
    try car.save()
    car.wheels = []
    car.stickers.removeFirst()
    car.engine?.label = Sticker.create()
    try car.save()
    #expect(try count(Wheel.self) == 4)
    #expect(try count(Sticker.self) == 2)
    let fetched = try fetch(car)
    #expect(fetched.stickers.map(\.objectID) == car.stickers.map(\.objectID))
    #expect(fetched.engine?.label?.objectID == car.engine?.label?.objectID)
  }

  @Test func `a removed child that something else refers to stays stored`() throws {
    let car = fullCar()
    let other = fullCar()
    let shared = Sticker.create()
    car.stickers = [shared]
    other.stickers = [shared]
    try car.save()
    try other.save()
    car.stickers = []
    try car.save()
    #expect(try fetch(other).stickers.count == 1)
    other.stickers = []
    try other.save()
    #expect(try count(Sticker.self) == 0)
  }

  @Test func `saving an object whose row is gone is an error and writes nothing`() throws {
    let car = fullCar()
    try car.save()
    let twin = try fetch(car)
    try twin.delete()
    car.power = 1
    car.engine?.cylinders = 99
    let error = #expect(throws: NacreError.self) { try car.save() }
    #expect(error?.code == .objectDeleted)
    #expect(error?.entity == "Car")
    #expect(error?.objectID == car.objectID)
    let engines = try test.store.read { _ in try Engine.fetchAll() }
    #expect(engines.map(\.cylinders) == [4])
    #expect(car.engine?.hasChanges == true)
  }

  @Test func `a transient property is neither stored nor tracked`() throws {
    let car = fullCar()
    try car.save()
    car.scratch = 5
    #expect(!car.hasChanges)
    #expect(try fetch(car).scratch == 0)
  }
}
