import Foundation
import NacreCore
import NacreUpkeep
import Testing
@testable import TestSupport

/// Imports of objects that are stored already, or in a transaction that is undone.
@Suite struct ImportExistingTests {
  @Test func `an object that is stored already is refused, and nothing is imported`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store)
    try stock.scene.edit(
      "DELETE FROM Vault WHERE objectID <> ?1",
      stock.vaults[2].objectID.storedValue
    )
    let before = try stock.scene.tables()
    expectError(.alreadyStored, entity: "Badge", objectID: stock.badges[0].objectID) {
      try lines.load(into: stock.store)
    }
    #expect(try stock.scene.tables() == before)
  }

  @Test func `skipping leaves stored objects and their relationships as they are`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store)
    try stock.store.write { _ in
      stock.cars[0].name = "changed"
      stock.cars[0].wheels.removeLast(2)
      try stock.cars[0].save()
      try stock.cars[1].delete()
    }
    let report = try lines.load(into: stock.store, existing: .skip)
    #expect(report.objectCount == 1)
    #expect(report.skippedCount == 21)
    #expect(report.joinCount == 4 + 2)
    let cars = try stock.store.read { _ in try Car.fetchAll() }
    #expect(cars.first { $0.objectID == stock.cars[0].objectID }?.wheels.count == 2)
    #expect(cars.first { $0.objectID == stock.cars[0].objectID }?.name == "changed")
    #expect(cars.first { $0.objectID == stock.cars[1].objectID }?.wheels.count == 4)
    #expect(try stock.store.verify().isSound)
  }

  @Test func `replacing puts everything back, and what refers to it stays`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store)
    let before = try stock.scene.tables()
    try stock.store.write { _ in
      stock.cars[0].name = "changed"
      stock.cars[0].vin = "changed"
      stock.cars[0].wheels.removeFirst()
      stock.cars[0].drivers.removeAll()
      try stock.cars[0].save()
      stock.badges[0].plate = nil
      try stock.badges[0].save()
      try stock.people[2].delete()
    }
    let report = try lines.load(into: stock.store, existing: .replace)
    #expect(report.replacedCount == 21)
    #expect(report.objectCount == 22)
    #expect(try stock.scene.tables() == before)
    #expect(try stock.store.verify().isSound)
  }

  @Test func `a unique value that is stored under a former index key is refused`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store, revealing: true, entities: ["Badge"])
    let other = try Scene()
    let store = try other.open(Scene.wrong)
    let badge = Badge.make("1")
    try store.write { _ in try badge.save() }
    try store.promoteKey(store.addKey(.index))
    expectError(.constraint, entity: "Badge", property: "serial") { try lines.load(into: store) }
    try store.write { _ in try badge.delete() }
    try lines.load(into: store)
    #expect(try store.verify().isSound)
  }

  @Test func `an import inside a transaction is undone with it`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store)
    let (copy, store) = try stock.emptied()
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try store.write { _ in
        try lines.load(into: store)
        throw Enough()
      }
    }
    #expect(try copy.tables().values.allSatisfy(\.isEmpty))
    try lines.load(into: store)
  }
}
