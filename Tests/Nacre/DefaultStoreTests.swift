import Foundation
import Nacre
import Testing
@testable import TestSupport

/// Uses of the process's default store, one after another, for there is only one.
@Suite(.serialized) struct DefaultStoreTests {
  @Test func `create and save need no set-up beyond a default store`() throws {
    let test = try TestStore()
    try test.store.makeDefault()
    #expect(Store.default === test.store)
    try Car.create().save(cascade: true)
    let car = try #require(try Car.fetchOne())
    car.name = "x"
    try car.save()
    #expect(try Car.fetchOne(\.name, equals: "x")?.objectID == car.objectID)
    try test.store.close()
    // Another test's store may be the first one without a name now.
    #expect(Store.default !== test.store)
  }

  @Test func `every call has an async twin`() async throws {
    let test = try TestStore()
    try test.store.makeDefault()
    let car = Car.create()
    car.name = "x"
    try await car.save()
    #expect(try await Car.count() == 1)
    #expect(try await Car.count(where: "name = ?", "x") == 1)
    #expect(try await Car.fetch(id: car.objectID)?.name == "x")
    #expect(try await Car.fetchOne()?.name == "x")
    #expect(try await Car.fetchOne(where: "name = ?", "x") != nil)
    #expect(try await Car.fetchOne(\.name, equals: "x") != nil)
    #expect(try await Car.fetchAll(\.name, equals: "x").count == 1)
    #expect(try await Car.fetchAll(orderBy: "name", page: 0, size: 5).count == 1)
    #expect(try await Car.fetchAll(where: "power >= ?", 0).count == 1)
    #expect(try await Car.fetchValues(\.name, where: "power >= ?", 0) == ["x"])
    #expect(try await Car.where("name IN (:names)", ["names": ["x", "y"]]).fetchAll().count == 1)
    #expect(try await Car.where("name = :name", ["name": "x"]).fetchOne() != nil)
    #expect(try await Car.count(where: "name IN (?)", ["x", "y"]) == 1)
    #expect(try await Car.where("name = :name", ["name": "x"]).count() == 1)
    let found = try await Car.find(
      sql: "SELECT \"objectID\", 7 AS n FROM \"Car\" WHERE name = ?",
      "x"
    )
    #expect(found.map(\.name) == ["x"] && found.map { $0["n"] } == [7])
    #expect(try await Car.where("name = :name", ["name": "y"]).deleteAll() == 0)
    #expect(try await Car.deleteAll(ids: [UUID()]) == 0)
    let cars = try await Car.cursor(where: "name = ?", "x")
    #expect(try cars.next()?.objectID == car.objectID)
    #expect(try await Car.cursor(orderBy: "name").next()?.name == "x")
    #expect(try await car.drivers.contains(objectID: UUID()) == false)
    #expect(try await Car.deleteAll(where: "power > ?", 0) == 0)
    #expect(try await Car.truncate() == 1)
    // A server's store is not copied by Nacre.
    if TestPlace.isOnServer { return }
    let copy = test.directory.file("copy.db")
    try await test.store.backup(to: copy)
    try await test.store.close()
    let unlock = Unlock.keyFile(test.directory.file("store.key"))
    let opened = try await Store.open(copy, unlock: unlock)
    #expect(try await opened.read { _ in try Car.count() } == 0)
    try await opened.close()
  }

  @Test func `a link by an objectID alone is looked up in the default store`() throws {
    let test = try TestStore()
    try test.store.makeDefault()
    let person = Person.create()
    try person.save()
    #expect(try Link<Person>(objectID: person.objectID).get().objectID == person.objectID)
    try test.store.close()
  }

  @Test func `a store closes while cursors over objects with children are still about`() throws {
    let test = try TestStore()
    try test.store.makeDefault()
    let car = Car.create()
    car.wheels = [Wheel.create()]
    car.engine = Engine.create()
    try car.save()
    let ended = try Car.cursor()
    while try ended.next() != nil {}
    let open = try Car.cursor()
    _ = try open.next()
    try test.store.close()
    let error = #expect(throws: NacreError.self) {
      while try open.next() != nil {}
    }
    #expect(error?.code == .storeClosed || error == nil)
    withExtendedLifetime(ended) {}
  }

  @Test func `a closed store refuses its objects`() throws {
    let test = try TestStore()
    try test.store.makeDefault()
    let car = Car.create()
    try car.save()
    try test.store.close()
    try test.store.close()
    car.name = "late"
    let error = #expect(throws: NacreError.self) { try car.save() }
    #expect(error?.code == .storeClosed)
    #expect(throws: NacreError.self) { try test.store.makeDefault() }
  }
}
