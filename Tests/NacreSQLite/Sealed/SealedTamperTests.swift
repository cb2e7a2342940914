import Foundation
import NacreEngine
import NacreSQLite
import Testing

/// What somebody changes in the files beside a sealed one, and what SQLite hands down that is no page of it.
@Suite struct SealedTamperTests {
  private static let frameByteCount = 24 + 4096
  /// The code of a page that names a key which the header does not have.
  private static let unknownKey: Int32 = 10 | 0xe1 << 8

  private func logged() throws -> (SealedScene, Connection) {
    let scene = try SealedScene()
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable + "; PRAGMA wal_autocheckpoint = 0")
    try connection.transaction(.immediate) { try connection.insert(0..<150) }
    return (scene, connection)
  }

  private func write(_ bytes: [UInt8], to path: String, at offset: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: bytes)
    try file.close()
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  // MARK: - Log and journal

  @Test func `a frame under an unknown key is an error, and never the end of the log`() throws {
    let (scene, connection) = try logged()
    let copy = try scene.crashed()
    let log = copy + "-nlog"
    // The key id of the second frame's page.
    try write([0x7a, 1, 2, 3], to: log, at: 128 + 2 * Self.frameByteCount - 16)
    let before = try (bytes(copy), bytes(log))
    let error = #expect(throws: SQLiteError.self) { _ = try scene.open(at: copy) }
    #expect(error?.extendedCode == Self.unknownKey)
    #expect(try bytes(copy) == before.0 && bytes(log) == before.1)
    _ = connection
  }

  @Test func `a journal's record under an unknown key is an error, and the journal stays`() throws {
    let scene = try SealedScene(pageByteCount: 1024)
    let connection = try scene.open(.delete)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<200) }
    try connection.execute("PRAGMA cache_size = 10; PRAGMA cache_spill = 5; BEGIN IMMEDIATE")
    try connection.insert(0..<400, "lost")
    let copy = try scene.crashed()
    try connection.execute("ROLLBACK")
    let journal = copy + "-njournal"
    let before = try bytes(journal)
    // The key id of the first record's page.
    let place = 512 + 4 + 1024 - 16
    try write([0x7a, 1, 2, 3], to: journal, at: place)
    let changed = try bytes(journal)
    let error = #expect(throws: SQLiteError.self) { _ = try scene.open(.delete, at: copy) }
    #expect(error?.extendedCode == Self.unknownKey)
    #expect(try bytes(journal) == changed)
    try write(Array(before[place..<place + 4]), to: journal, at: place)
    let mended = try scene.open(.delete, at: copy)
    #expect(try mended.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 200)
    #expect(try mended.isWhole())
  }

  @Test(arguments: [0, 1, 60, 127])
  func `a log whose header is torn is none`(byteCount: Int) throws {
    let (scene, connection) = try logged()
    _ = try connection.checkpoint(.restart)
    let copy = try scene.crashed()
    let log = try FileHandle(forUpdating: URL(fileURLWithPath: copy + "-nlog"))
    try log.truncate(atOffset: UInt64(byteCount))
    try log.close()
    let crashed = try scene.open(at: copy)
    #expect(try crashed.integer("SELECT count(*) FROM t") == 150)
    try crashed.insert(150..<160)
    #expect(try crashed.isWhole())
    try crashed.close()
    #expect(try scene.open(at: copy).integer("SELECT count(*) FROM t") == 160)
  }

  @Test(arguments: [0, 45, 60, 100, 117])
  func `a log whose header has another byte is none, also if it is SQLite's`(offset: Int) throws {
    let (scene, connection) = try logged()
    _ = try connection.checkpoint(.restart)
    try connection.execute("DELETE FROM t WHERE id > 10")
    let copy = try scene.crashed()
    try SealedScene.flip(copy + "-nlog", at: offset)
    #expect(try scene.open(at: copy).integer("SELECT count(*) FROM t") == 150)
  }

  @Test func `a page of an earlier log does not open in the same frame of a later one`() throws {
    let (scene, connection) = try logged()
    var logs: [Data] = []
    for text in ["first", "other"] {
      _ = try connection.checkpoint(.restart)
      try connection.execute("UPDATE t SET text = '\(text)' WHERE id = 1")
      logs.append(try bytes(scene.path + "-nlog"))
    }
    let reader = try scene.open(mode: .readOnly)
    #expect(try reader.text("SELECT text FROM t WHERE id = 1") == "other")
    // The same page in the same frame; only the salts told the two logs apart.
    let frame = 128..<128 + Self.frameByteCount
    #expect(logs[0][frame].prefix(8) == logs[1][frame].prefix(8))
    #expect(logs[0][frame] != logs[1][frame])
    for number in 0..<2 {
      let start = 128 + number * Self.frameByteCount
      try write(
        Array(logs[0][start + 24..<start + Self.frameByteCount]),
        to: scene.path + "-nlog",
        at: start + 24
      )
    }
    let other = try scene.open(mode: .readOnly)
    let error = #expect(throws: SQLiteError.self) {
      _ = try other.text("SELECT text FROM t NOT INDEXED WHERE id = 1")
      _ = try other.integer("SELECT count(*) FROM t WHERE text = 'other'")
    }
    #expect(error?.kind == .sealBroken)
    _ = connection
  }

  @Test func `a checkpoint that a changed index sends to another page is refused`() throws {
    let (scene, connection) = try logged()
    let copy = try scene.crashed()
    let index = scene.path + "-shm"
    let found = try bytes(index)
    // The numbers of the frames' pages (sqlite.org/walformat.html, section 2.2).
    let place = 136
    let count = (try bytes(scene.path + "-nlog").count - 128) / Self.frameByteCount
    let numbers = (0..<count).map { frame in
      Array(found[place + frame * 4..<place + frame * 4 + 4])
    }
    let once = numbers.indices.filter { frame in numbers.count { $0 == numbers[frame] } == 1 }
    let (first, second) = (try #require(once.first), try #require(once.last))
    #expect(first != second)
    try write(numbers[first], to: index, at: place + second * 4)
    try write(numbers[second], to: index, at: place + first * 4)
    let error = #expect(throws: SQLiteError.self) { _ = try connection.checkpoint(.passive) }
    #expect(error?.kind == .sealBroken)
    #expect(error?.message.hasSuffix("is not the page of its frame") == true)
    #expect(try scene.open(at: copy).isWhole())
  }

  // MARK: - Pages

  /// A plain database with as many bytes left free at the end of each page.
  private func plain(from sealed: Connection, at path: String) throws {
    let target = try Connection(path: path, mode: .create)
    try sealed.backup(to: target)
    _ = try target.pragma("journal_mode = DELETE")
    try target.close()
  }

  @Test(arguments: [Pragmas.JournalMode.delete, .wal])
  func `a first page that leaves no room for seals is refused`(
    mode: Pragmas.JournalMode
  ) throws {
    let database = try TemporaryDatabase()
    let source = try database.open()
    // One page, with nothing where the seal would be.
    try source.execute("PRAGMA user_version = 7")
    let scene = try SealedScene()
    let target = try scene.open(mode)
    try target.execute(SealedScene.createTable)
    try target.insert(0..<5)
    let error = #expect(throws: SQLiteError.self) { try source.backup(to: target) }
    #expect(error?.kind == .badStatement)
    try target.close()
    let again = try scene.open(mode)
    #expect(try again.integer("SELECT count(*) FROM t") == 5)
    #expect(try again.isWhole())
  }

  @Test(arguments: [Pragmas.JournalMode.delete, .wal])
  func `a page with something where its seal would be is refused`(
    mode: Pragmas.JournalMode
  ) throws {
    let (scene, connection) = try logged()
    let path = scene.database.directory + "/plain.db"
    try plain(from: connection, at: path)
    let target = try SealedScene()
    // With nothing there the copy is taken.
    try Connection(path: path, mode: .readOnly).backup(to: target.open(mode))
    try write([1], to: path, at: 2 * 4096 - 1)
    let other = try SealedScene()
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path: path, mode: .readOnly).backup(to: other.open(mode))
    }
    #expect(error?.kind == .badStatement)
    #expect(try target.open(mode).integer("SELECT count(*) FROM t") == 150)
  }
}
