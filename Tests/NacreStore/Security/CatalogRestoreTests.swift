import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// A catalog that somebody has changed is put back from the copy that its MAC covers.
@Suite struct CatalogRestoreTests {
  private let scene: RotationScene
  private let store: Store

  init() throws {
    scene = try RotationScene(count: 12)
    store = try scene.open()
  }

  /// All that is said of entities, properties, keys, slots and the store itself.
  private func own() throws -> [[Value]] {
    try ["nacre_entity", "nacre_property", "nacre_key", "nacre_slot", "nacre_store"].flatMap {
      try scene.scene.edit("SELECT * FROM \($0)")
    }
  }

  @Test(arguments: [
    "UPDATE nacre_property SET sealed = 0 WHERE name = 'secret'",
    "UPDATE nacre_property SET hooked = 1, bits = 256, padding = NULL WHERE name = 'secret'",
    "UPDATE nacre_property SET \"column\" = CAST('label' AS BLOB) WHERE name = 'secret'",
    "UPDATE nacre_entity SET \"table\" = 'Other', version = 'x'",
    "UPDATE nacre_property SET name = 'nobody' WHERE name = 'secret'",
    "DELETE FROM nacre_property WHERE name = 'secret'",
    "DELETE FROM nacre_entity",
    "INSERT INTO nacre_entity VALUES ('Vault2', 'Vault', 1)",
  ])
  func `a changed catalog is put back to the last byte`(_ attack: String) throws {
    let before = try own()
    try scene.scene.edit(attack)
    expectError(.catalogTampered) { _ = try store.rotate(.small) }
    let review = try store.reviewCatalog()
    #expect(review.state == .changed)
    try store.restoreCatalog(review)
    #expect(try own() == before)
    #expect(try store.reviewCatalog().state == .authentic)
    #expect(try store.verify().isSound)
    try scene.expectWhole(store)
    #expect(try store.rotate(.small).outcome == .finished)
    try scene.expectWhole(scene.open())
  }

  @Test func `a DAO's columns come back, and are followed as before`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    let old = try store.key(.primary)
    try scene.scene.edit("DELETE FROM nacre_property")
    try scene.scene.edit("DELETE FROM nacre_entity")
    try store.restoreCatalog(store.reviewCatalog())
    #expect(store.sealedColumns.contains("notes", "body"))
    #expect(try store.rotate(.small).disabled == [old])
    try store.destroyKey(old)
    try scene.expectWhole(store)
  }

  @Test(arguments: [
    "DELETE FROM nacre_store WHERE name = 'catalog'",
    "DELETE FROM nacre_store WHERE name = 'catalogMAC'",
    "UPDATE nacre_store SET value = zeroblob(32) WHERE name = 'catalogMAC'",
    "UPDATE nacre_store SET value = CAST(value || x'00' AS BLOB) WHERE name = 'catalog'",
    "UPDATE nacre_store SET value = 'x' WHERE name = 'catalog'",
  ])
  func `a copy that is gone, or that its MAC does not cover, is put back nowhere`(
    _ attack: String
  ) throws {
    try scene.scene.edit("DELETE FROM nacre_property WHERE name = 'secret'")
    try scene.scene.edit(attack)
    let before = try own()
    let review = try store.reviewCatalog()
    #expect(review.state == .unverifiable)
    expectError(.catalogTampered) { try store.restoreCatalog(review) }
    #expect(try own() == before)
  }

  @Test func `a catalog that was changed after the review is not restored`() throws {
    try scene.scene.edit("UPDATE nacre_property SET hooked = 1 WHERE name = 'secret'")
    let review = try store.reviewCatalog()
    try scene.scene.edit("UPDATE nacre_property SET hooked = 1 WHERE name = 'note'")
    let before = try own()
    let error = thrown(.catalogTampered) { try store.restoreCatalog(review) }
    #expect(error?.description.contains("Vault.note") == true)
    #expect(try own() == before)
    try store.restoreCatalog(store.reviewCatalog())
    #expect(try store.verify().isSound)
  }

  @Test func `a changed catalog does not say that there is nothing to convert`() throws {
    try scene.scene.edit("UPDATE nacre_property SET sealed = 0 WHERE name = 'secret'")
    expectError(.catalogTampered) { try store.convert("secret", of: "Vault", to: nil) }
    try store.restoreCatalog(store.reviewCatalog())
    #expect(try store.convert("secret", of: "Vault", to: nil).count == 1)
  }

  @Test func `an authentic catalog stays as it is`() throws {
    let before = try own()
    try store.restoreCatalog(store.reviewCatalog())
    #expect(try own() == before)
  }

  @Test func `the async twin of restoreCatalog puts the catalog back`() async throws {
    let before = try own()
    try await store.restoreCatalog(store.reviewCatalog())
    #expect(try own() == before)
    try scene.scene.edit("UPDATE nacre_property SET sealed = 0 WHERE name = 'secret'")
    try await store.restoreCatalog(store.reviewCatalog())
    #expect(try own() == before)
  }

  @Test func `restoreCatalog needs the secret, and a transaction of its own`() throws {
    let review = try store.reviewCatalog()
    let locked = try scene.scene.open(nil)
    expectError(.storeLocked) { try locked.restoreCatalog(review) }
    try store.write { _ in
      expectError(.transactionState) { try store.restoreCatalog(review) }
    }
  }

  @Test func `a trigger on the catalog is refused before anything is put back`() throws {
    try scene.scene.edit("UPDATE nacre_property SET hooked = 1 WHERE name = 'secret'")
    let review = try store.reviewCatalog()
    try scene.scene.edit(
      """
      CREATE TRIGGER back AFTER INSERT ON nacre_property BEGIN \
      UPDATE nacre_property SET hooked = 1 WHERE name = 'secret'; END
      """
    )
    let before = try own()
    expectError(.foreignSchema) { try store.restoreCatalog(review) }
    #expect(try own() == before)
  }
}
