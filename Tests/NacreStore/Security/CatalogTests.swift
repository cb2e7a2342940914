import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// The catalog of a store that somebody may write to who has no key.
@Suite struct CatalogTests {
  /// Every field that says whether, where or how values are sealed, written as somebody else might.
  static let forgeries = [
    "UPDATE nacre_property SET sealed = 0 WHERE name = 'plate'",
    "UPDATE nacre_property SET hooked = 1 WHERE name = 'plate'",
    "UPDATE nacre_property SET bits = 256 WHERE name = 'plate'",
    "UPDATE nacre_property SET bits = NULL WHERE name = 'plate'",
    "UPDATE nacre_property SET normalizer = 'digits/1' WHERE name = 'plate'",
    "UPDATE nacre_property SET \"unique\" = 1 WHERE name = 'plate'",
    "UPDATE nacre_property SET padding = 'none' WHERE name = 'hidden'",
    "UPDATE nacre_property SET hidesNil = 0 WHERE name = 'hidden'",
    "UPDATE nacre_property SET filled = NULL WHERE name = 'hidden'",
    "UPDATE nacre_property SET suite = 2 WHERE name = 'plate'",
    "UPDATE nacre_property SET optional = 0 WHERE name = 'plate'",
    "UPDATE nacre_property SET type = 'BLOB' WHERE name = 'plate'",
    "UPDATE nacre_property SET kind = 'dao' WHERE name = 'plate'",
    "UPDATE nacre_property SET target = 'Badge' WHERE name = 'plate'",
    "UPDATE nacre_property SET inverse = 'plate' WHERE name = 'plate'",
    "UPDATE nacre_property SET \"join\" = 'plate' WHERE name = 'plate'",
    "UPDATE nacre_property SET hidden = 1 WHERE name = 'plate'",
    "UPDATE nacre_property SET \"column\" = 'label' WHERE name = 'plate'",
    "UPDATE nacre_property SET \"column\" = CAST('plate' AS BLOB) WHERE name = 'plate'",
    "UPDATE nacre_property SET name = 'plait' WHERE name = 'plate'",
    "UPDATE nacre_property SET entity = 'Vault' WHERE name = 'plate'",
    "DELETE FROM nacre_property WHERE name = 'plate'",
    "INSERT INTO nacre_property (entity, name, type, sealed, kind) "
      + "VALUES ('Badge', 'extra', 'TEXT', 0, 'value')",
    "UPDATE nacre_entity SET \"table\" = 'Vault' WHERE name = 'Badge'",
    "UPDATE nacre_entity SET name = 'Bag' WHERE name = 'Badge'",
    "UPDATE nacre_entity SET version = 0 WHERE name = 'Badge'",
    "DELETE FROM nacre_entity WHERE name = 'Badge'",
    "DELETE FROM nacre_store WHERE name = 'catalog'",
    "DELETE FROM nacre_store WHERE name = 'catalogMAC'",
    "UPDATE nacre_store SET value = zeroblob(32) WHERE name = 'catalogMAC'",
    "UPDATE nacre_store SET value = zeroblob(8) WHERE name = 'catalog'",
  ]

  /// A store with badges, closed.
  private func scene(count: Int = 3) throws -> Scene {
    let scene = try Scene()
    let store = try scene.open()
    try store.write { _ in
      for index in 0..<count {
        try Badge.make("\(index)") {
          $0.plate = "\(Marker.text)-\(index % 2)"
          $0.hidden = index == 0 ? nil : Marker.text
        }
        .save()
      }
    }
    try store.close()
    return scene
  }

  @Test(arguments: forgeries)
  func `nothing is done by a catalog that somebody else has changed`(forgery: String) throws {
    let scene = try scene()
    let before = try scene.edit("SELECT plate, plate__index, hidden, hidden__index FROM Badge")
    let ring = try scene.edit("SELECT * FROM nacre_key")
    try scene.edit(forgery)
    let store = try scene.open()
    expectError(.catalogTampered) { _ = try store.read { _ in try Badge.count() } }
    expectError(.catalogTampered) { _ = try store.rotate() }
    expectError(.catalogTampered) { _ = try store.rotationPlan() }
    expectError(.catalogTampered) { _ = try store.migrate(Badge.self) }
    expectError(.catalogTampered) { _ = try store.rewrap(keeping: [Scene.unlock]) }
    expectError(.catalogTampered) {
      try store.write { try $0.addColumn("more", to: "Badge", type: .text) }
    }
    let report = try store.verify()
    #expect(!report.isSound)
    #expect(report.faults.contains { $0.kind == .catalogTampered })
    try store.close()
    #expect(
      try scene.edit("SELECT plate, plate__index, hidden, hidden__index FROM Badge") == before
    )
    #expect(try scene.edit("SELECT * FROM nacre_key") == ring)
  }

  @Test func `a review names the differences, and acceptCatalog accepts them`() throws {
    let scene = try scene()
    try scene.edit("UPDATE nacre_property SET padding = 'padme' WHERE name = 'plate'")
    try scene.edit("DELETE FROM nacre_property WHERE name = 'label'")
    let store = try scene.open()
    let review = try store.reviewCatalog()
    #expect(review.state == .changed)
    #expect(
      review.differences.map(\.description) == [
        "Badge.label is gone", "Badge.plate padding: none, now padme",
      ]
    )
    let error = thrown(.catalogTampered) { _ = try store.rotate() }
    #expect(error?.detail == "Badge.label is gone; Badge.plate padding: none, now padme")
    try store.acceptCatalog(review)
    #expect(try store.reviewCatalog().state == .authentic)
    #expect(try store.rotate(.field).outcome == .finished)
    #expect(try store.read { _ in try Badge.count() } == 3)
  }

  @Test func `a catalog that changes after its review is not accepted`() throws {
    let scene = try scene()
    try scene.edit("UPDATE nacre_property SET padding = 'padme' WHERE name = 'plate'")
    let store = try scene.open()
    let review = try store.reviewCatalog()
    try scene.edit("UPDATE nacre_property SET hooked = 1 WHERE name = 'plate'")
    expectError(.catalogTampered) { try store.acceptCatalog(review) }
    #expect(try store.reviewCatalog().differences.count == 2)
  }

  @Test func `an older catalog does not pass with its own MAC`() throws {
    let scene = try scene()
    let former = try scene.edit("SELECT name, value FROM nacre_store WHERE name LIKE 'catalog%'")
    let store = try scene.open()
    try scene.save(Vault.create(), in: store)
    try store.close()
    for row in former {
      try scene.edit("UPDATE nacre_store SET value = ?1 WHERE name = ?2", row[1], row[0])
    }
    try scene.edit("DELETE FROM nacre_entity WHERE name = 'Vault'")
    try scene.edit("DELETE FROM nacre_property WHERE entity = 'Vault'")
    let reopened = try scene.open()
    expectError(.catalogTampered) { _ = try reopened.rotate() }
    #expect(try reopened.reviewCatalog().state == .unverifiable)
  }

  @Test func `an attacker without the key can't hide that the catalog had a MAC`() throws {
    let scene = try scene()
    try scene.edit("DELETE FROM nacre_store WHERE name LIKE 'catalog%'")
    guard case .integer(let generation)? = try scene.storeValue("ringGeneration") else {
      Issue.record("no generation")
      return
    }
    #expect(generation >> 32 > 0)
    try scene.edit(
      "UPDATE nacre_store SET value = ?1 WHERE name = 'ringGeneration'",
      .integer(generation & 0xFFFF_FFFF)
    )
    expectError(.ringTampered) { _ = try scene.open() }
    // A version that knows of no MAC of the catalog changes the ring, and keeps the word of it.
    try scene.edit(
      "UPDATE nacre_store SET value = ?1 WHERE name = 'ringGeneration'",
      .integer(generation)
    )
    let store = try scene.open()
    let record = try store.keys.unlocked().renumbered().rewrapped().record()
    #expect(RingRecord.catalogNumber(record.generation) == UInt64(generation >> 32))
    expectError(.catalogTampered) { _ = try store.rotate() }
  }

  @Test func `a rewrap gives the catalog its MAC anew`() throws {
    let scene = try scene()
    let before = try scene.storeValue("catalogMAC")
    var store = try scene.open()
    _ = try store.rewrap(keeping: [Scene.unlock])
    #expect(try store.reviewCatalog().state == .authentic)
    #expect(try scene.storeValue("catalogMAC") != before)
    try store.close()
    store = try scene.open()
    #expect(try store.reviewCatalog().state == .authentic)
    #expect(try store.verify().isSound)
    #expect(try store.inspect().ring?.generation == 2)
  }

  @Test func `every process follows a catalog that another has changed`() throws {
    let scene = try scene()
    let (first, second) = (try scene.open(), try scene.open())
    #expect(try first.read { _ in try Badge.count() } == 3)
    try second.write { _ in try Vault.create().save() }
    try first.write { _ in try Badge.make("new").save() }
    _ = try first.rewrap(keeping: [Scene.unlock])
    try second.write { _ in try Vault.create().save() }
    #expect(try first.read { _ in try Vault.count() } == 2)
    for store in [first, second] { #expect(try store.reviewCatalog().state == .authentic) }
  }

  @Test func `a catalog from before a rewrap is not called authentic`() throws {
    let scene = try scene()
    // The rewrap waits as long for the reader before it goes on.
    let store = try scene.open { $0.busyTimeout = 0.2 }
    try store.read { (_) throws in
      #expect(try Badge.count() == 3)
      #expect(try store.reviewCatalog().state == .authentic)
      concurrently(1) { _ in
        #expect(throws: Never.self) { _ = try store.rewrap(keeping: [Scene.unlock]) }
      }
      #expect(try store.reviewCatalog().state == .unverifiable)
    }
    #expect(try store.reviewCatalog().state == .authentic)
  }

  @Test func `a rolled back change of the catalog leaves its MAC as it was`() throws {
    struct Stop: Error {}
    let scene = try scene()
    let before = try scene.edit("SELECT * FROM nacre_store")
    let store = try scene.open()
    #expect(throws: Stop.self) {
      try store.write { _ in
        try Vault.create().save()
        throw Stop()
      }
    }
    #expect(try scene.edit("SELECT * FROM nacre_store") == before)
    try store.write { database in
      #expect(throws: Stop.self) {
        try store.write { _ in
          try Vault.create().save()
          throw Stop()
        }
      }
      try Badge.make("more").save()
    }
    #expect(try scene.edit("SELECT * FROM nacre_store") == before)
    #expect(try store.reviewCatalog().state == .authentic)
    try store.begin()
    try Vault.create().save()
    try store.commit()
    #expect(try store.reviewCatalog().state == .authentic)
    #expect(try store.verify().isSound)
  }

  @Test func `a transaction that changes keys and catalog writes both`() throws {
    let scene = try scene()
    let store = try scene.open()
    let before = try store.keys.unlocked()
    try store.write { database in
      try database.makeKey(of: .aes256GCM)
      try Vault.create().save()
    }
    let ring = try store.keys.unlocked()
    #expect(ring.catalogNumber == before.catalogNumber + 1)
    #expect(ring.keys.count == before.keys.count + 1)
    try store.close()
    #expect(try scene.open().verify().isSound)
  }

  @Test func `without the secret nothing of the catalog is changed`() throws {
    let scene = try scene()
    let before = try scene.edit("SELECT * FROM nacre_entity, nacre_property, nacre_store")
    let locked = try scene.open(nil)
    #expect(try locked.read { _ in try Badge.fetchValues(\.label) }.count == 3)
    expectError(.storeLocked) { try locked.write { _ in try Wheel.create().save() } }
    expectError(.storeLocked) { try locked.write { try $0.dropProperty("label", of: "Badge") } }
    expectError(.storeLocked) {
      try locked.write { database in
        try database.execute("CREATE TABLE notes (body)")
        try database.noteDAO(table: "notes", column: "body", type: "Note", property: "body")
      }
    }
    try locked.close()
    #expect(try scene.edit("SELECT * FROM nacre_entity, nacre_property, nacre_store") == before)
  }

  @Test func `a store without a ring is changed as ever, until it has one`() throws {
    let scene = try Scene()
    let plain = try scene.open(nil)
    try scene.save(Wheel.create(), in: plain)
    #expect(try scene.storeValue("catalogMAC") == nil)
    let store = try scene.open()
    #expect(try store.reviewCatalog().state == .authentic)
    // It was opened when there was no ring.
    expectError(.storeLocked) { try scene.save(Person.create(), in: plain) }
    try scene.save(Wheel.create(), in: plain)
    #expect(try store.read { _ in try Wheel.count() } == 2)
  }

  @Test func `a trigger does not have its own changes authenticated`() throws {
    let scene = try scene()
    let store = try scene.open()
    try scene.edit(
      """
      CREATE TRIGGER intruder AFTER INSERT ON Badge BEGIN \
      UPDATE nacre_property SET hooked = 1 WHERE name = 'plate'; END
      """
    )
    expectError(.foreignSchema) {
      try store.write { _ in
        try Vault.create().save()
        try Badge.make("more").save()
      }
    }
  }

  @Test(arguments: [
    "UPDATE nacre_property SET sealed = x'30' WHERE name = 'plate'",
    "UPDATE nacre_property SET sealed = 'no' WHERE name = 'plate'",
    "UPDATE nacre_property SET \"column\" = CAST('plate' AS BLOB) WHERE name = 'plate'",
    "UPDATE nacre_property SET bits = 'few' WHERE name = 'plate'",
    "UPDATE nacre_property SET kind = CAST('value' AS BLOB) WHERE name = 'plate'",
    "UPDATE nacre_property SET padding = x'00' WHERE name = 'plate'",
    "UPDATE nacre_entity SET \"table\" = CAST('Badge' AS BLOB) WHERE name = 'Badge'",
    "UPDATE nacre_entity SET version = 0.5 WHERE name = 'Badge'",
    "INSERT INTO nacre_entity VALUES (CAST('Odd' AS BLOB), 'Badge', 1)",
  ])
  func `a cell of another storage class is refused, and nobody can accept it`(
    _ forgery: String
  ) throws {
    let scene = try scene()
    try scene.edit(forgery)
    // Without the secret nobody can tell who wrote it; what can't have been written is refused all the same.
    let locked = try scene.open(nil)
    expectError(.schemaMismatch) { _ = try locked.inspect() }
    #expect(try locked.check().contains { $0.kind == .badCatalog })
    let store = try scene.open()
    #expect(try !store.reviewCatalog().differences.isEmpty)
    expectError(.catalogTampered) { try store.acceptCatalog(store.reviewCatalog()) }
  }
}
