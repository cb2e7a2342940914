import Foundation
import NacreEngine
import NacreSQLite
import TestSupport
import Testing

/// Locks, spilled changes and settings of a sealed file's connections.
@Suite struct SealedLockTests {
  private let scene: SealedScene

  init() throws { scene = try SealedScene(pageByteCount: 1024) }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete, .persist])
  func `a connection keeps the file to itself, and its transactions survive a crash`(
    mode: Pragmas.JournalMode
  ) throws {
    let connection = try scene.open(mode)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE; " + SealedScene.createTable)
    for round in 0..<6 {
      try connection.transaction(.immediate) {
        try connection.insert(round * 20..<round * 20 + 20)
      }
      if round == 3 { _ = try? connection.checkpoint(.restart) }
      let crashed = try scene.open(mode, at: scene.crashed())
      #expect(try crashed.integer("SELECT count(*) FROM t") == Int64(round) * 20 + 20)
      #expect(try crashed.isWhole())
    }
    try connection.execute("PRAGMA cache_size = 10; PRAGMA cache_spill = 5; BEGIN IMMEDIATE")
    try connection.insert(0..<300, "lost")
    try connection.execute("ROLLBACK; PRAGMA locking_mode = NORMAL")
    #expect(try connection.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 120)
    #expect(try connection.isWhole())
    // With a log, SQLite lets nobody in until the connection is closed.
    if mode == .wal { try connection.close() }
    let other = try scene.open(mode)
    try other.insert(200..<210)
    #expect(try other.integer("SELECT count(*) FROM t") == 130)
  }

  @Test func `a log without an index in shared memory is read and written`() throws {
    let made = try scene.open()
    try made.execute(SealedScene.createTable)
    try made.close()
    // SQLite keeps the index to itself if it is exclusive before it has opened the log.
    let connection = try scene.open(.delete)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    #expect(try connection.text("PRAGMA journal_mode = WAL") == "wal")
    for round in 0..<4 {
      try connection.transaction(.immediate) {
        try connection.insert(round * 50..<round * 50 + 50)
      }
      _ = try connection.checkpoint(.restart)
    }
    try connection.execute("DELETE FROM t WHERE id < 10")
    #expect(!FileManager.default.fileExists(atPath: scene.path + "-shm"))
    let crashed = try scene.open(at: scene.crashed())
    #expect(try crashed.integer("SELECT count(*) FROM t") == 190)
    #expect(try crashed.isWhole())
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete])
  func `a savepoint takes back what has spilled, and the rest is committed`(
    mode: Pragmas.JournalMode
  ) throws {
    let connection = try scene.open(mode)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<200) }
    try connection.execute("PRAGMA cache_size = 10; PRAGMA cache_spill = 5")
    try connection.transaction(.immediate) {
      try connection.insert(200..<250)
      try connection.execute("SAVEPOINT s")
      try connection.insert(250..<500, "lost")
      try connection.execute("ROLLBACK TO s; RELEASE s")
      #expect(try connection.integer("SELECT count(*) FROM t") == 250)
      try connection.insert(250..<260)
    }
    #expect(try connection.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 260)
    #expect(try connection.isWhole())
    let crashed = try scene.open(mode, at: scene.crashed())
    #expect(try crashed.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 260)
    #expect(try crashed.isWhole())
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete])
  func `a statement that fails in the middle is taken back, by a journal of its own`(
    mode: Pragmas.JournalMode
  ) throws {
    let connection = try scene.open(mode)
    try connection.execute(SealedScene.createTable + "; PRAGMA temp_store = FILE")
    try connection.transaction(.immediate) { try connection.insert(0..<300) }
    try connection.execute("PRAGMA cache_size = 10; PRAGMA cache_spill = 5")
    try connection.transaction(.immediate) {
      try connection.insert(300..<310)
      let error = #expect(throws: SQLiteError.self) {
        // The last row is in the way of the others.
        try connection.execute(
          "UPDATE t SET text = 'lost', id = CASE id WHEN 309 THEN 5 ELSE id END"
        )
      }
      #expect(error?.kind == .constraint)
      #expect(try connection.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 310)
      try connection.insert(310..<320)
    }
    #expect(try connection.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 320)
    let crashed = try scene.open(mode, at: scene.crashed())
    #expect(try crashed.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 320)
    #expect(try crashed.isWhole())
  }

  @Test func `stock SQLite that opens a killed file with a log destroys nothing`() throws {
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable + "; PRAGMA wal_autocheckpoint = 0")
    try connection.transaction(.immediate) { try connection.insert(0..<500) }
    let copy = try scene.crashed()
    let log = URL(fileURLWithPath: copy + "-nlog")
    let before = try (Data(contentsOf: URL(fileURLWithPath: copy)), Data(contentsOf: log))
    for mode in [Connection.Mode.readWrite, .readOnly] {
      let error = #expect(throws: SQLiteError.self) { _ = try Connection(path: copy, mode: mode) }
      #expect(error?.kind == .notADatabase)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before.0)
    #expect(try Data(contentsOf: log) == before.1)
    let again = try scene.open(at: copy)
    #expect(try again.integer("SELECT count(*) FROM t") == 500)
    #expect(try again.isWhole())
  }

  #if os(Linux)
  /// The bytes of a file on which this process has locks.
  ///
  /// The kernel gives its list a page at a time, and other tests change it meanwhile, so a pass can miss a lock or find it
  /// twice. The locks of this file stay as they are, so each lock that some pass has found is there.
  private func locks(of path: String) throws -> [String] {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let number = try #require(attributes[.systemFileNumber] as? Int)
    var found: Set<String> = []
    for _ in 0..<20 {
      for line in try KernelFile.lines(of: "/proc/locks") {
        let words = line.split(separator: " ")
        guard words.count > 7, words[4] == "\(getpid())", words[5].hasSuffix(":\(number)") else {
          continue
        }
        found.insert("\(words[3]) \(words[6]) \(words[7])")
      }
    }
    return found.sorted()
  }

  @Test func `locks are found among many, which the kernel does not give at once`() throws {
    let file = open(scene.path + "-many", O_RDWR | O_CREAT, 0o600)
    defer { close(file) }
    try #require(file >= 0)
    for number in 0..<200 {
      var lock = flock()
      (lock.l_type, lock.l_start, lock.l_len) = (Int16(F_WRLCK), off_t(2 * number), 1)
      #expect(fcntl(file, F_SETLK, &lock) == 0)
    }
    #expect(try locks(of: scene.path + "-many").count == 200)
  }

  @Test func `locks stay where they are while the header is read and written`() throws {
    let connection = try scene.open(.delete)
    try connection.execute(SealedScene.createTable + "; BEGIN EXCLUSIVE")
    let held = try locks(of: scene.path)
    #expect(!held.isEmpty)
    let header = SealedHeaderFile(path: scene.path)
    var copy = [UInt8](repeating: 0, count: 32_768)
    #expect(copy.withUnsafeMutableBytes { header.read(at: 0, into: $0) })
    try header.write(copy, at: 32_768)
    #expect(try locks(of: scene.path) == held)
    try connection.insert(0..<10)
    try connection.execute("COMMIT")
    #expect(try locks(of: scene.path) != held)
  }

  @Test func `no page is mapped into memory, whatever SQL asks for`() throws {
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<200) }
    _ = try connection.checkpoint(.truncate)
    #expect(try connection.pragma("mmap_size = 100000000") != "100000000")
    #expect(try connection.integer("SELECT count(*) FROM t WHERE text GLOB 'marker*'") == 200)
    #expect(try !KernelFile.lines(of: "/proc/self/maps").contains { $0.hasSuffix(scene.path) })
  }
  #endif
}
