import Foundation
@testable import NacreCore
import NacreCrypto
@testable import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Verification of the ring, the catalog and the file, and the course of a run.
@Suite struct VerifyStoreTests {
  private let stock: Stock
  private var store: Store { stock.store }

  init() throws { stock = try Stock() }

  // MARK: The ring and the catalog

  @Test func `a changed ring is found`() throws {
    try stock.scene.edit("UPDATE nacre_key SET created = created + 1")
    try stock.expect([], faults: [.ringTampered])
    let cause = thrown(.ringTampered) { _ = try stock.scene.open() }?.cause as? CryptoError
    #expect(try store.verify().faults.map(\.detail) == [cause?.message])
    expectError(.unsound) { try store.verify().requireSound() }
  }

  @Test func `missing tables, columns and indexes are found, and the rest is verified`() throws {
    let id = stock.badges[0].objectID
    try stock.scene.editCatalog("UPDATE nacre_property SET kind = 'widget' WHERE name = 'size'")
    try stock.scene.edit("DROP TABLE Car_drivers")
    try stock.scene.edit("ALTER TABLE Car DROP COLUMN vin")
    try stock.scene.edit("DROP INDEX Badge__serial__index")
    try stock.scene.edit("DROP INDEX Badge__plate__index")
    try stock.scene.edit("ALTER TABLE Vault RENAME COLUMN label TO title")
    try stock.put(.text("plain"), "Badge", "plate", id)
    try stock.expect(
      [bad("Badge", "plate", id, .notAnEnvelope)],
      faults: [
        .missingIndex, .missingIndex, .missingTable, .missingColumn, .missingColumn, .badCatalog,
      ]
    )
    let locked = try stock.scene.open(nil)
    let found = try locked.check()
    let kinds = Set(found.map(\.kind))
    #expect(kinds.isSuperset(of: [.missingIndex, .missingTable, .missingColumn, .badCatalog]))
  }

  @Test func `an entity without its table does not keep the others from being verified`() throws {
    try stock.scene.edit("DROP TABLE Wheel")
    let report = try store.verify()
    #expect(report.faults.map(\.kind) == [.missingTable, .missingTable, .missingTable])
    #expect(report.openedCount > 20)
  }

  @Test func `the file's own faults are found without a key`() throws {
    try stock.scene.edit("UPDATE Car SET owner = randomblob(16)")
    try stock.scene.edit(
      """
      INSERT INTO nacre_rotation (kind, "from", "to", phase, started, updated, done, total) \
      VALUES ('field', 'a', 'b', 'resealing', 1, 1, 3, 9)
      """
    )
    let found = try store.check()
    #expect(found.map(\.kind) == [.foreignKey, .unfinished])
    #expect(found[0].detail == "2 rows of Car refer to no row of Person")
    #expect(found[1].detail.contains("3 of 9"))
  }

  @Test func `a damaged page is found`() throws {
    let row = try stock.scene.edit(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'Badge__plate__index'"
    )
    guard case .integer(let page)? = row.first?.first else { return }
    try store.close()
    let handle = try #require(FileHandle(forUpdatingAtPath: stock.scene.path))
    // An index has its cells at the end of its page.
    try handle.seek(toOffset: UInt64(page) * 4096 - 20)
    try handle.write(contentsOf: Data(repeating: 0, count: 20))
    try handle.close()
    let found = try stock.scene.open(nil).check()
    #expect(!found.isEmpty)
    #expect(Set(found.map(\.kind)) == [.damaged])
  }

  // MARK: The run

  @Test func `hooked properties and those being converted are skipped by name`() throws {
    let hooks = HookProvider(seal: { payload, _ in payload }, open: { stored, _ in stored })
    try store.install(hooks, for: \Vault.other)
    try store.write { _ in
      stock.vaults[0].other = "MARKER"
      try stock.vaults[0].save()
    }
    try stock.scene.edit(
      """
      INSERT INTO nacre_rotation (kind, "from", "to", entity, property, phase, started, updated) \
      VALUES ('reseal', 'a', 'b', 'Badge', 'plate', 'converting', 1, 1)
      """
    )
    let report = try store.verify()
    #expect(report.isSound)
    #expect(
      report.skipped == [
        SkippedProperty(entity: "Badge", property: "plate", reason: .converting),
        SkippedProperty(entity: "Vault", property: "other", reason: .hooked),
      ]
    )
    #expect(!report.properties.contains { ["plate", "other"].contains($0.property) })
  }

  @Test func `progress reaches the total, and false stops`() throws {
    var options = VerificationOptions()
    options.batchSize = 2
    var steps: [VerificationProgress] = []
    let report = try store.verify(
      options,
      progress: {
        steps.append($0)
        return true
      }
    )
    let last = try #require(steps.last)
    #expect(last.done == last.total)
    #expect(last.unit == .rows)
    #expect(last.done == report.rowCount + 8 + 5)
    let stopped = try store.verify(options, progress: { $0.done < 4 })
    #expect(!stopped.isComplete && !stopped.isSound)
    #expect(stopped.badCellCount == 0)
    expectError(.interrupted) { try stopped.requireSound() }
  }

  @Test func `the report holds so many bad cells, and the callback is told of all`() throws {
    for vault in stock.vaults { try stock.put(.text("x"), "Vault", "secret", vault.objectID) }
    var options = VerificationOptions()
    options.badCellLimit = 1
    var told = 0
    let report = try store.verify(options, onBadCell: { _ in told += 1 })
    #expect(told == 3)
    #expect(report.badCellCount == 3)
    #expect(report.badCells.count == 1)
    struct Enough: Error {}
    #expect(throws: Enough.self) { try store.verify(onBadCell: { _ in throw Enough() }) }
  }

  @Test func `a callback may write to the store`() throws {
    let id = stock.vaults[0].objectID
    try stock.put(.text("x"), "Vault", "note", id)
    let report = try store.verify(onBadCell: { _ = try stock.store.quarantine([$0]) })
    #expect(report.badCellCount == 1)
    try stock.expect([])
  }

  @Test func `keys that come during a run are followed`() throws {
    var options = VerificationOptions()
    options.batchSize = 1
    options.entities = ["Vault"]
    let other = try stock.scene.open()
    let late = stock.vaults[2].objectID
    let done = Mutex(false)
    let report = try store.verify(
      options,
      progress: { _ in
        let isFirst = done.withLock { done in
          defer { done = true }
          return !done
        }
        if isFirst {
          do {
            try other.promoteKey(other.addKey(.field))
            try other.write { _ in
              let vault = try #require(try Vault.fetch(id: late))
              vault.secret = "later"
              try vault.save()
            }
          } catch {
            Issue.record(error)
          }
        }
        return true
      }
    )
    #expect(report.isSound, "\(report.badCells)")
    #expect(report.properties.first { $0.property == "secret" }?.openedByKey.count == 2)
  }

  @Test func `the async twins of verify, quarantine and check do the same`() async throws {
    let id = stock.vaults[0].objectID
    try stock.put(.text("x"), "Vault", "note", id)
    let report = try await store.verify()
    #expect(report.badCells.map(\.fault) == [.notAnEnvelope])
    let moved = try await store.quarantine(report.badCells)
    #expect(moved.items.map(\.outcome) == [.cellMoved])
    #expect(try await store.quarantined().count == 1)
    #expect(try await store.check() == [])
  }
}
