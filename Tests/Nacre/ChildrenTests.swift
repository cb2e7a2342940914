import Foundation
import Nacre
import Testing
import TestSupport

/// Lists of children as `@Entity` makes them, changed by several instances of their owner.
@Suite struct ChildrenTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func load<E: Entity>(_ object: E) throws -> E {
    let found = try test.store.read { _ in try E.fetch(id: object.objectID) }
    return try #require(found)
  }

  private func room(_ name: String) -> Room {
    let room = Room.create()
    room.name = name
    return room
  }

  private func sticker(_ text: String) -> Sticker {
    let sticker = Sticker.create()
    sticker.text = text
    return sticker
  }

  @Test func `a list keeps the children that two instances append`() throws {
    let car = Car.create()
    car.stickers = [sticker("a")]
    car.wheels = [Wheel.create()]
    car.use(test.store)
    try car.save()
    let (one, two) = (try load(car), try load(car))
    one.stickers.append(sticker("x"))
    one.wheels.append(Wheel.create())
    two.stickers = two.stickers + [sticker("y")]
    two.wheels += [Wheel.create()]
    try one.save()
    try two.save()
    let stored = try load(car)
    #expect(stored.stickers.map(\.text) == ["a", "x", "y"])
    #expect(stored.wheels.count == 3)
    two.stickers.removeAll()
    try two.save()
    #expect(try load(car).stickers.map(\.text) == ["x"])
    #expect(try test.store.read { _ in try Sticker.count() } == 1)
  }

  @Test func `children that are found by their own link stay and keep their order`() throws {
    let house = House.create()
    house.rooms = ["c", "b", "a"].map(room)
    house.use(test.store)
    try house.save()
    let (one, two) = (try load(house), try load(house))
    one.rooms.append(room("x"))
    try one.save()
    two.rooms.swapAt(0, 2)
    try two.save()
    #expect(try load(house).rooms.map(\.name) == ["a", "b", "c", "x"])
    two.rooms.sort { $0.name > $1.name }
    try two.save()
    #expect(try load(house).rooms.map(\.name).filter { $0 != "x" } == ["c", "b", "a"])
  }

  @Test func `a to-one child that another instance has put there is not deleted`() throws {
    let engine = Engine.create()
    engine.label = sticker("a")
    engine.use(test.store)
    try engine.save()
    let (one, two) = (try load(engine), try load(engine))
    one.label = sticker("b")
    try one.save()
    two.label = sticker("c")
    try two.save()
    #expect(try load(engine).label?.text == "c")
    let texts = try test.store.read { _ in try Sticker.fetchAll() }.map(\.text)
    #expect(texts == ["b", "c"])
  }
}
