import Foundation
import NacreCore
import Testing
@testable import TestSupport

@Suite struct SmokeTests {
  @Test func `a graph is saved, fetched, changed and deleted`() throws {
    let scene = try Scene()
    let store = try scene.open()
    let car = Car.create()
    car.name = "A"
    car.vin = Marker.text
    car.wheels = [Wheel.create(), Wheel.create()]
    car.wheels[1].size = 7
    car.spare = car.wheels[0]
    try scene.save(car, in: store)
    #expect(!car.hasChanges)
    try store.write { _ in
      let again = try #require(try Car.fetch(id: car.objectID))
      #expect(again.name == "A")
      #expect(again.vin == Marker.text)
      #expect(again.wheels.map(\.size) == [0, 7])
      #expect(again.spare === again.wheels[0])
      #expect(!again.hasChanges)
      again.wheels.removeFirst()
      try again.save()
    }
    try store.write { _ in
      let third = try #require(try Car.fetchOne(\.name, equals: "A"))
      #expect(third.wheels.map(\.size) == [7])
      #expect(try Car.fetchValues(\.name, \.vin).first?.1 == Marker.text)
      #expect(try third.deletionPlan().count == 3)
      try third.delete(cascade: true)
    }
    try store.read { (_) throws in
      #expect(try Wheel.count() == 0)
      #expect(try Car.count() == 0)
    }
  }
}
