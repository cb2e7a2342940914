import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// A disk that is full in the middle of a cascade.
@Suite(.sqliteOnly("it fills a file by the limit of its pages")) struct DiskFullTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open { $0.maximumPageCount = 60 }
    try scene.save(Car.create(), in: store)
  }

  private func tooMuch() -> Car {
    let car = Car.create()
    car.vin = Marker.text
    car.wheels = (0..<1000).map { _ in
      let wheel = Wheel.create()
      wheel.note = String(repeating: "n", count: 1000)
      return wheel
    }
    return car
  }

  private func expectUnsaved(_ car: Car, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(!car.isStored && car.hasChanges, sourceLocation: sourceLocation)
    #expect(
      car.wheels.allSatisfy { !$0.isStored && $0.hasChanges },
      sourceLocation: sourceLocation
    )
  }

  private func expectOneCar(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try store.read { (_) throws in
      #expect(try Car.count() == 1, sourceLocation: sourceLocation)
      #expect(try Wheel.count() == 0, sourceLocation: sourceLocation)
    }
  }

  @Test func `a save that fills the disk stores no row, and the store goes on`() throws {
    let car = tooMuch()
    expectError(.diskFull) { try scene.save(car, in: store) }
    expectUnsaved(car)
    try expectOneCar()
    car.wheels.removeSubrange(5...)
    try scene.save(car, in: store)
    #expect(!car.hasChanges)
    #expect(try store.read { _ in try Car.fetch(id: car.objectID)?.wheels.count } == 5)
  }

  @Test func `a transaction that goes on as if nothing had happened stores nothing`() throws {
    let (early, car, late) = (Node.create(), tooMuch(), Node.create())
    #expect(throws: NacreError.self) {
      try store.write { _ in
        try early.save()
        expectError(.diskFull) { try car.save() }
        try? late.save()
      }
    }
    expectUnsaved(car)
    try expectOneCar()
    if early.isStored || late.isStored {
      // Where SQLite kept the transaction, both halves are there.
      #expect(early.isStored && late.isStored)
    }
    let stored = try store.read { _ in try Node.count() }
    #expect(stored == (early.isStored ? 1 : 0) + (late.isStored ? 1 : 0))
  }

  @Test func `a transaction begun by hand does not store its second half alone`() throws {
    let (early, car, late) = (Node.create(), tooMuch(), Node.create())
    try store.begin()
    try store.write { _ in try early.save() }
    expectError(.diskFull) { try store.write { _ in try car.save() } }
    try? store.write { _ in try late.save() }
    let isLost = !early.isStored || !late.isStored
    if isLost { expectError(.transactionState) { try store.commit() } } else { try store.commit() }
    expectUnsaved(car)
    try expectOneCar()
    #expect(early.isStored == late.isStored)
    let stored = try store.read { _ in try Node.count() }
    #expect(stored == (early.isStored ? 1 : 0) + (late.isStored ? 1 : 0))
    try scene.save(early, in: store)
    #expect(try store.read { _ in try Node.fetch(id: early.objectID) } != nil)
  }

  @Test func `a store that does not fit is not made, and its place stays usable`() throws {
    let scene = try Scene()
    expectError(.diskFull) { _ = try scene.open { $0.maximumPageCount = 3 } }
    let store = try scene.open()
    try scene.save(Node.create(), in: store)
  }
}
