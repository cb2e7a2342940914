import Foundation
import NacreEngine
import NacreSQLite
import Testing

@Suite struct SealedJournalTests {
  @Test func `a transaction that a crash cut off is rolled back by its journal`() throws {
    let scene = try SealedScene(pageByteCount: 1024)
    let connection = try scene.open(.delete)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<200) }
    try connection.execute("PRAGMA cache_size = 10; PRAGMA cache_spill = 5; BEGIN IMMEDIATE")
    try connection.insert(0..<400, "lost")
    let copy = try scene.crashed()
    #expect(FileManager.default.fileExists(atPath: copy + "-njournal"))
    try connection.execute("ROLLBACK")
    #expect(try connection.isWhole())
    let crashed = try scene.open(.delete, at: copy)
    #expect(try crashed.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 200)
    #expect(try crashed.integer("SELECT count(*) FROM t") == 200)
    #expect(try crashed.isWhole())
  }

  /// A copy of a database with a hot journal, of which 200 rows were committed before.
  private func hot(_ scene: SealedScene) throws -> String {
    let connection = try scene.open(.delete)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<200) }
    try connection.execute("PRAGMA cache_size = 10; PRAGMA cache_spill = 5; BEGIN IMMEDIATE")
    try connection.insert(0..<400, "lost")
    let copy = try scene.crashed()
    try connection.execute("ROLLBACK")
    return copy
  }

  @Test func `the journal of another store is an error, and rolls nothing back`() throws {
    let scene = try SealedScene(pageByteCount: 1024)
    let copy = try hot(scene)
    let otherScene = try SealedScene(pageByteCount: 1024)
    let other = try hot(otherScene)
    try FileManager.default.removeItem(atPath: copy + "-njournal")
    try FileManager.default.copyItem(atPath: other + "-njournal", toPath: copy + "-njournal")
    let before = try Data(contentsOf: URL(fileURLWithPath: copy))
    let error = #expect(throws: SQLiteError.self) {
      _ = try scene.open(.delete, at: copy).integer("SELECT count(*) FROM t")
    }
    #expect(error?.kind == .otherStore)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
  }

  @Test func `stock SQLite that opens a killed file destroys nothing`() throws {
    let scene = try SealedScene(pageByteCount: 1024)
    let copy = try hot(scene)
    let plain = try Connection(path: copy + "-other.db", mode: .create)
    try plain.close()
    #expect(throws: SQLiteError.self) { _ = try Connection(path: copy, mode: .readWrite) }
    #expect(FileManager.default.fileExists(atPath: copy + "-njournal"))
    let again = try scene.open(.delete, at: copy)
    #expect(try again.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 200)
    #expect(try again.isWhole())
  }
}
