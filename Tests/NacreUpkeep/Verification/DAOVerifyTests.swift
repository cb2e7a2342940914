import Foundation
@testable import NacreCore
import NacreCrypto
@testable import NacreUpkeep
import NacreOpen
import Testing
@testable import TestSupport

/// Verification, inspection and counts of a DAO's tables.
@Suite struct DAOVerifyTests {
  @Test func `every value is opened and counted`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    let report = try store.verify(VerificationOptions { $0.batchSize = 4 })
    #expect(report.isSound)
    #expect(report.rowCount == scene.rowIDs.count)
    #expect(report.openedCount == scene.valueCount)
    #expect(report.nilCount == 2 * scene.rowIDs.count - scene.valueCount)
    #expect(report.properties.map(\.entity) == [DAOScene.entity, DAOScene.entity])
    #expect(report.properties.map(\.property) == ["body", "extra"])
    let alone = try store.verify(VerificationOptions { $0.entities = [DAOScene.entity] })
    #expect(alone.openedCount == scene.valueCount)
  }

  @Test func `bad cells are named by table, rowid and column`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    let key = try store.key(.primary).description
    let flipped = """
      UPDATE notes SET body = CAST(substr(body, 1, length(body) - 1)
        || CASE substr(body, -1) WHEN x'00' THEN x'01' ELSE x'00' END AS BLOB) WHERE id = -9
      """
    try scene.scene.edit(flipped)
    try scene.scene.edit(
      "UPDATE notes SET extra = ?1 WHERE id = ?2",
      .text(Marker.text),
      .integer(.min)
    )
    try scene.scene.edit(
      "UPDATE notes SET body = (SELECT extra FROM notes WHERE id = 1) WHERE id = 1"
    )
    try scene.scene.edit("UPDATE notes SET body = x'01FFFFFFFF' || substr(body, 6) WHERE id = 5")
    try scene.scene.edit("UPDATE notes SET body = CAST(body AS BLOB) WHERE id = 5")
    var told: [BadCell] = []
    let report = try store.verify(
      VerificationOptions { $0.batchSize = 3 },
      onBadCell: { told.append($0) }
    )
    let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    func bad(_ rowID: Int64, _ column: String, _ fault: BadCell.Fault, _ key: String?) -> BadCell {
      BadCell(
        entity: DAOScene.entity,
        objectID: zero,
        rowID: rowID,
        property: column,
        fault: fault,
        keyID: key
      )
    }
    #expect(
      report.badCells == [
        bad(.min, "extra", .notAnEnvelope, nil), bad(-9, "body", .tampered, key),
        bad(1, "body", .tampered, key), bad(5, "body", .unknownKey, "ffffffff"),
      ]
    )
    #expect(told == report.badCells)
    #expect(told[1].description == "dao:notes.body of row -9: tampered (key \(key))")
    let coded = try JSONDecoder().decode([BadCell].self, from: JSONEncoder().encode(told))
    #expect(coded == told)
    Marker.expectAbsent("\(report)")
    let error = thrown(.unsound, entity: DAOScene.entity) { try report.requireSound() }
    #expect(error?.objectID == nil)
    #expect(error?.detail?.contains("row \(Int64.min)") == true)
  }

  @Test func `quarantine leaves bad cells where they are, and says so`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    try scene.scene.edit("UPDATE notes SET body = 5 WHERE id = 1")
    let cells = try store.verify().badCells
    let before = try scene.scene.edit("SELECT * FROM notes")
    let report = try store.quarantine(cells)
    #expect(report.items.map(\.outcome) == [.leftInPlace])
    #expect(try scene.scene.edit("SELECT * FROM notes") == before)
    try store.write { database in
      let body = try database.sealDAO(DAOScene.body(1), type: "Note", property: "body")
      try database.connection.run("UPDATE notes SET body = ?1 WHERE id = 1", [body])
    }
    #expect(try store.quarantine(cells).items.map(\.outcome) == [.sound])
    try store.write { try $0.execute("DELETE FROM notes WHERE id = 1") }
    #expect(try store.quarantine(cells).items.map(\.outcome) == [.gone])
  }

  @Test func `a column that is named like the rowid is told from the rowid`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try store.write { database in
      try database.execute("CREATE TABLE notes (rowid TEXT, oid TEXT, body)")
      try database.noteDAO(table: "notes", column: "body", type: "Note", property: "body")
      for name in ["z", "y", "x"] {
        let body = try database.sealDAO(.text(name), type: "Note", property: "body")
        try database.connection.run("INSERT INTO notes VALUES (?1, ?1, ?2)", [.text(name), body])
      }
      try database.execute("UPDATE notes SET body = 1 WHERE rowid = 'y'")
    }
    #expect(try store.verify().badCells.map(\.rowID) == [2])
    #expect(try store.rotate(.small).badCells.map(\.rowID) == [2])
  }

  @Test func `values are counted by key, and a key that they name is not destroyed`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    let old = try store.key(.primary)
    let counts = try store.sealedCounts()
    #expect(counts.map(\.entity) == [DAOScene.entity, DAOScene.entity])
    #expect(counts.map(\.keyID) == [old, old])
    #expect(counts.reduce(0) { $0 + $1.count } == scene.valueCount)
    try store.promoteKey(store.addKey(.field))
    let error = thrown(.keyInUse) { try store.destroyKey(old) }
    #expect(error?.detail?.contains("notes.body \(scene.rowIDs.count)") == true)
    try store.disableKeyInUse(old)
    expectError(.keyInUse) { try store.destroyKey(old) }
    #expect(Set(try store.verify().badCells.map(\.fault)) == [.disabledKey])
    try store.enableKey(old)
    try scene.expectWhole(store)
  }

  @Test func `a ring that is lost is noticed by a DAO's values alone`() throws {
    let scene = try DAOScene(count: 3)
    try scene.scene.edit("DELETE FROM nacre_key")
    try scene.scene.edit("DELETE FROM nacre_slot")
    try scene.scene.edit("DELETE FROM nacre_store WHERE name LIKE 'ring%'")
    expectError(.ringTampered, entity: DAOScene.entity) { _ = try scene.open() }
  }

  @Test func `inspection shows tables, classes and rows`() throws {
    let scene = try DAOScene(count: 5)
    let inspection = try StoreInspection(path: scene.scene.path, unlock: Scene.unlock)
    let entity = try inspection.entity(named: DAOScene.entity)
    #expect(entity.table == "notes")
    #expect(entity.rowCount == 5)
    #expect(entity.properties.map(\.kind) == ["dao", "dao"])
    #expect(entity.properties.map(\.target) == ["Note", "Note"])
    #expect(entity.properties.map(\.inverseColumn) == ["body", "extra"])
    #expect(entity.properties.map(\.isSealed) == [true, true])
    let counts = try inspection.sealedCounts()
    #expect(counts.reduce(0) { $0 + $1.count } == scene.valueCount)
    var rowIDs: [Int64?] = []
    var bodies: [Value] = []
    try inspection.rows(of: DAOScene.entity, limit: 10, opensSealed: true) { row in
      rowIDs.append(row.rowID)
      if case .opened(let value)? = row.cells.first?.content { bodies.append(value) }
    }
    #expect(rowIDs == scene.rowIDs)
    #expect(bodies == scene.rowIDs.map(DAOScene.body))
  }

  @Test func `a crafted catalog is a fault and no crash`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    for (change, kind) in [
      ("target = NULL", StoreFault.Kind.badCatalog), ("kind = 'value'", .badCatalog),
      ("kind = 'links'", .missingTable), ("\"column\" = NULL", .missingColumn),
    ] {
      try scene.scene.editCatalog("UPDATE nacre_property SET \(change) WHERE name = 'extra'")
      let report = try store.verify()
      // What the catalog does not say rightly is looked for all the same.
      let kinds: [StoreFault.Kind] = report.faults.map(\.kind)
      #expect(kinds.filter { $0 != .strayValues } == [kind])
      let restore = "kind = 'dao', target = 'Note', \"column\" = 'extra'"
      try scene.scene.editCatalog("UPDATE nacre_property SET \(restore) WHERE name = 'extra'")
    }
    #expect(try store.verify().isSound)
  }
}

extension VerificationOptions {
  fileprivate init(_ change: (inout VerificationOptions) -> Void) {
    self.init()
    change(&self)
  }
}
