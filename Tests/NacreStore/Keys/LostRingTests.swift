import Foundation
import NacreCore
import NacreCrypto
import Testing
@testable import TestSupport

/// A store whose key ring was taken away, whole.
@Suite struct LostRingTests {
  private func takeRing(from scene: Scene) throws {
    for sql in [
      "DELETE FROM nacre_key", "DELETE FROM nacre_slot",
      "DELETE FROM nacre_store WHERE name LIKE 'ring%'",
    ] { try scene.edit(sql) }
  }

  @Test func `no new ring or key file is made for values that were sealed under a lost ring`()
    throws
  {
    let ring = try RingScene()
    try takeRing(from: ring.scene)
    let file = ring.scene.directory.file("new.key")
    for unlock in [Scene.unlock, Scene.wrong, .keyFile(file, createIfMissing: true)] {
      let error = try ring.expectUnchanged(.ringTampered) { _ = try ring.open(unlock) }
      #expect(error?.entity == "Vault")
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    // Without a secret it is a store without a ring: what is plain can be read.
    let store = try ring.open(nil)
    expectError(.noKeyRing) { _ = try store.read { _ in try Vault.fetchAll() } }
    #expect(try store.read { try $0.query("SELECT label FROM Vault") } == [[.text("")]])
  }

  @Test func `one envelope in any sealed column shows that the ring was removed`() throws {
    let ring = try RingScene()
    try takeRing(from: ring.scene)
    try ring.scene.edit(
      "UPDATE Vault SET secret = 'plain', other = x'', number = 1, data = NULL, real = 1.5"
    )
    try ring.open().close()
    try takeRing(from: ring.scene)
    try ring.scene.edit("UPDATE Vault SET note = CAST(x'0200000001' || zeroblob(28) AS BLOB)")
    expectError(.ringTampered, entity: "Vault", property: "note") { _ = try ring.open() }
    try ring.scene.edit("UPDATE nacre_property SET hooked = 1 WHERE name = 'note'")
    try ring.open().close()
  }

  @Test func `a store that holds nothing sealed is given its ring`() throws {
    let scene = try Scene()
    let first = try scene.open(nil)
    try first.write { _ in try Wheel.create().save() }
    try first.close()
    let store = try scene.open()
    let vault = Vault.create()
    vault.secret = Marker.text
    try scene.save(vault, in: store)
    #expect(try store.read { _ in try Vault.fetchOne()?.secret } == Marker.text)
  }
}
