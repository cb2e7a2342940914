import Foundation
import NacreCore
import NacreUpkeep
@testable import TestSupport
import Testing

/// Sealed properties of which no two objects may have the same value.
@Suite struct UniqueTests {
  @Test func `a value that another object has is refused by name`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      try Badge.make("a").save()
      let twin = Badge.make("a")
      let error = #expect(throws: NacreError.self) { try twin.save() }
      #expect(error?.code == .constraint)
      #expect(error?.entity == "Badge")
      #expect(error?.property == "serial")
      #expect(try Badge.count() == 1)
      twin.serial = "another"
      try twin.save()
      twin.serial = "serial of a"
      #expect(throws: NacreError.self) { try twin.save() }
      #expect(try Badge.fetchOne(\.serial, equals: "another")?.objectID == twin.objectID)
    }
  }

  @Test
  func `while the index key changes a value is unique under both keys`() throws {
    let test = try TestStore()
    try test.store.write { _ in try Badge.make("old").save() }
    let key = try test.store.addKey(.index)
    try test.store.promoteKey(key)
    try test.store.write { (_) throws in
      // The old one's index is still under the old key.
      let twin = Badge.make("old")
      let error = #expect(throws: NacreError.self) { try twin.save() }
      #expect(error?.code == .constraint)
      #expect(error?.property == "serial")
      #expect(error?.description.contains("serial of old") == false)
      try Badge.make("new").save()
      #expect(throws: NacreError.self) { try Badge.make("new").save() }
      #expect(try Badge.fetchOne(\.serial, equals: "serial of old")?.label == "old")
      #expect(try Badge.fetchOne(\.serial, equals: "serial of new")?.label == "new")
      // An object may keep its own value.
      let old = try #require(try Badge.fetchOne(\.label, equals: "old"))
      old.serial = "changed"
      old.serial = "serial of old"
      try old.save()
    }
  }

  @Test
  func `an index key that may be needed is not disabled by hand`() throws {
    let test = try TestStore()
    try test.store.write { _ in try Badge.make("old").save() }
    let old = try #require(try test.store.inspect().ring?.keys.first { $0.purpose == .index })
    try test.store.promoteKey(try test.store.addKey(.index))
    let error = #expect(throws: NacreError.self) { try test.store.disableKey(old.id) }
    #expect(error?.code == .keyInUse)
    var options = RotationOptions()
    options.purposes = [.index]
    #expect(try test.store.rotate(options).outcome == .finished)
    try test.store.destroyKey(old.id)
    #expect(throws: NacreError.self) {
      try test.store.write { _ in try Badge.make("old").save() }
    }
  }

  @Test
  func `a property that is new and hides nil leaves none of the older rows in the open`()
    throws
  {
    let scene = try Scene()
    let store = try scene.open()
    try Paper<PlainPaper>.store(3, in: store)
    try scene.edit("ALTER TABLE \"Paper\" DROP COLUMN note")
    try scene.editCatalog("DELETE FROM nacre_property WHERE name = 'note'")
    let again = try scene.open()
    try again.migrate(Paper<HidingPaper>.self)
    try again.read { (_) throws in
      #expect(try Paper<HidingPaper>.fetchAll(\.note, equals: nil).count == 3)
    }
    #expect(try scene.edit("SELECT count(*) FROM \"Paper\" WHERE note IS NULL") == [[.integer(0)]])
  }
}

enum HidingPaper: PaperForm {
  static var text: SealedOptions? { nil }
  static var note: SealedOptions? { .init(isSearchable: true, hidesNil: true) }
  static var number: SealedOptions? { nil }
  static var isIndexed: Bool { true }
}
