import Foundation
import NacreCore
import Testing
@testable import TestSupport

@Suite struct MovingTests {
  private let one: TestStore
  private let two: TestStore

  init() throws {
    one = try TestStore()
    two = try TestStore()
  }

  private func person(_ code: String, in stores: TestStore...) throws -> Person {
    let id = UUID()
    for test in stores {
      let person = Person.create(objectID: id)
      person.code = code
      person.use(test.store)
      try person.save()
    }
    let first = try #require(stores.first)
    return try #require(try first.store.read { _ in try Person.fetch(id: id) })
  }

  private func car(_ change: (Car) throws -> Void) throws -> Car {
    let car = Car.create()
    car.name = "a"
    car.vin = "secret"
    try change(car)
    car.use(one.store)
    try car.save()
    return try #require(try one.store.read { _ in try Car.fetch(id: car.objectID) })
  }

  private func stored(_ car: Car, in test: TestStore) throws -> Car? {
    try test.store.read { _ in try Car.fetch(id: car.objectID) }
  }

  @Test func `an object that moves to another store takes its links along`() throws {
    let ann = try person("ann", in: one, two)
    let bob = try person("bob", in: one, two)
    let eve = try person("eve", in: one, two)
    let car = try car {
      $0.drivers.add(ann)
      $0.drivers.add(bob)
    }
    car.drivers.remove(ann)
    car.drivers.add(eve)
    car.use(two.store)
    try car.save()
    let copy = try #require(try stored(car, in: two))
    let codes = try copy.drivers.fetchAll().map(\.code).sorted()
    #expect(codes == ["bob", "eve"])
    #expect(copy.vin == "secret")
    #expect(try car.drivers.count() == 2)
    let former = try #require(try stored(car, in: one))
    let remaining = try former.drivers.fetchAll().map(\.code).sorted()
    #expect(remaining == ["ann", "bob"])
  }

  @Test(.checksReferencesLate()) func `a move that fails keeps the links for the next one`() throws
  {
    let ann = try person("ann", in: one)
    let car = try car { $0.drivers.add(ann) }
    car.use(two.store)
    let error = #expect(throws: NacreError.self) { try car.save() }
    #expect(error?.code == .constraint)
    #expect(error?.entity == "Car")
    #expect(error?.property == "drivers")
    #expect(error?.objectID == car.objectID)
    #expect(error?.detail?.contains(ann.objectID.uuidString) == true)
    #expect(try two.store.read { _ in try Car.count() } == 0)
    ann.use(two.store)
    try ann.save()
    try car.save()
    #expect(try car.drivers.contains(objectID: ann.objectID))
    #expect(try stored(car, in: two)?.drivers.count() == 1)
  }

  @Test(.checksReferencesLate()) func `a link to an object that the other store lacks is named`()
    throws
  {
    let ann = try person("ann", in: one)
    let car = try car {
      $0.owner = Link(ann)
      $0.spare = Wheel.create()
    }
    let wheel = try #require(car.spare)
    wheel.size = 3
    let error = #expect(throws: NacreError.self) { try two.store.save([car]) }
    #expect(error?.code == .constraint)
    #expect(error?.entity == "Car")
    #expect(error?.property == "owner")
    #expect(error?.objectID == car.objectID)
    // Both are again what they were in the first store: its rows are updated, not inserted.
    #expect(car.isStored && wheel.isStored && wheel.hasChanges && !car.hasChanges)
    try car.save()
    #expect(try stored(car, in: one)?.spare?.size == 3)
    #expect(try two.store.read { _ in try Wheel.count() } == 0)
    // In one transaction, the order is free.
    try two.store.write {
      try $0.store?.save([car])
      try $0.store?.save([ann])
    }
    #expect(try stored(car, in: two)?.owner?.objectID == ann.objectID)
  }

  @Test(arguments: [false, true])
  func `stored children move with their parent`(byStore: Bool) throws {
    let car = try car {
      let wheel = Wheel.create()
      wheel.size = 1
      $0.spare = wheel
      $0.wheels = [Wheel.create(), wheel, Wheel.create()]
    }
    if byStore {
      try two.store.save([car])
    } else {
      car.use(two.store)
      try car.save()
    }
    let copy = try #require(try stored(car, in: two))
    #expect(copy.vin == "secret")
    #expect(copy.wheels.map(\.objectID) == car.wheels.map(\.objectID))
    #expect(copy.spare === copy.wheels[1])
    #expect(try two.store.read { _ in try Wheel.count() } == 3)
    // They are the other store's from now on; the first one's rows stay.
    car.wheels[0].size = 7
    try car.save()
    #expect(try stored(car, in: two)?.wheels.map(\.size) == [7, 1, 0])
    #expect(try stored(car, in: one)?.wheels.map(\.size) == [0, 1, 0])
  }

  @Test func `a cycle and what objects share move once`() throws {
    let (a, b) = (Node.create(), Node.create())
    a.next = b
    b.next = a
    a.use(one.store)
    try a.save()
    try two.store.save([a, b])
    try two.store.read { _ in
      #expect(try Node.count() == 2)
      let copy = try #require(try Node.fetch(id: a.objectID))
      #expect(copy.next?.next === copy)
      copy.next?.next = nil
    }
    b.next = nil
    a.next = nil
  }

  @Test func `a child that the other store has is updated there`() throws {
    let car = try car { $0.spare = Wheel.create() }
    let wheel = try #require(car.spare)
    let twin = Wheel.create(objectID: wheel.objectID)
    twin.size = 9
    twin.use(two.store)
    try twin.save()
    wheel.size = 4
    try two.store.save([car])
    #expect(try stored(car, in: two)?.spare?.size == 4)
    #expect(try two.store.read { _ in try Wheel.count() } == 1)
    #expect(try stored(car, in: one)?.spare?.size == 0)
  }

  @Test func `without cascade a child of another store has to be stored here`() throws {
    let car = try car {
      $0.spare = Wheel.create()
      $0.wheels = [Wheel.create()]
    }
    let spare = Wheel.create(objectID: try #require(car.spare?.objectID))
    spare.use(two.store)
    try spare.save()
    car.use(two.store)
    let error = #expect(throws: NacreError.self) { try car.save(cascade: false) }
    #expect(error?.code == .unstoredChild)
    #expect(error?.property == "wheels")
    let wheel = Wheel.create(objectID: car.wheels[0].objectID)
    wheel.use(two.store)
    try wheel.save()
    try car.save(cascade: false)
    #expect(try stored(car, in: two)?.wheels.count == 1)
    #expect(try stored(car, in: two)?.spare?.objectID == spare.objectID)
  }

  @Test func `a moved object keeps the links from objects that the new store has`() throws {
    let vehicle = Vehicle.create()
    vehicle.trips = [Trip.create()]
    let (keeper, other) = (Keeper.create(), Vehicle.create())
    vehicle.keeper = Link(keeper)
    other.keeper = Link(keeper)
    for object in [vehicle, other] {
      object.use(one.store)
      try object.save()
    }
    let twin = Vehicle.create(objectID: other.objectID)
    twin.use(two.store)
    try twin.save()
    let id = keeper.objectID
    let mover = try #require(try one.store.read { _ in try Keeper.fetch(id: id) })
    try two.store.save([mover])
    #expect(try mover.kept.fetchAll().map(\.objectID) == [other.objectID])
    try two.store.save([vehicle])
    #expect(try mover.kept.count() == 2)
    let copy = try two.store.read { _ in try Vehicle.fetch(id: vehicle.objectID) }
    #expect(copy?.trips.map(\.objectID) == vehicle.trips.map(\.objectID))
  }
}
