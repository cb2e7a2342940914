import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// Which keys the stored values name.
@Suite struct SealedCountTests {
  private let ring: RingScene

  init() throws { ring = try RingScene() }

  private func counts(_ property: String, _ counts: [SealedCount]) -> [SealedCount] {
    counts.filter { $0.property == property }
  }

  @Test func `values are counted by entity, property, key and suite`() throws {
    let store = try ring.open()
    let old = try store.key(.primary)
    let new = try store.addKey(.field)
    try store.promoteKey(new)
    try ring.saveVault("MARKER-a", in: store)
    try ring.saveVault("MARKER-b", in: store)
    try store.write { _ in try Safe.create().save() }
    let counts = try store.sealedCounts()
    #expect(Set(counts.map(\.entity)) == ["Vault"])
    #expect(Set(counts.map(\.property)) == ["secret", "other", "number", "real", "data"])
    for property in ["secret", "data"] {
      let found = self.counts(property, counts)
      #expect(Set(found.map(\.keyID)) == [old, new])
      #expect(found.first { $0.keyID == old }?.count == 1)
      #expect(found.first { $0.keyID == new }?.count == 2)
      #expect(found.allSatisfy { $0.suite == .xaes256GCM })
    }
    // Nothing of it needs the secret.
    try store.close()
    #expect(try ring.open(nil).sealedCounts() == counts)
    #expect(try StoreInspection(path: ring.scene.path).sealedCounts() == counts)
  }

  @Test func `a count names the suite of the values themselves`() throws {
    let ring = try RingScene { $0.suite = .aes256GCM }
    #expect(
      try ring.open(nil).sealedCounts().map(\.suite) == Array(repeating: .aes256GCM, count: 5)
    )
  }

  @Test(arguments: [
    "'\(Marker.text), long enough to be one of them'", "4", "1.5", "x''", "x'01'",
    "x'01000000' || zeroblob(60)", "CAST(x'0100000001' || zeroblob(39) AS BLOB)",
    "CAST(x'0200000001' || zeroblob(27) AS BLOB)", "CAST(x'0300000001' || zeroblob(60) AS BLOB)",
    "CAST(x'0100000000' || zeroblob(60) AS BLOB)",
  ])
  func `a value that is no envelope is counted without a key`(_ cell: String) throws {
    try ring.scene.edit("UPDATE Vault SET note = \(cell)")
    let counts = try ring.open(nil).sealedCounts()
    let note = self.counts("note", counts)
    #expect(note == [note.first { $0.keyID == nil && $0.suite == nil && $0.count == 1 }])
  }

  @Test func `a value with the head and length of an envelope is counted as one`() throws {
    for (cell, suite) in [
      ("x'0100000001' || zeroblob(40)", Suite.xaes256GCM),
      ("x'0200000001' || zeroblob(28)", .aes256GCM),
    ] {
      try ring.scene.edit("UPDATE Vault SET note = CAST(\(cell) AS BLOB)")
      let note = try counts("note", ring.open(nil).sealedCounts())
      #expect(note.map(\.keyID) == [KeyID(rawValue: 1)])
      #expect(note.map(\.suite) == [suite])
    }
  }

  @Test func `values that a hook seals are not counted`() throws {
    try ring.scene.edit("UPDATE nacre_property SET hooked = 1 WHERE name <> 'real'")
    #expect(try ring.open(nil).sealedCounts().map(\.property) == ["real"])
  }

  @Test func `a table or column that is not there is told`() throws {
    try ring.scene.edit("ALTER TABLE Vault RENAME COLUMN note TO other_note")
    expectError(.schemaMismatch, entity: "Vault", property: "note") {
      _ = try ring.open(nil).sealedCounts()
    }
    try ring.scene.edit("DROP TABLE Vault")
    expectError(.schemaMismatch, entity: "Vault") { _ = try ring.open(nil).sealedCounts() }
    expectError(.schemaMismatch) { _ = try StoreInspection(path: ring.scene.path).sealedCounts() }
  }
}
