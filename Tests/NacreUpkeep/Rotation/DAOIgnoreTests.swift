import Foundation
@testable import NacreCore
import NacreCrypto
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// Columns that are to be ignored, in a store whose catalog knows a DAO: no search for what a key has sealed stops at them.
@Suite struct DAOIgnoreTests {
  private let scene: DAOScene
  private let store: Store
  private let old: KeyID
  private let planted = StoredColumn(table: "planted", column: "x")

  init() throws {
    scene = try DAOScene()
    store = try scene.open()
    old = try store.key(.primary)
  }

  private func expectRefused(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    expectError(
      .unsuitableColumn,
      entity: planted.table,
      property: planted.column,
      sourceLocation: sourceLocation,
      body
    )
  }

  @Test(
    arguments: [
      "CREATE TABLE planted (k, x)",
      "CREATE TABLE planted (k INTEGER PRIMARY KEY, x) WITHOUT ROWID",
      "CREATE TABLE planted (k, x, _rowid_)",
    ],
    [true, false]
  )
  func `a planted value in an ignored column stops no rotation and no key change`(
    _ made: String,
    _ opens: Bool
  ) throws {
    try scene.scene.edit(made)
    let bytes = "01\(old)" + String(repeating: "00", count: 60)
    let rows =
      opens ? "SELECT id, body FROM notes UNION ALL SELECT 99, 'plain'" : "VALUES (1, x'\(bytes)')"
    try scene.scene.edit("INSERT INTO planted (k, x) \(rows)")
    expectRefused { _ = try store.rotationPlan(.small) }
    expectRefused { _ = try store.rotate(.small) }
    var options = RotationOptions.small
    options.ignoredColumns = [StoredColumn(table: "PLANTED", column: "X")]
    let plan = try store.rotationPlan(options)
    #expect(plan.resealed == scene.valueCount)
    let report = try store.rotate(options)
    #expect(report.outcome == .finished)
    #expect(report.disabled == [old])
    #expect(report.resealed == scene.valueCount)
    try store.enableKey(old)
    expectRefused { try store.disableKey(old) }
    try store.disableKey(old, ignoring: [planted])
    expectRefused { try store.destroyKey(old) }
    try store.destroyKey(old, ignoring: [planted])
    #expect(try store.state(of: old) == .destroyed)
    #expect(try store.inspect().entities.map(\.name) == [DAOScene.entity])
    try scene.expectWhole(store)
  }

  @Test func `an ignored column that holds a copy of a DAO's values is resealed all the same`()
    throws
  {
    try scene.scene.edit("CREATE TABLE planted AS SELECT body x FROM notes")
    var options = RotationOptions.small
    options.ignoredColumns = [planted]
    let report = try store.rotate(options)
    #expect(report.outcome == .finished)
    #expect(report.resealed == scene.valueCount + scene.rowIDs.count)
    try store.destroyKey(old)
    #expect(try store.verify().isSound)
  }

  @Test func `destroyKey does not add an ignored column to the catalog`() throws {
    try scene.scene.edit("CREATE TABLE aside AS SELECT body x FROM notes LIMIT 1")
    let bytes = try #require(try scene.scene.edit("SELECT x FROM aside").first?.first)
    try scene.scene.edit("DROP TABLE aside")
    #expect(try store.rotate(.small).outcome == .finished)
    try store.enableKey(old)
    try scene.scene.edit("CREATE TABLE planted (x)")
    try scene.scene.edit("INSERT INTO planted VALUES (?1)", bytes)
    try store.destroyKey(old, ignoring: [planted])
    #expect(try store.inspect().entities.map(\.name) == [DAOScene.entity])
    // Nothing of it could ever be sealed anew.
    #expect(try store.rotate(.small).outcome == .finished)
    try scene.expectWhole(store)
  }
}
