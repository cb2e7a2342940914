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

  @Test(arguments: [Pragmas.JournalMode.delete, .truncate, .persist])
  func `a transaction that has spilled is rolled back whole, also what it changed afterwards`(
    mode: Pragmas.JournalMode
  ) throws {
    let scene = try SealedScene(pageByteCount: 1024)
    let connection = try scene.open(mode)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<300) }
    let before = try connection.text(
      "SELECT group_concat(text) FROM (SELECT text FROM t ORDER BY id)"
    )
    try connection.execute("PRAGMA cache_size = 20; PRAGMA cache_spill = 10; BEGIN IMMEDIATE")
    try connection.insert(100..<300, "lost")
    // Changes of other pages that stay in memory.
    try connection.execute("PRAGMA cache_spill = OFF")
    try connection.execute("UPDATE t SET text = 'lost, too' WHERE id IN (3, 30, 60)")
    try connection.execute("ROLLBACK")
    for _ in 0..<2 {
      #expect(
        try connection.text("SELECT group_concat(text) FROM (SELECT text FROM t ORDER BY id)")
          == before
      )
      #expect(try connection.isWhole())
      try connection.execute("UPDATE t SET id = id WHERE id < 70")
    }
  }

  @Test(arguments: Array(1...16) + [100, 515, 700])
  func `a journal whose end is torn rolls back what is whole`(torn: Int) throws {
    let scene = try SealedScene(pageByteCount: 1024)
    let copy = try hot(scene)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy + "-njournal"))
    try file.seekToEnd()
    try file.write(contentsOf: [UInt8](repeating: 7, count: torn))
    try file.close()
    let crashed = try scene.open(.delete, at: copy)
    #expect(try crashed.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 200)
    #expect(try crashed.isWhole())
  }

  @Test func `a torn first page is mended by the journal`() throws {
    let scene = try SealedScene(pageByteCount: 1024)
    let copy = try hot(scene)
    try SealedScene.flip(copy, at: 65_536 + 50)
    let crashed = try scene.open(.delete, at: copy)
    #expect(try crashed.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 200)
    #expect(try crashed.isWhole())
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
