import Foundation
import NacreEngine
import NacreSQLite
import Testing

@Suite struct SealedLogTests {
  @Test func `what was committed to the log is there after a crash`() throws {
    let scene = try SealedScene()
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable + "; PRAGMA wal_autocheckpoint = 0")
    for round in 0..<5 {
      try connection.transaction(.immediate) { try connection.insert(round * 50..<round * 50 + 50) }
    }
    let crashed = try scene.open(at: scene.crashed())
    #expect(try crashed.integer("SELECT count(*) FROM t") == 250)
    #expect(try crashed.isWhole())
  }

  @Test func `a log that begins anew keeps nothing of the former one`() throws {
    let scene = try SealedScene()
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable + "; PRAGMA wal_autocheckpoint = 0")
    try connection.transaction(.immediate) { try connection.insert(0..<200) }
    _ = try connection.checkpoint(.restart)
    try connection.transaction(.immediate) { try connection.insert(200..<210) }
    let crashed = try scene.open(at: scene.crashed())
    #expect(try crashed.integer("SELECT count(*) FROM t") == 210)
    #expect(try crashed.isWhole())
  }

  @Test func `pages that spill and are written anew survive a crash`() throws {
    let scene = try SealedScene(pageByteCount: 1024)
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable + "; PRAGMA wal_autocheckpoint = 0")
    try connection.transaction(.immediate) { try connection.insert(0..<100) }
    try connection.execute("PRAGMA cache_size = 10; PRAGMA cache_spill = 5")
    try connection.transaction(.immediate) {
      for round in 0..<4 { try connection.insert(0..<200, "round\(round)") }
    }
    let crashed = try scene.open(at: scene.crashed())
    #expect(try crashed.integer("SELECT count(*) FROM t WHERE text GLOB 'round3*'") == 200)
    #expect(try crashed.isWhole())
  }

  /// A scene with a committed log of several transactions that no checkpoint has moved.
  private func logged(_ rounds: Int = 4) throws -> (SealedScene, Connection) {
    let scene = try SealedScene()
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable + "; PRAGMA wal_autocheckpoint = 0")
    for round in 0..<rounds {
      try connection.transaction(.immediate) {
        try connection.insert(round * 50..<round * 50 + 50)
      }
    }
    return (scene, connection)
  }

  private static let frameByteCount = 24 + 4096

  @Test func `where a frame of the log was changed, the log ends`() throws {
    let (scene, connection) = try logged()
    let copy = try scene.crashed()
    let log = copy + "-nlog"
    let size = try Data(contentsOf: URL(fileURLWithPath: log)).count
    // A byte in the page of the last frame: the last transaction is as if it were torn.
    try SealedScene.flip(log, at: size - 2000)
    let crashed = try scene.open(at: copy)
    #expect(try crashed.integer("SELECT count(*) FROM t") == 150)
    #expect(try crashed.isWhole())
    try connection.close()
  }

  @Test func `a frame that somebody changes under an open connection is an error`() throws {
    let (scene, connection) = try logged()
    let reader = try scene.open(mode: .readOnly)
    #expect(try reader.integer("SELECT count(*) FROM t") == 200)
    let log = scene.path + "-nlog"
    let count = (try Data(contentsOf: URL(fileURLWithPath: log)).count - 128) / Self.frameByteCount
    for frame in 0..<count { try SealedScene.flip(log, at: 128 + frame * Self.frameByteCount + 99) }
    let error = #expect(throws: SQLiteError.self) {
      try reader.execute("PRAGMA shrink_memory; SELECT count(text) FROM t NOT INDEXED")
      _ = try reader.integer("SELECT sum(length(text)) FROM t NOT INDEXED")
    }
    #expect(error?.kind == .sealBroken)
    _ = connection
  }

  @Test func `a frame from an earlier log is no frame of this one`() throws {
    let (scene, connection) = try logged()
    let earlier = try Data(contentsOf: URL(fileURLWithPath: scene.path + "-nlog"))
    _ = try connection.checkpoint(.restart)
    try connection.execute("UPDATE t SET text = 'later' WHERE id < 100")
    let copy = try scene.crashed()
    let file = URL(fileURLWithPath: copy + "-nlog")
    var log = try Data(contentsOf: file)
    // The earlier frames with the salts of the present log, which anybody can write there.
    let salts = log[128 + 8..<128 + 16]
    for frame in 0..<5 {
      let start = 128 + frame * Self.frameByteCount
      log.replaceSubrange(
        start..<start + Self.frameByteCount,
        with: earlier[start..<start + Self.frameByteCount]
      )
      log.replaceSubrange(start + 8..<start + 16, with: salts)
    }
    try log.write(to: file)
    let crashed = try scene.open(at: copy)
    #expect(try crashed.integer("SELECT count(*) FROM t WHERE text = 'later'") == 0)
    #expect(try crashed.integer("SELECT count(*) FROM t") == 200)
    #expect(try crashed.isWhole())
  }

  @Test func `a torn first page that the log has does not matter`() throws {
    let (scene, connection) = try logged()
    _ = try connection.checkpoint(.passive)
    try connection.execute("CREATE TABLE u (x)")
    let copy = try scene.crashed()
    try SealedScene.flip(copy, at: 65_536 + 50)
    let crashed = try scene.open(at: copy)
    #expect(try crashed.integer("SELECT count(*) FROM t") == 200)
    #expect(try crashed.isWhole())
  }

  @Test func `pages that somebody cut off are an error, also where a log is there`() throws {
    let (scene, connection) = try logged()
    _ = try connection.checkpoint(.passive)
    try connection.execute("UPDATE t SET text = 'later' WHERE id = 1")
    let copy = try scene.crashed()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
    try file.truncate(atOffset: try file.seekToEnd() - 5 * 4096)
    try file.close()
    let error = #expect(throws: SQLiteError.self) {
      let crashed = try scene.open(at: copy)
      _ = try crashed.integer("SELECT sum(length(text)) FROM t NOT INDEXED")
      _ = try crashed.integer("SELECT count(*) FROM t WHERE text > ''")
    }
    #expect(error?.kind == .sealBroken)
  }

  @Test func `the log of another store is an error, and an earlier whole log is not`() throws {
    let (scene, connection) = try logged()
    let (other, otherConnection) = try logged(2)
    let copy = try scene.crashed()
    try FileManager.default.removeItem(atPath: copy + "-nlog")
    try FileManager.default.copyItem(atPath: other.path + "-nlog", toPath: copy + "-nlog")
    let error = #expect(throws: SQLiteError.self) {
      _ = try scene.open(at: copy).integer("SELECT count(*) FROM t")
    }
    #expect(error?.kind == .otherStore)
    _ = (connection, otherConnection)
  }

  @Test func `a log of a later version is an error`() throws {
    let (scene, connection) = try logged()
    let copy = try scene.crashed()
    try SealedScene.flip(copy + "-nlog", at: 19)
    let error = #expect(throws: SQLiteError.self) {
      _ = try scene.open(at: copy).integer("SELECT count(*) FROM t")
    }
    #expect(error?.kind == .newerFormat)
    _ = connection
  }

  @Test func `readers and a writer of several connections see whole transactions`() throws {
    let (scene, connection) = try logged(1)
    try connection.execute("PRAGMA wal_autocheckpoint = 20")
    let readers = try (0..<3).map { _ in try scene.open(mode: .readOnly) }
    for round in 1...30 {
      try connection.execute("UPDATE t SET text = 'round \(round) ' || hex(zeroblob(200))")
      for reader in readers {
        #expect(try reader.integer("SELECT count(DISTINCT text) FROM t") == 1)
      }
    }
    #expect(try readers[0].isWhole())
  }
}
