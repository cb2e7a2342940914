import Foundation
import NacreCore
import NacreOpen
import Testing
@testable import TestSupport

/// Objects and stores that are gone.
@Suite struct LifecycleTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  @Test func `saving an object whose row was deleted is an error and no lost write`() throws {
    let node = Node.create()
    try scene.save(node, in: store)
    try store.write { try $0.execute("DELETE FROM \"Node\"") }
    node.label = 1
    expectError(.objectDeleted, entity: "Node", objectID: node.objectID) { try node.save() }
    #expect(node.hasChanges)
    #expect(try store.read { _ in try Node.count() } == 0)
  }

  @Test func `a change of relationships alone is not lost when the row was deleted`() throws {
    let car = Car.create()
    car.wheels = [Wheel.create()]
    try scene.save(car, in: store)
    let linked = Car.create()
    let person = Person.create()
    linked.drivers.add(person)
    try scene.save(linked, in: store)
    try store.write { try $0.execute("DELETE FROM \"Car\"") }
    car.wheels = []
    expectError(.objectDeleted, entity: "Car", objectID: car.objectID) { try car.save() }
    linked.drivers.remove(person)
    expectError(.objectDeleted, entity: "Car", objectID: linked.objectID) { try linked.save() }
    linked.drivers.add(person)
    expectError(.objectDeleted, entity: "Car", objectID: linked.objectID) { try linked.save() }
  }

  @Test func `a cascade that meets a deleted row writes nothing of the rest`() throws {
    let car = Car.create()
    car.wheels = [Wheel.create(), Wheel.create()]
    try scene.save(car, in: store)
    try store.write { database in
      _ = try database.execute(
        "DELETE FROM \"Wheel\" WHERE \"objectID\" = ?",
        car.wheels[0].objectID
      )
    }
    car.name = "new"
    for wheel in car.wheels { wheel.size = 3 }
    expectError(.objectDeleted, entity: "Wheel", objectID: car.wheels[0].objectID) {
      try car.save()
    }
    #expect(car.hasChanges && car.wheels[1].hasChanges)
    try store.read { (_) throws in
      #expect(try Car.fetchOne()?.name == "")
      #expect(try Wheel.fetchOne()?.size == 0)
    }
  }

  @Test func `without cascade an unstored child is named and nothing is written`() throws {
    let car = Car.create()
    car.wheels = [Wheel.create()]
    let error = thrown(
      .unstoredChild,
      entity: "Car",
      property: "wheels",
      objectID: car.objectID
    ) { try scene.save(car, cascade: false, in: store) }
    #expect(error?.detail?.contains(car.wheels[0].objectID.uuidString) == true)
    #expect(!car.isStored)
    car.wheels = []
    car.spare = Wheel.create()
    expectError(.unstoredChild, entity: "Car", property: "spare", objectID: car.objectID) {
      try scene.save(car, cascade: false, in: store)
    }
    #expect(try store.read { _ in try Car.count() } == 0)
  }

  @Test func `a unique value is stored once`() throws {
    let (first, second) = (Person.create(), Person.create())
    first.code = "same"
    second.code = "same"
    second.name = Marker.text
    try scene.save(first, in: store)
    expectError(.constraint, entity: "Person", property: "code", objectID: second.objectID) {
      try scene.save(second, in: store)
    }
    #expect(!second.isStored)
    second.code = "other"
    try scene.save(second, in: store)
    second.code = "same"
    expectError(.constraint, entity: "Person", property: "code", objectID: second.objectID) {
      try second.save()
    }
    #expect(second.hasChanges)
    #expect(try store.read { _ in try Person.count(where: "code = ?", "other") } == 1)
  }

  @Test func `a second object under the same objectID is refused`() throws {
    let first = Node.create()
    try scene.save(first, in: store)
    let second = Node.create(objectID: first.objectID)
    expectError(.constraint, entity: "Node", objectID: first.objectID) {
      try scene.save(second, in: store)
    }
    #expect(!second.isStored)
  }

  @Test func `a link to nothing is refused, and one to what is deleted becomes nil`() throws {
    let car = Car.create()
    car.owner = Link(objectID: UUID())
    expectError(.constraint) { try scene.save(car, in: store) }
    #expect(!car.isStored)
    let person = Person.create()
    car.owner = Link(person)
    try scene.save(car, in: store)
    let fetched = try #require(try store.read { _ in try Car.fetchOne() })
    try person.delete()
    #expect(try store.read { _ in try Car.fetchOne() }?.owner == nil)
    expectError(.notFound, entity: "Person", objectID: person.objectID) {
      _ = try fetched.owner?.get()
    }
  }

  @Test func `a closed store refuses its objects, links and transactions`() throws {
    let car = Car.create()
    let person = Person.create()
    car.owner = Link(person)
    car.drivers.add(person)
    try scene.save(car, in: store)
    let fetched = try #require(try store.read { _ in try Car.fetchOne() })
    try store.close()
    try store.close()
    fetched.name = "x"
    expectError(.storeClosed) { try fetched.save() }
    expectError(.storeClosed) { try fetched.delete() }
    expectError(.storeClosed) { _ = try fetched.deletionPlan() }
    expectError(.storeClosed) { _ = try fetched.owner?.get() }
    expectError(.storeClosed) { _ = try fetched.drivers.fetchAll() }
    expectError(.storeClosed) { _ = try fetched.drivers.cursor() }
    expectError(.storeClosed) { try store.read { _ in } }
    expectError(.storeClosed) { try store.write { _ in } }
    expectError(.storeClosed) { try store.begin() }
    expectError(.storeClosed) { try store.makeDefault() }
    // A server's store has no backup by Nacre, closed or not.
    expectError(TestPlace.isOnServer ? .serverCannot : .storeClosed) {
      try store.backup(to: scene.directory.file("b.db"))
    }
    #expect(fetched.hasChanges)
  }

  @Test func `a cursor that is open while the store closes ends with an error`() throws {
    let parent = Car.create()
    try store.write { _ in
      for label in 0..<600 {
        let person = Person.create()
        person.code = "\(label)"
        parent.drivers.add(person)
      }
      try parent.save()
    }
    let fetched = try #require(try store.read { _ in try Car.fetchOne() })
    let cursor = try fetched.drivers.cursor()
    #expect(try cursor.next() != nil)
    try store.close()
    expectError(.storeClosed) { while try cursor.next() != nil {} }
    // Only a file has a log beside it, which the last connection removes.
    if TestPlace.isOnServer { return }
    #expect(try scene.fileBytes()["store.db-wal"] == nil)
    try Store.delete(at: scene.path)
  }

  @Test func `a cursor that outlives its transaction is refused`() throws {
    for _ in 0..<300 { try scene.save(Node.create(), in: store) }
    let cursor = try store.read { _ in try Node.cursor() }
    expectError(.transactionState) { while try cursor.next() != nil {} }
  }

  @Test func `a store that is dropped while a cursor is open lives as long as the cursor`() throws {
    let car = Car.create()
    for label in 0..<600 {
      let person = Person.create()
      person.code = "\(label)"
      car.drivers.add(person)
    }
    try scene.save(car, in: store)
    weak var dropped: Store?
    do {
      var second: Store? = try scene.open()
      dropped = second
      let fetched = try #require(try second?.read { _ in try Car.fetchOne() })
      let cursor = try fetched.drivers.cursor()
      second = nil
      var count = 0
      while try cursor.next() != nil { count += 1 }
      #expect(count == 600)
    }
    #expect(dropped == nil)
  }

  @Test func `an object of one store is not written into another`() throws {
    let other = try Scene()
    let second = try other.open()
    let (node, wheel) = (Node.create(), Wheel.create())
    try scene.save(node, in: store)
    try scene.save(wheel, in: store)
    let size = wheel.size
    node.label = 8
    try second.write { _ in try node.save() }
    #expect(try store.read { _ in try Node.fetchOne()?.label } == 8)
    let car = Car.create()
    car.wheels = [wheel]
    wheel.size = 1
    // A cascade takes a child along, and leaves the row of the other store as it is.
    try other.save(car, in: second)
    #expect(try second.read { _ in try Wheel.fetchAll().map(\.size) } == [1])
    #expect(try store.read { _ in try Wheel.fetchOne()?.size } == size)
  }

  @Test func `without a default store a call says so`() async throws {
    // In a process of its own, where no other test has made one.
    await #expect(processExitsWith: .success) {
      try LifecycleTests.expectNoDefault()
    }
  }

  private static func expectNoDefault() throws {
    expectError(.noDefaultStore) { _ = try Node.fetchAll() }
    expectError(.noDefaultStore) { try Node.create().save() }
    expectError(.noDefaultStore) { _ = try Node.count() }
    let scene = try Scene()
    let store = try scene.open()
    try store.makeDefault()
    try Node.create().save()
    try store.close()
    expectError(.noDefaultStore) { _ = try Node.fetchAll() }
  }
}
