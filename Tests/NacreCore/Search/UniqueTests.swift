import Foundation
import NacreCore
import TestSupport
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

  @Test func `while the index key changes a value is unique under both keys`() throws {
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
}
