import Foundation
import Nacre
import NacreCore
import Testing
@testable import TestSupport

/// The store in Tests/Golden/format-1-keys, whose keys were rotated and whose properties can be searched.
@Suite(.sqliteOnly("the golden store is a file")) struct GoldenMemberTests {
  private static let isMaking = ProcessInfo.processInfo.environment["NACRE_MAKE_GOLDEN"] == "1"

  private let golden = GoldenStore("format-1-keys")

  @Test(.enabled(if: isMaking, "NACRE_MAKE_GOLDEN=1 makes the store, once"))
  func `the golden store of members is made`() throws { try golden.make(GoldenStore.storeMembers) }

  @Test(.disabled(if: isMaking)) func `every value of the golden members is what was stored`()
    throws
  {
    let test = try golden.openCopy()
    try test.store.read { (_) throws in
      let ada = try #require(try Golden.Member.fetch(id: Golden.identifier(21)))
      #expect(ada.label == "ada" && ada.email == "Ada.Straße@example.org")
      #expect(ada.plate == "AB-123-C" && Array(ada.town.utf8) == Array("Me\u{301}rida".utf8))
      #expect(ada.phone == "+44 (20) 7946-0958" && ada.year == 1815 && ada.isActive)
      #expect(ada.note == "first" && ada.letter.count == 280 && ada.code == Data(0...255))
      let bob = try #require(try Golden.Member.fetch(id: Golden.identifier(22)))
      #expect(bob.plate == nil && bob.phone == nil && bob.note == nil && bob.code == Data())
      #expect(try Golden.Member.count() == 2)
    }
  }

  @Test(.disabled(if: isMaking)) func `the golden store's values are found`() throws {
    let test = try golden.openCopy()
    try test.store.read { (_) throws in
      #expect(
        try Golden.Member.fetchOne(\.email, equals: "ADA.STRASSE@example.org")?.label == "ada"
      )
      #expect(try Golden.Member.fetchOne(\.plate, equals: "AB-123-C")?.label == "ada")
      #expect(try Golden.Member.fetchOne(\.town, equals: "M\u{E9}rida")?.label == "ada")
      #expect(try Golden.Member.fetchOne(\.phone, equals: "442079460958")?.label == "ada")
      #expect(try Golden.Member.fetchOne(\.year, equals: 1815)?.label == "ada")
      #expect(try Golden.Member.fetchAll(\.isActive, equals: false).map(\.label) == ["bob"])
      #expect(try Golden.Member.fetchAll(\.note, equals: nil).map(\.label) == ["bob"])
      #expect(try Golden.Member.fetchAll(\.plate, equals: nil).map(\.label) == ["bob"])
    }
  }

  @Test(.disabled(if: isMaking)) func `the golden store is sound and has its former keys`() throws {
    let test = try golden.openCopy()
    #expect(try test.store.verify().isSound)
    #expect(try test.store.check() == [])
    let keys = try #require(try test.store.inspect().ring).keys
    let states = keys.map { "\($0.purpose) \($0.suite.rawValue) \($0.state)" }.sorted()
    #expect(
      states.filter { $0.hasSuffix("primary") } == [
        "field 1 primary", "field 2 primary", "index 1 primary",
      ]
    )
    #expect(states.count { $0.hasSuffix("disabled") } == 2)
    #expect(states.count { $0.hasSuffix("destroyed") } == 1)
    #expect(try test.store.slots().map(\.kind) == ["secret", "passphrase"])
  }

  @Test(.disabled(if: isMaking)) func `the passphrase opens the golden store, too`() throws {
    let test = try golden.openCopy()
    try test.store.close()
    let path = test.directory.file("store.db")
    let store = try Store.open(path, unlock: .passphrase(GoldenStore.passphrase))
    #expect(try store.read { _ in try Golden.Member.count() } == 2)
    try store.close()
  }

  @Test(.disabled(if: isMaking)) func `the golden store can be rotated and converted`() throws {
    let test = try golden.openCopy()
    #expect(try test.store.rotate().outcome == .finished)
    #expect(try test.store.convert("plate", of: "Member", to: nil).count == 1)
    #expect(try test.store.verify().isSound)
    let plates = try test.store.read { try $0.query("SELECT plate FROM Member ORDER BY label") }
    #expect(plates == [[.text("AB-123-C")], [.null]])
  }
}
