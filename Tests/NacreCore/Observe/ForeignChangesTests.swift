import Foundation
import NacreCore
import NacreOpen
import Testing
@testable import TestSupport

@Suite(.timeLimit(.minutes(10))) struct ForeignChangesTests {
  @Test(arguments: [true, false])
  func `changes that another store of the file commits are told, and none twice`(
    usesHook: Bool
  ) async throws {
    let test = try ObservingScene(usesHook: usesHook)
    let other = try test.other()
    let (old, gone, new) = (try test.wheel(), try test.wheel(), Wheel.create())
    let (oldID, goneID) = (old.objectID, gone.objectID)
    var changes = try await test.store.changes(of: Wheel.self).makeAsyncIterator()
    let own: () throws -> Void = {
      old.size = 5
      try test.scene.save(old, in: test.store)
    }
    try own()
    #expect(await changes.next()?.told == Told(updated: [oldID]))
    let foreign: () throws -> Void = {
      try other.write { (_) throws in
        try new.save()
        try Wheel.fetch(id: goneID)?.delete()
      }
    }
    try foreign()
    #expect(await changes.next()?.told == Told(inserted: [new.objectID], deleted: [goneID]))
    try own()
    try test.scene.edit("UPDATE \"Wheel\" SET note = 'x'")
    old.size = 6
    try own()
    var updated: Set<UUID> = []
    while updated.count < 2 {
      let told = try #require(await changes.next()).told
      #expect(told.inserted.isEmpty && told.deleted.isEmpty)
      updated.formUnion(told.updated)
    }
    #expect(updated == [oldID, new.objectID])
  }

  @Test func `changes that another process commits are told`() async throws {
    let test = try ObservingScene()
    let wheel = try test.wheel()
    var changes = try await test.store.changes(of: Wheel.self).makeAsyncIterator()
    let path = test.scene.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try Store.open(path, unlock: Scene.unlock)
      try store.write { (_) throws in
        let wheel = try #require(try Wheel.fetchOne())
        wheel.size = 44
        try wheel.save()
      }
      try store.close()
    }
    #expect(await changes.next()?.told == Told(updated: [wheel.objectID]))
  }

  @Test func `an entity is observed from inside a transaction`() async throws {
    let test = try ObservingScene()
    let (before, after) = (Wheel.create(), Wheel.create())
    let observe: () throws -> EntityChanges<Wheel> = {
      try test.store.write { (_) throws in
        try before.save()
        let changes = try test.store.changes(of: Wheel.self)
        try after.save()
        return changes
      }
    }
    var changes = try observe().makeAsyncIterator()
    #expect(
      await changes.next()?.told == Told(inserted: [before.objectID, after.objectID])
    )
  }
}
