import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// Observation, migration and graphs in a store in memory.
@Suite(.sqliteOnly("its stores are in memory"), .timeLimit(.minutes(10))) struct MemoryEntityTests {
  private let store: Store

  init() throws { store = try Store.inMemory(unlock: Scene.unlock, options: .patient) }

  private func save(_ object: any Entity) throws {
    object.use(store)
    try object.save()
  }

  @Test func `changes are told after their commit`() async throws {
    let wheel = Wheel.create()
    try save(wheel)
    var changes = try await store.changes(of: Wheel.self).makeAsyncIterator()
    let work: () throws -> Void = {
      wheel.size = 7
      try wheel.save()
    }
    try work()
    let told = await changes.next()?.told
    #expect(told == Told(updated: [wheel.objectID]))
  }

  @Test func `a live query runs again`() async throws {
    var sizes = store.live { (_) throws in try Wheel.fetchAll(orderBy: "size").map(\.size) }
      .makeAsyncIterator()
    #expect(try await sizes.next() == [])
    let wheel = Wheel.create()
    wheel.size = 3
    let work: () throws -> Void = { try save(wheel) }
    try work()
    #expect(try await sizes.next() == [3])
  }

  @Test func `a graph is saved, read and deleted whole`() throws {
    let (car, person) = (Car.create(), Person.create())
    car.wheels = (0..<4).map { _ in Wheel.create() }
    car.spare = Wheel.create()
    car.owner = Link(person)
    car.drivers.add(person)
    try save(car)
    let found = try #require(try Car.in(store).fetchOne())
    #expect(found.wheels.map(\.objectID) == car.wheels.map(\.objectID))
    #expect(try found.owner?.get().objectID == person.objectID)
    try found.delete(cascade: true)
    #expect(try Wheel.in(store).count() == 0)
    #expect(try Person.in(store).count() == 1)
  }

  @Test func `what was plain is sealed, and no plain value is left`() throws {
    try Paper<PlainPaper>.store(12, in: store)
    let before = try Paper<PlainPaper>.values(in: store)
    expectError(.migrationPending) { _ = try Paper<SealedPaper>.values(in: store) }
    _ = try store.migrate(Paper<SealedPaper>.self)
    #expect(try Paper<SealedPaper>.values(in: store) == before)
    let found = try store.read { (_) throws in
      try Paper<SealedPaper>.fetchOne(\.text, equals: "MARKER-text-3")?.label
    }
    #expect(found == "3")
    #expect(try store.verify().isSound)
    var count = 0
    try store.read { database in
      for file in RawFile.allCases {
        try store.engine.readRaw(file, under: database.connection) { bytes in
          if Data(bytes).range(of: Data("MARKER-text".utf8)) != nil { count += 1 }
        }
      }
    }
    #expect(count == 0)
  }

  @Test func `a store of a former version is migrated in a copy, and stays as it is`() throws {
    let scene = try Scene()
    let old = try scene.open()
    try Paper<PlainPaper>.store(5, in: old)
    let before = try Paper<PlainPaper>.values(in: old)
    let copy = try Store.inMemory(copyOf: scene.path, unlock: Scene.unlock, options: .patient)
    _ = try copy.migrate(Paper<SealedPaper>.self)
    #expect(try Paper<SealedPaper>.values(in: copy) == before)
    #expect(try Paper<PlainPaper>.values(in: old) == before)
    #expect(try old.migrationPlan(Paper<PlainPaper>.self).isEmpty)
  }

  @Test func `a conversion is kept from running beside a rotation`() throws {
    try Paper<PlainPaper>.store(30, in: store)
    let safe = Safe.create()
    safe.secret = Marker.text
    try save(safe)
    var refusals = 0
    _ = try store.rotate { _ in
      expectError(.rotationHeld) { _ = try store.migrate(Paper<SealedPaper>.self) }
      refusals += 1
      return .goOn
    }
    #expect(refusals > 0)
    _ = try store.migrate(Paper<SealedPaper>.self)
  }
}
