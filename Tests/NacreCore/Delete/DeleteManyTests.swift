import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// `store.delete(objects)`, which deletes any number of objects at once.
@Suite struct DeleteManyTests {
  private let test: TestStore
  private let cars: [Car]
  private let shared = Wheel.create()

  /// Three cars with a wheel each; the first two have one more in common.
  init() throws {
    test = try TestStore()
    cars = (0..<3).map { number in
      let car = Car.create()
      (car.name, car.wheels) = ("\(number)", [Wheel.create()])
      return car
    }
    cars[0].wheels.append(shared)
    cars[1].wheels.append(shared)
    try test.store.save(cars)
  }

  private func names() throws -> [String] {
    try Car.in(test.store).ordered(by: "name").fetchAll().map(\.name)
  }

  private func wheelCount() throws -> Int { try Wheel.in(test.store).count() }

  @Test func `children go with the last of their parents`() throws {
    try test.store.delete([cars[0]], cascade: true)
    #expect(try names() == ["1", "2"])
    #expect(try wheelCount() == 3)
    #expect(shared.isStored && !cars[0].isStored)
    try test.store.delete(cars, cascade: true)
    #expect(try names() == [])
    #expect(try wheelCount() == 0)
    #expect(!shared.isStored && cars.allSatisfy { !$0.isStored })
  }

  @Test func `a child of two that are deleted together does not keep itself`() throws {
    try test.store.delete([cars[0], cars[1], cars[0]], cascade: true)
    #expect(try names() == ["2"])
    #expect(try wheelCount() == 1)
    #expect(!shared.isStored)
  }

  @Test func `without cascade the children stay`() throws {
    try test.store.delete(cars)
    #expect(try names() == [])
    #expect(try wheelCount() == 4)
    #expect(shared.isStored && cars.allSatisfy { !$0.isStored })
  }

  @Test func `what was never stored, or is another store's, is left alone`() throws {
    let other = try TestStore()
    let theirs = Car.create()
    theirs.use(other.store)
    try theirs.save()
    try test.store.delete([Car.create(), theirs, cars[2]])
    #expect(try names() == ["0", "1"])
    #expect(theirs.isStored)
    #expect(try Car.in(other.store).count() == 1)
  }

  @Test func `a transaction that fails later brings all back`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try test.store.write { _ in
        try test.store.delete(cars, cascade: true)
        throw Stop()
      }
    }
    #expect(try names() == ["0", "1", "2"])
    #expect(try wheelCount() == 4)
    #expect(shared.isStored && cars.allSatisfy { $0.isStored })
  }

  @Test func `one conflict keeps all`() throws {
    let deposits = (0..<3).map { _ in Deposit.create() }
    try test.store.save(deposits)
    let found = try test.store.read { (_) throws in
      try Deposit.in(test.store).where("objectID = ?", deposits[1].objectID).fetchOne()
    }
    let other = try #require(found)
    other.balance += 1
    try test.store.save([other])
    expectError(.conflict, entity: "Deposit") { try test.store.delete(deposits) }
    #expect(try Deposit.in(test.store).count() == 3)
    #expect(deposits.allSatisfy { $0.isStored })
  }

  @Test func `the async twin deletes, too`() async throws {
    try await test.store.delete(cars, cascade: true)
    #expect(try wheelCount() == 0)
  }
}
