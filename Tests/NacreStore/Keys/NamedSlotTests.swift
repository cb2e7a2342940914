import Foundation
import NacreCrypto
import NacreOpen
import NacreSQLite
@testable import NacreUpkeep
@testable import TestSupport
import Testing

@testable import NacreCore

/// A secret that is tried on the one slot that its owner names.
@Suite struct NamedSlotTests {
  private let ring: RingScene
  private let phrase = Unlock.passphrase("MARKER-phrase")

  init() throws {
    ring = try RingScene()
    // Nobody could try it: the error then tells whether somebody did.
    let bad = "INSERT INTO nacre_slot VALUES (2, 'passphrase', '{', zeroblob(72))"
    try ring.scene.edit(bad)
    try ring.addCheapSlot(3, passphrase: "MARKER-phrase")
  }

  @Test func `only the named slot is tried`() throws {
    ring.expectOpens(phrase)
    ring.expectOpens(phrase.slot(3))
    ring.expectOpens(Scene.unlock.slot(1))
    let wrong = Unlock.passphrase("MARKER-typo")
    expectError(.ringTampered) { _ = try ring.open(wrong) }
    expectError(.wrongSecret) { _ = try ring.open(wrong.slot(3)) }
    expectError(.ringTampered) { _ = try ring.open(phrase.slot(2)) }
    // Of another secret, or of another kind.
    expectError(.wrongSecret) { _ = try ring.open(Scene.wrong.slot(1)) }
    expectError(.wrongSecret) { _ = try ring.open(phrase.slot(1)) }
    expectError(.wrongSecret) { _ = try ring.open(Scene.unlock.slot(3)) }
    // A new slot gets the number behind all that are there.
    #expect(try ring.open().addSlot(RingScene.unlock(2)) == 4)
  }

  @Test(arguments: [0, 4, -1, Int64.max])
  func `a slot that is not there is named before the secret is asked for`(id: Int64) throws {
    struct Asked: Error {}
    let source = Unlock.callback { throw Asked() }.slot(id)
    expectError(.noSuchSlot) { _ = try ring.open(source) }
    expectError(.noSuchSlot) { _ = try StoreInspection(path: ring.scene.path, unlock: source) }
  }

  @Test func `inspection and rewrap try the named slot alone`() throws {
    let inspection = try StoreInspection(path: ring.scene.path, unlock: phrase.slot(3))
    #expect(try inspection.slots(openedBy: phrase.slot(3)) == [3])
    #expect(try inspection.slots(openedBy: phrase.slot(1)) == [])
    let wrong = Unlock.passphrase("MARKER-typo").slot(3)
    #expect(try inspection.slots(openedBy: wrong) == [])
    let store = try ring.open()
    try ring.expectUnchanged(.wrongSecret) { try store.rewrap(keeping: [wrong], dropsOthers: true) }
    let report = try store.rewrap(keeping: [phrase.slot(3)], dropsOthers: true)
    #expect(report.kept == [3])
    ring.expectOpens(phrase.slot(3))
  }

  @Test
  func `an open store follows a rewrap only if the rewrap keeps its named slot`() throws {
    let other = try ring.open(phrase.slot(3))
    let store = try ring.open()
    try store.rewrap(keeping: [phrase, Scene.unlock], dropsOthers: true)
    try ring.saveVault("MARKER-on", in: other)
    try store.rewrap(keeping: [Scene.unlock], dropsOthers: true)
    for _ in 0..<2 { expectError(.wrongSecret) { try ring.saveVault("MARKER-off", in: other) } }
  }

  @Test func `the error for slots that were not tried shows how to name a slot`() throws {
    let cause = CryptoError(.slotsNotTried, message: "")
    let error = try #require(NacreError.wrap(cause) as? NacreError)
    #expect(error.code == .slotsNotTried)
    #expect(error.description.contains("slot(1)"))
  }
}
