import Foundation
import NacreEngine
@testable import NacreSQLite
import Testing

@Suite struct SealedDatabaseTests {
  @Test(arguments: [1024, 2048, 4096, 8192, 16384, 32768, 65536])
  func `rows come back from pages of any size`(pageByteCount: Int) throws {
    let scene = try SealedScene(pageByteCount: pageByteCount)
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<500) }
    #expect(try connection.integer("PRAGMA page_size") == pageByteCount)
    #expect(try connection.isWhole())
    try connection.close()
    let again = try scene.open(mode: .readOnly)
    #expect(try again.integer("SELECT count(*) FROM t WHERE text GLOB 'marker-in-a-text*'") == 500)
    #expect(try again.isWhole())
    for file in try scene.bytesOnDisk() {
      #expect(file.bytes.range(of: Data("marker-in-a-text".utf8)) == nil, "\(file.name)")
    }
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete, .truncate, .persist, .memory])
  func `transactions commit and roll back with any journal`(mode: Pragmas.JournalMode) throws {
    let scene = try SealedScene()
    let connection = try scene.open(mode)
    #expect(try connection.text("PRAGMA journal_mode") == mode.rawValue)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<300) }
    struct Cancelled: Error {}
    #expect(throws: Cancelled.self) {
      try connection.transaction(.immediate) {
        try connection.insert(100..<600, "other")
        try connection.execute("DELETE FROM t WHERE id < 50")
        throw Cancelled()
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 300)
    #expect(try connection.isWhole())
    try connection.close()
    let again = try scene.open(mode)
    #expect(try again.integer("SELECT count(*) FROM t") == 300)
    #expect(try again.isWhole())
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete, .truncate, .persist])
  func `a term of a full-text index lies open in no file`(mode: Pragmas.JournalMode) throws {
    func hasTerm(_ directory: String) throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: directory).contains { name in
        let file = URL(fileURLWithPath: directory + "/" + name)
        // The texts have it in capital letters.
        return try Data(contentsOf: file).range(of: Data("terminindex".utf8)) != nil
      }
    }
    func write(on connection: Connection, in directory: String) throws -> [Bool] {
      try connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
      try connection.execute("INSERT INTO words VALUES ('TERMinindex'), ('other')")
      var found = [try hasTerm(directory)]
      try connection.transaction(.immediate) {
        try connection.execute("UPDATE words SET text = 'TERMinindex ' || rowid")
        found.append(try hasTerm(directory))
      }
      #expect(
        try connection.integer("SELECT count(*) FROM words WHERE words MATCH 'terminindex'") == 2
      )
      found.append(try hasTerm(directory))
      try connection.close()
      return found + [try hasTerm(directory)]
    }
    let scene = try SealedScene()
    let sealed = try write(on: scene.open(mode), in: scene.database.directory)
    #expect(sealed == [false, false, false, false])
    let plain = try TemporaryDatabase()
    var configuration = ConnectionConfiguration()
    configuration.pragmas.journalMode = mode
    let connection = try Connection(
      path: plain.path,
      mode: .create,
      configuration: configuration
    )
    #expect(try write(on: connection, in: plain.directory).allSatisfy { $0 })
  }

  @Test func `a file goes from each journal mode to each other one`() throws {
    let scene = try SealedScene()
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable)
    let modes: [Pragmas.JournalMode] = [.wal, .delete, .truncate, .persist, .memory]
    var rows = 0
    for from in modes {
      for to in modes {
        for mode in [from, to] {
          #expect(try connection.text("PRAGMA journal_mode = \(mode.rawValue)") == mode.rawValue)
          try connection.transaction(.immediate) { try connection.insert(rows..<rows + 40) }
          struct Cancelled: Error {}
          #expect(throws: Cancelled.self) {
            try connection.transaction(.immediate) {
              try connection.execute("UPDATE t SET text = 'lost'")
              throw Cancelled()
            }
          }
          rows += 40
        }
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == rows)
    #expect(try connection.isWhole())
    try connection.close()
    #expect(try scene.open(mode: .readOnly).integer("SELECT count(*) FROM t") == rows)
  }

  @Test func `a connection keeps more pages than SQLite does of itself`() throws {
    #expect(try SealedScene().open().integer("PRAGMA cache_size") == -8_000)
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete])
  func `a file is vacuumed, also step by step`(mode: Pragmas.JournalMode) throws {
    let scene = try SealedScene()
    let connection = try scene.open(mode)
    try connection.execute("PRAGMA auto_vacuum = incremental; VACUUM")
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<800) }
    let full = try connection.integer("PRAGMA page_count")
    try connection.execute("DELETE FROM t WHERE id > 10; PRAGMA incremental_vacuum(20)")
    #expect(try connection.isWhole())
    try connection.execute("VACUUM")
    #expect(try connection.integer("PRAGMA page_count") < full / 4)
    #expect(try connection.integer("SELECT count(*) FROM t") == 11)
    #expect(try connection.isWhole())
  }

  @Test func `the size of pages can't be changed`() throws {
    let scene = try SealedScene()
    let connection = try scene.open(.delete)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<100) }
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("PRAGMA page_size = 8192; VACUUM")
    }
    #expect(error?.kind == .badStatement)
    try connection.close()
    let again = try scene.open(.delete)
    #expect(try again.integer("SELECT count(*) FROM t") == 100)
    #expect(try again.isWhole())
  }

  @Test func `a plain database can't be copied over a sealed one`() throws {
    let plain = try TemporaryDatabase()
    let source = try plain.open()
    try source.execute(SealedScene.createTable)
    try source.transaction(.immediate) { try source.insert(0..<100) }
    let scene = try SealedScene()
    let target = try scene.open(.delete)
    #expect(throws: SQLiteError.self) { try source.backup(to: target) }
    #expect(try target.integer("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test func `pages that SQLite leaves out are sealed, too`() throws {
    let scene = try SealedScene()
    let connection = try scene.open(.delete)
    try connection.execute(SealedScene.createTable)
    // Pages that are used and free again within one transaction are never written.
    try connection.transaction(.immediate) {
      try connection.execute("CREATE TABLE u (x); INSERT INTO u VALUES (zeroblob(400000))")
      try connection.execute("INSERT INTO t VALUES (1, 'kept'); DROP TABLE u")
      try connection.execute("CREATE TABLE v (x); INSERT INTO v VALUES (zeroblob(9000))")
    }
    try connection.readRaw(.database) { _ in }
    #expect(try connection.isWhole())
  }

  @Test func `no other file can be attached or made`() throws {
    let scene = try SealedScene()
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable)
    let other = scene.database.directory + "/other.db"
    for sql in [
      "ATTACH '\(other)' AS o", "ATTACH 'file:\(other)?vfs=unix' AS o", "VACUUM INTO '\(other)'",
      "VACUUM INTO 'file:\(other)?vfs=unix'",
    ] {
      let error = #expect(throws: SQLiteError.self) { try connection.execute(sql) }
      #expect(error?.isAuthorization == true, "\(sql): \(String(describing: error))")
    }
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test func `a changed page is refused by its number`() throws {
    let scene = try SealedScene()
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<200) }
    let count = try connection.integer("PRAGMA page_count")
    try connection.close()
    for number in 1...count {
      let copy = try scene.crashed()
      try SealedScene.flip(copy, at: Int(65_536 + (number - 1) * 4096 + 100))
      let error = #expect(throws: SQLiteError.self) {
        let connection = try scene.open(mode: .readOnly, at: copy)
        try connection.readRaw(.database) { _ in }
      }
      #expect(error?.message.contains("page \(number) ") == true, "\(String(describing: error))")
    }
  }
}
