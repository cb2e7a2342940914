import Foundation
import Nacre
import Testing

/// Saving, fetching and deleting.
extension DefaultStoreTests.Tour {
  @Test func `objects are saved with all that hangs on them`() throws {
    let (store, _, _) = try garage()
    // tour: saving
    let bob = Person.create()
    bob.handle = "bob"
    bob.email = "bob@example.org"

    let car = Car.create()
    car.name = "Renault 4"
    car.power = 34
    car.vin = "VF1R4000000000042"
    car.engine = Engine.create()
    car.wheels = (1...4).map { _ in Wheel.create() }
    car.owner = Link(bob)
    try car.save(cascade: true)  // one transaction: car, engine, wheels, and the new owner

    car.color = "blue"
    try car.save()  // writes one column; a third save would write nothing
    // end
    #expect(try Car.count() == 2 && Engine.count() == 2 && Wheel.count() == 8)
    #expect(try Person.fetchOne(\.handle, equals: "bob")?.email == "bob@example.org")
    #expect(!car.hasChanges)
    try store.close()
  }

  @Test func `objects are fetched by id, property, condition and page, or as values`() throws {
    let (store, car, _) = try garage()
    let id = car.objectID
    // tour: fetching
    let byID = try Car.fetch(id: id)  // nil where there is none
    let byName = try Car.fetchOne(\.name, equals: "Alpine A110")
    let fast = try Car.fetchAll(where: "power > ?", 200, orderBy: "power DESC", page: 0, size: 20)
    let unpainted = try Car.count(where: "color IS NULL")
    let values = try Car.fetchValues(\.name, \.vin, where: "power > ?", 200)  // [(String, String?)]
    // end
    #expect(byID?.wheels.count == 4)
    #expect(byName?.engine?.cylinders == 4)
    #expect(fast.map(\.objectID) == [id])
    #expect(unpainted == 1)
    #expect(values.count == 1 && values[0] == ("Alpine A110", "VFAA110A400000001"))
    try store.close()
  }

  @Test func `a cursor reads one object after another`() throws {
    let (store, _, _) = try garage()
    #expect(try totalPower() == 252)
    try store.close()
  }

  private func totalPower() throws -> Int {
    var total = 0
    // tour: cursor
    let cars = try Car.cursor(orderBy: "name")  // a million cars in constant memory
    while let car = try cars.next() { total += car.power }
    // end
    return total
  }

  @Test func `links are loaded when they are asked for, or beforehand`() throws {
    let (store, car, ada) = try garage()
    // tour: links
    let owner = try car.owner?.get()  // loaded now, or an error when it is gone

    car.drivers.add(ada)  // written by the car's next save
    try car.save()
    let drivers = try car.drivers.fetchAll(orderBy: "handle", page: 0, size: 10)
    let first = try car.drivers.page(0, size: 20, orderBy: "handle")  // with first.totalItems
    let driven = try ada.cars.fetchAll()  // one table stores both sides

    let cars = try Car.fetchAll(with: \.owner)  // all owners by one more query
    let email = cars[0].owner?.loaded?.email

    let hers = Car.where(\.owner, equals: ada)  // a link is a value, also in groupCounts(by:)
    let sorted = try hers.ordered(by: \.owner, \.handle).fetchAll()  // across the link
    // end
    #expect(sorted.map(\.objectID) == [car.objectID])
    #expect(owner?.handle == "ada")
    #expect(drivers.map(\.handle) == ["ada"])
    #expect(driven.map(\.objectID) == [car.objectID])
    #expect(first.items.map(\.handle) == ["ada"] && first.totalItems == 1)
    #expect(email == "ada@example.org")
    try store.close()
  }

  @Test func `the plan of a delete says what goes`() throws {
    let (store, car, _) = try garage()
    let cars = (0..<2).map { _ in Car.create() }
    try store.save(cars)
    // tour: deleting
    let plan = try car.deletionPlan(cascade: true)  // print(plan): "Car: 1 deleted", …
    try car.delete(cascade: true)  // the stored graph, to any depth
    try store.delete(cars, cascade: true)  // any number of objects, in one transaction

    try Car.deleteAll(where: "power < ?", 50)  // without loading them
    // end
    #expect(plan.description == "Car: 1 deleted\nEngine: 1 deleted\nWheel: 4 deleted")
    #expect(cars.allSatisfy { !$0.isStored })
    #expect(try Car.count() == 0 && Engine.count() == 0 && Wheel.count() == 0)
    #expect(try Person.count() == 1)
    try store.close()
  }
}
