import Foundation
import NacreCore
import NacreUpkeep
import Testing
@testable import TestSupport

@Suite(.timeLimit(.minutes(10))) struct EntityChangesTests {
  @Test(arguments: [true, false])
  func `a transaction is told as one element after its commit`(usesHook: Bool) async throws {
    let test = try ObservingScene(usesHook: usesHook)
    let (old, gone, new) = (try test.wheel(), try test.wheel(), Wheel.create())
    var changes = try await test.store.changes(of: Wheel.self).makeAsyncIterator()
    let save: () throws -> Void = {
      try test.store.write { (_) throws in
        old.size = 7
        try old.save()
        try gone.delete()
        try new.save()
      }
    }
    try save()
    let told = await changes.next()?.told
    #expect(
      told == Told(inserted: [new.objectID], updated: [old.objectID], deleted: [gone.objectID])
    )
  }

  @Test func `changes that are rolled back are never told`() async throws {
    let test = try ObservingScene()
    let (kept, lost) = (try test.wheel(), try test.wheel())
    var changes = try await test.store.changes(of: Wheel.self).makeAsyncIterator()
    struct Stop: Error {}
    let work: () throws -> Void = {
      try? test.store.write { (_) throws in
        lost.size = 2
        try lost.save()
        throw Stop()
      }
      try test.store.write { (database) throws in
        try? test.store.write { (_) throws in
          lost.size = 3
          try lost.save()
          throw Stop()
        }
        try? test.store.write { (_) throws in
          try database.execute("DELETE FROM \"Wheel\"")
          throw Stop()
        }
        // Fails at the second row, after the hook has told of the first. On a server only a savepoint can undo that.
        let one = "UPDATE \"Wheel\" SET \"objectID\" = ?"
        if TestPlace.isOnServer {
          try? test.store.write { _ = try $0.execute(one, UUID()) }
        } else {
          _ = try? database.execute(one, UUID())
        }
        kept.size = 9
        try kept.save()
      }
    }
    try work()
    let told = await changes.next()?.told
    #expect(told == Told(updated: [kept.objectID]))
  }

  @Test func `cascades, foreign keys and raw SQL are told`() async throws {
    let test = try ObservingScene()
    let (car, wheel) = (Car.create(), Wheel.create())
    car.spare = wheel
    car.wheels = [Wheel.create()]
    try test.scene.save(car, in: test.store)
    var cars = try await test.store.changes(of: Car.self).makeAsyncIterator()
    var wheels = try await test.store.changes(of: Wheel.self).makeAsyncIterator()
    let deleteWheel: () throws -> Void = { try wheel.delete() }
    try deleteWheel()
    #expect(await wheels.next()?.told == Told(deleted: [wheel.objectID]))
    #expect(await cars.next()?.told == Told(updated: [car.objectID]))
    let child = car.wheels[0].objectID
    let unlink: () throws -> Void = {
      try test.store.write { try $0.execute("DELETE FROM \"Car_wheels\"") }
    }
    try unlink()
    #expect(await cars.next()?.told == Told(updated: [car.objectID]))
    let truncate: () throws -> Void = {
      _ = try test.store.write { (_) throws in try Wheel.truncate() }
    }
    try truncate()
    #expect(await wheels.next()?.told == Told(deleted: [child]))
    let raw = try #require(UUID(uuidString: Self.text))
    let insert: () throws -> Void = {
      try test.store.write {
        _ = try $0.execute("INSERT INTO \"Car\" (\"objectID\", name) VALUES (?, 'raw')", raw)
      }
    }
    try insert()
    #expect(await cars.next()?.told == Told(inserted: [raw]))
  }

  private static let text = "00112233-4455-6677-8899-AABBCCDDEEFF"

  @Test func `a table that was emptied by a prepared statement before is told of row by row`()
    async throws
  {
    let test = try ObservingScene()
    let truncate: () throws -> Void = {
      _ = try test.store.write { (_) throws in try Wheel.truncate() }
    }
    try truncate()
    let wheel = try test.wheel()
    var changes = try await test.store.changes(of: Wheel.self).makeAsyncIterator()
    try truncate()
    #expect(await changes.next()?.told == Told(deleted: [wheel.objectID]))
  }

  @Test(arguments: [true, false])
  func `changes that wait are put together`(usesHook: Bool) async throws {
    let test = try ObservingScene(usesHook: usesHook)
    let (old, again, gone) = (try test.wheel(), try test.wheel(), try test.wheel())
    let (new, passing) = (Wheel.create(), Wheel.create())
    var changes = try await test.store.changes(of: Wheel.self).makeAsyncIterator()
    let work: () throws -> Void = {
      try test.scene.save(new, in: test.store)
      try test.scene.save(passing, in: test.store)
      new.size = 4
      old.size = 4
      gone.size = 4
      for wheel in [new, old, gone] { try test.scene.save(wheel, in: test.store) }
      try passing.delete()
      try gone.delete()
      try again.delete()
      let copy = Wheel.create(objectID: again.objectID)
      try test.scene.save(copy, in: test.store)
    }
    try work()
    #expect(
      await changes.next()?.told
        == Told(
          inserted: [new.objectID],
          updated: [old.objectID, again.objectID],
          deleted: [gone.objectID]
        )
    )
  }

  @Test func `a transaction by hand is told, and none that the caller's own SQL would commit`()
    async throws
  {
    let test = try ObservingScene()
    let (first, second, third) = (Wheel.create(), Wheel.create(), Wheel.create())
    var changes = try await test.store.changes(of: Wheel.self).makeAsyncIterator()
    let byHand: () throws -> Void = {
      try test.store.begin()
      try test.scene.save(first, in: test.store)
      try test.store.commit()
    }
    try byHand()
    #expect(await changes.next()?.told == Told(inserted: [first.objectID]))
    let bySQL: () throws -> Void = {
      try? test.store.write { (database) throws in
        try second.save()
        try database.execute("COMMIT")
      }
      try test.scene.save(third, in: test.store)
    }
    try bySQL()
    #expect(await changes.next()?.told == Told(inserted: [third.objectID]))
  }

  @Test(arguments: [true, false])
  func `a rotation changes no object`(usesHook: Bool) async throws {
    let test = try ObservingScene(usesHook: usesHook)
    let car = Car.create()
    car.vin = Marker.text
    try test.scene.save(car, in: test.store)
    var changes = try await test.store.changes(of: Car.self).makeAsyncIterator()
    let rotate: () throws -> Void = { _ = try test.store.rotate() }
    try rotate()
    let other = Car.create()
    try test.scene.save(other, in: test.store)
    #expect(await changes.next()?.told == Told(inserted: [other.objectID]))
  }

  @Test func `columns that change under the rows are told`() async throws {
    let test = try ObservingScene()
    let wheel = try test.wheel()
    var changes = try await test.store.changes(of: Wheel.self).makeAsyncIterator()
    let alter: () throws -> Void = {
      try test.store.write {
        try $0.execute("ALTER TABLE \"Wheel\" ADD COLUMN extra INTEGER NOT NULL DEFAULT 3")
      }
    }
    try alter()
    #expect(await changes.next()?.told == Told(updated: [wheel.objectID]))
  }

  @Test func `an object's changes are told without the object`() async throws {
    let test = try ObservingScene()
    let (wheel, other) = (try test.wheel(), try test.wheel())
    var changes = try wheel.changes.makeAsyncIterator()
    let update: (Wheel) throws -> Void = { wheel in
      wheel.size += 1
      try test.scene.save(wheel, in: test.store)
    }
    try update(other)
    try update(wheel)
    #expect(await changes.next() == .updated)
    try test.scene.edit("UPDATE \"Wheel\" SET size = 99")
    #expect(await changes.next() == .updated)
    let delete: () throws -> Void = { try wheel.delete() }
    try delete()
    #expect(await changes.next() == .deleted)
  }

  @Test func `sequences end with the store and with the task`() async throws {
    let test = try ObservingScene()
    let changes = try await test.store.changes(of: Wheel.self)
    let others = try await test.store.changes(of: Wheel.self)
    let cancelled = Task {
      var count = 0
      for await _ in others { count += 1 }
      return count
    }
    cancelled.cancel()
    #expect(await cancelled.value == 0)
    let waiting = Task {
      var count = 0
      for await _ in changes { count += 1 }
      return count
    }
    try await test.store.close()
    #expect(await waiting.value == 0)
    await #expect(throws: NacreError.self) { _ = try await test.store.changes(of: Wheel.self) }
  }
}
