import Foundation
import Nacre
import Testing
import TestSupport

/// The rows that `delete` takes and leaves (design: meaning of delete).
@Suite struct DeleteTests {
  let test: TestStore

  init() throws { test = try TestStore() }

  private func count<E: Entity>(_ type: E.Type) throws -> Int {
    try test.store.read { _ in try E.count() }
  }

  private func node(_ title: String) -> Node {
    let node = Node.create()
    node.use(test.store)
    node.title = title
    return node
  }

  @Test func `without cascade the row goes and the children stay`() throws {
    let car = Car.create()
    car.use(test.store)
    car.wheels = [Wheel.create()]
    try car.save()
    try car.delete()
    #expect(try count(Car.self) == 0)
    #expect(try count(Wheel.self) == 1)
    #expect(!car.isStored)
  }

  @Test func `references to a deleted object become nil`() throws {
    let (a, b, c) = (node("a"), node("b"), node("c"))
    try c.save()
    a.friend = Link(c)
    b.next = c
    b.children = [c]
    try a.save()
    try b.save()
    try c.delete()
    let left = try test.store.read { _ in try Node.fetchAll(orderBy: "title") }
    #expect(left.map(\.title) == ["a", "b"])
    #expect(left[0].friend == nil)
    #expect(left[1].next == nil)
    #expect(left[1].children.isEmpty)
  }

  @Test func `with cascade the stored graph goes to any depth, also what is not in memory`()
    throws
  {
    let root = node("root")
    root.next = node("1")
    root.next?.children = [node("2"), node("3")]
    root.next?.children[0].next = node("4")
    try root.save()
    let found = try test.store.read { _ in try Node.fetch(id: root.objectID) }
    let bare = try #require(found)
    bare.next = nil
    try bare.delete(cascade: true)
    #expect(try count(Node.self) == 0)
  }

  @Test func `a cycle is deleted`() throws {
    let (a, b) = (node("a"), node("b"))
    a.next = b
    b.next = a
    try a.save()
    try a.delete(cascade: true)
    #expect(try count(Node.self) == 0)
    a.next = nil
  }

  @Test func `a child that something outside refers to stays, with what it owns itself`() throws {
    let (root, outside, shared, below) = (node("r"), node("o"), node("s"), node("b"))
    root.children = [shared, node("gone")]
    shared.next = below
    outside.friend = Link(shared)
    try root.save()
    try outside.save()
    let plan = try root.deletionPlan()
    #expect(plan.count == 2)
    #expect(plan.kept.map(\.objectIDs) == [[shared.objectID, below.objectID].sorted(by: before)])
    try root.delete(cascade: true)
    let left = try test.store.read { _ in try Node.fetchAll(orderBy: "title") }
    #expect(left.map(\.title) == ["b", "o", "s"])
    #expect(left[2].next === left[0])
  }

  private func before(_ a: UUID, _ b: UUID) -> Bool { a.uuidString < b.uuidString }

  @Test func `children that refer to each other go together`() throws {
    let (root, a, b) = (node("r"), node("a"), node("b"))
    root.children = [a, b]
    a.friend = Link(b)
    b.friend = Link(a)
    try root.save()
    try root.delete(cascade: true)
    #expect(try count(Node.self) == 0)
  }

  @Test func `links are not followed`() throws {
    let car = Car.create()
    car.use(test.store)
    car.owner = Link(Person.create())
    car.drivers.add(Person.create())
    try car.save()
    try car.delete(cascade: true)
    #expect(try count(Person.self) == 2)
  }

  @Test func `deny refuses while there are children, and nothing is deleted`() throws {
    let account = Account.create()
    account.use(test.store)
    account.bookings = [Booking.create()]
    account.notes = [Sticker.create()]
    try account.save()
    for cascade in [true, false] {
      let error = #expect(throws: NacreError.self) { try account.delete(cascade: cascade) }
      #expect(error?.code == .deleteDenied)
      #expect(error?.property == "bookings")
    }
    #expect(throws: NacreError.self) { try account.deletionPlan() }
    #expect(try count(Account.self) == 1)
    #expect(account.isStored)
    account.bookings = []
    try account.save()
    try account.delete(cascade: true)
    #expect(try count(Account.self) == 0)
    #expect(try count(Sticker.self) == 1, "a relationship that keeps its children keeps them")
  }

  @Test func `the plan says what would go and changes nothing`() throws {
    let car = Car.create()
    car.use(test.store)
    car.engine = Engine.create()
    car.wheels = (0..<4).map { _ in Wheel.create() }
    try car.save()
    let plan = try car.deletionPlan(cascade: true)
    #expect(plan.description == "Car: 1 deleted\nEngine: 1 deleted\nWheel: 4 deleted")
    #expect(try car.deletionPlan(cascade: false).count == 1)
    #expect(try count(Wheel.self) == 4)
  }

  @Test func `deleting an object that was never stored is nothing`() throws {
    let car = Car.create()
    car.use(test.store)
    try car.delete(cascade: true)
    #expect(try count(Car.self) == 0)
  }

  @Test func `a deleted graph can be saved again`() throws {
    let root = node("r")
    root.next = node("n")
    try root.save()
    try root.delete(cascade: true)
    #expect(!root.isStored && root.next?.isStored == false)
    try root.save()
    #expect(try count(Node.self) == 2)
  }

  @Test func `deleteAll takes what its condition is true of, and truncate takes all`() throws {
    for power in 0..<10 {
      let car = Car.create()
      car.use(test.store)
      car.power = power
      car.wheels = [Wheel.create()]
      try car.save()
    }
    try test.store.write { (_) throws in
      #expect(try Car.deleteAll(where: "power < ?", 3) == 3)
      #expect(try Wheel.count() == 10)
      #expect(try Car.deleteAll(where: "power < ?", 5, cascade: true) == 2)
      #expect(try Wheel.count() == 8)
      #expect(try Car.truncate() == 5)
      #expect(try Car.count() == 0)
    }
  }
}
