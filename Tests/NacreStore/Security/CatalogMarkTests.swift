import Foundation
@testable import NacreCore
@testable import NacreCrypto
import NacreOpen
import NacreSQLite
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// Stores whose catalog has no MAC yet, and what a verification says of catalogs, columns and nils.
@Suite struct CatalogMarkTests {
  /// A store with badges and vaults as an earlier version leaves it: without a MAC of the catalog.
  private func earlier() throws -> Scene {
    let scene = try Scene()
    let store = try scene.open()
    try store.write { _ in
      for index in 0..<3 {
        try Badge.make("\(index)") { $0.plate = Marker.text }.save()
        try Vault.create().save()
      }
    }
    let ring = try store.keys.unlocked()
    try store.close()
    let record = try ring.withGeneration(ring.changeNumber)
    try scene.edit(
      "UPDATE nacre_store SET value = ?1 WHERE name = 'ringGeneration'",
      .integer(Int64(record.generation))
    )
    try scene.edit(
      "UPDATE nacre_store SET value = ?1 WHERE name = 'ringMAC'",
      .blob(Data(record.mac))
    )
    try scene.edit("DELETE FROM nacre_store WHERE name LIKE 'catalog%'")
    try scene.edit("ALTER TABLE nacre_property DROP COLUMN filled")
    return scene
  }

  @Test func `a store of an earlier version gets its MAC when it is opened with its secret`() throws
  {
    let scene = try earlier()
    try scene.open(nil).close()
    #expect(try scene.storeValue("catalogMAC") == nil)
    let store = try scene.open()
    #expect(try store.reviewCatalog().state == .authentic)
    #expect(try store.verify().isSound)
    #expect(try store.verify().notices.allSatisfy { $0.kind != .catalogUnmarked })
    try store.close()
    try scene.edit("UPDATE nacre_property SET hooked = 1 WHERE name = 'plate'")
    expectError(.catalogTampered) { _ = try scene.open().rotate() }
  }

  /// Opens a copy of a frozen store.
  private func golden(_ name: String) throws -> (TemporaryDirectory, Store) {
    let directory = try TemporaryDirectory()
    try GoldenFiles(name).copy(to: directory.path)
    let unlock = Unlock.keyFile(directory.file("store.key"))
    return (directory, try Store.open(directory.file("store.db"), unlock: unlock))
  }

  @Test(arguments: ["format-1", "format-1-keys"])
  func `frozen stores whose catalog has no MAC get one`(name: String) throws {
    let (directory, store) = try golden(name)
    #expect(try store.keys.unlocked().catalogNumber == 1)
    #expect(try store.reviewCatalog().state == .authentic)
    #expect(try store.verify().isSound)
    withExtendedLifetime(directory) {}
  }

  @Test func `a frozen store's catalog has the MAC that it was given then`() throws {
    let (directory, store) = try golden("format-1-catalog")
    #expect(try store.keys.unlocked().catalogNumber == 1)
    #expect(try store.reviewCatalog().state == .authentic)
    #expect(try store.verify().isSound)
    #expect(try store.rotate().outcome == .finished)
    _ = try store.rewrap(keeping: [.keyFile(directory.file("store.key"))], dropsOthers: true)
    #expect(try store.keys.unlocked().catalogNumber == 2)
    #expect(try store.reviewCatalog().state == .authentic)
  }

  @Test func `a store of an earlier version opens without the MAC while somebody else writes`()
    throws
  {
    let scene = try earlier()
    // The column that it lacks.
    try scene.open(nil).close()
    let writer = try Connection(path: scene.path, mode: .readWrite)
    try writer.begin(.immediate)
    let store = try scene.open { $0.busyTimeout = 0.01 }
    #expect(try store.reviewCatalog().state == .unmarked)
    #expect(try store.verify().notices.contains { $0.kind == .catalogUnmarked })
    #expect(try store.verify().isSound)
    try writer.rollback()
    try writer.close()
    try store.write { _ in try Wheel.create().save() }
    #expect(try store.reviewCatalog().state == .authentic)
  }

  @Test func `a property that was taken out of the catalog is verified all the same`() throws {
    let stock = try Stock()
    try stock.scene.edit("DELETE FROM nacre_property WHERE entity = 'Vault' AND name = 'secret'")
    try stock.scene.edit("UPDATE Vault SET secret = zeroblob(60)")
    let report = try stock.store.verify()
    #expect(report.badCells.filter { $0.property == "secret" }.count == 3)
    #expect(report.faults.map(\.kind) == [.catalogTampered])
    #expect(report.faults.first?.property == "secret")
  }

  @Test func `a hook that somebody wrote into the catalog hides no plaintext`() throws {
    let stock = try Stock()
    try stock.scene.edit("UPDATE nacre_property SET hooked = 1 WHERE name = 'secret'")
    try stock.scene.edit("UPDATE Vault SET secret = 'plain'")
    let report = try stock.store.verify()
    #expect(report.badCells.map(\.fault) == [.notAnEnvelope, .notAnEnvelope, .notAnEnvelope])
    #expect(report.skipped.isEmpty)
    #expect(report.faults.map(\.kind) == [.catalogTampered])
  }

  @Test func `an entity that was taken out of the catalog is verified all the same`() throws {
    let stock = try Stock()
    try stock.scene.edit("DELETE FROM nacre_property WHERE entity = 'Vault'")
    try stock.scene.edit("DELETE FROM nacre_entity WHERE name = 'Vault'")
    try stock.scene.edit("UPDATE Vault SET secret = zeroblob(60)")
    #expect(try stock.store.verify().badCells.count == 3)
  }

  @Test func `columns and tables with envelopes that the catalog does not know are named`() throws {
    let stock = try Stock()
    try stock.store.write {
      try $0.execute("CREATE TABLE copy AS SELECT objectID, secret FROM Vault")
    }
    try stock.store.write { database in
      try database.execute("ALTER TABLE Vault ADD COLUMN more")
      try database.execute("UPDATE Vault SET more = other")
    }
    let expected: [[String?]] = [["Vault", "more"], ["copy", "secret"]]
    let faults = try stock.store.verify().faults
    #expect(faults.map(\.kind) == [.strayValues, .strayValues])
    #expect(faults.map { [$0.entity, $0.property] } == expected)
    let found = try stock.store.check().filter { $0.kind == .strayValues }
    #expect(found.map { [$0.entity, $0.property] } == expected)
    try stock.store.write { database in
      try database.execute("DROP TABLE copy")
      try database.execute("UPDATE Vault SET more = NULL")
    }
    #expect(try stock.store.verify().isSound)
  }

  @Test func `without the secret a check compares the catalog with its copy`() throws {
    let stock = try Stock()
    try stock.store.close()
    #expect(try stock.scene.open(nil).check().isEmpty)
    try stock.scene.edit("UPDATE nacre_property SET hooked = 1 WHERE name = 'secret'")
    let faults = try stock.scene.open(nil).check()
    #expect(faults.map(\.kind) == [.catalogTampered])
    #expect(faults.first?.detail == "Vault.secret hooked: 0, now 1")
  }

  @Test func `forged widths and paddings reach neither an index nor an import`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store, revealing: true, entities: ["Badge"])
    let before = try stock.scene.edit("SELECT plate, plate__index, hidden FROM Badge")
    try stock.scene.edit("UPDATE nacre_property SET bits = 256 WHERE name = 'plate'")
    try stock.scene.edit("UPDATE nacre_property SET padding = 'none' WHERE name = 'hidden'")
    var options = RotationOptions()
    options.purposes = [.index]
    expectError(.catalogTampered) { _ = try stock.store.rotate(options) }
    expectError(.catalogTampered) { try lines.load(into: stock.store, existing: .replace) }
    #expect(try stock.scene.edit("SELECT plate, plate__index, hidden FROM Badge") == before)
  }

  // MARK: - Nils

  @Test func `NULL where every nil is sealed is a fault, and set right by quarantine`() throws {
    let stock = try Stock()
    let badge = stock.badges[0].objectID
    try stock.put(.null, "Badge", "hidden", badge)
    try stock.put(.null, "Badge", "hidden__index", badge)
    let report = try stock.store.verify()
    #expect(report.badCells.map(\.fault) == [.nullNotSealed])
    #expect(report.badCells.map(\.property) == ["hidden"])
    let moved = try stock.store.quarantine(report.badCells)
    #expect(moved.items.map(\.outcome) == [.cellMoved])
    #expect(try stock.store.verify().isSound)
    #expect(try stock.cell("Badge", "hidden", badge) != .null)
  }

  @Test func `NULL is a notice where rows may be older than the hiding`() throws {
    let scene = try earlier()
    try scene.edit("UPDATE Badge SET hidden = NULL, hidden__index = NULL WHERE label = '1'")
    let store = try scene.open()
    let report = try store.verify()
    #expect(report.isSound)
    #expect(report.notices.map(\.kind) == [.unsealedNils])
    #expect(report.notices.first?.property == "hidden")
  }
}

extension KeyRing {
  /// The record of the same ring under another generation, as a version that knows of no MAC of the catalog writes it.
  fileprivate func withGeneration(_ generation: UInt64) throws -> RingRecord {
    try KeyRing(storeKey: storeKey, generation: generation, keys: keys, dataKeys: dataKeys).record()
  }
}
