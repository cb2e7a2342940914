import Foundation
import NacreEngine
import NacreSQLite
import TestFaults
import Testing

/// The disk on which the tests of faults stand.
@Suite struct FaultyDiskTests {
  private let database: TemporaryDatabase
  private let disk: FaultyDisk

  init() throws {
    database = try TemporaryDatabase()
    disk = try FaultyDisk(at: database.directory)
  }

  private func make() throws -> Connection {
    let connection = try database.open(synchronous: .full)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
    return connection
  }

  private func filesOnDisk() throws -> [String: [UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: database.directory)
    return try Dictionary(
      uniqueKeysWithValues: names.filter { !$0.hasSuffix("-shm") }.map { name in
        let path = database.directory + "/" + name
        return (name, Array(try Data(contentsOf: URL(fileURLWithPath: path))))
      }
    )
  }

  @Test func `all changes together are the files as they are`() throws {
    let connection = try make()
    try connection.execute("INSERT INTO t VALUES (1, hex(zeroblob(9000)))")
    _ = try connection.checkpoint(.truncate)
    try connection.execute("INSERT INTO t VALUES (2, 'later'); DELETE FROM t WHERE id = 1; VACUUM")
    let history = disk.history
    let cut = PowerCut(of: history, after: history.count, seed: nil)
    #expect(try cut.files == filesOnDisk())
    #expect(Set(cut.files.keys) == ["test.db", "test.db-wal"])
  }

  @Test(arguments: [
    (DiskFault.Call.write, Int32(778)), (.sync, 1034), (.read, 266), (.open, 14),
  ])
  func `the call that is to fail fails, once`(call: DiskFault.Call, code: Int32) throws {
    let connection = try make()
    disk.arm(DiskFault(0, of: [call]))
    let error = #expect(throws: SQLiteError.self) {
      let other = try database.open(synchronous: .full)
      try other.execute("INSERT INTO t VALUES (1, 'one')")
    }
    #expect(error?.extendedCode == code)
    #expect(disk.disarm() == call)
    try connection.execute("INSERT INTO t VALUES (1, 'one')")
    #expect(disk.disarm() == nil)
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `calls fail from one on until the disk is mended`() throws {
    let connection = try make()
    disk.arm(DiskFault(1, of: [.write], lasts: true, isFull: true, writesHalf: true))
    for _ in 0..<3 {
      let error = #expect(throws: SQLiteError.self) {
        try connection.execute("INSERT INTO t VALUES (1, 'one')")
      }
      #expect(error?.kind == .full)
    }
    disk.disarm()
    try connection.execute("INSERT INTO t VALUES (1, 'one')")
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  @Test func `what was synced is there after every cut, and of the rest every kind is seen`() throws
  {
    let connection = try database.open(synchronous: .normal)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
    _ = try connection.checkpoint(.full)
    for id in 0..<5 { try connection.execute("INSERT INTO t VALUES (\(id), hex(zeroblob(3000)))") }
    let history = disk.history
    let log = "test.db-wal"
    let whole = try #require(PowerCut(of: history, after: history.count, seed: nil).files[log])
    var kinds = Set<String>()
    for seed in 0..<200 {
      let cut = PowerCut(of: history, after: history.count, seed: UInt64(seed))
      let left = try #require(cut.files[log])
      #expect(left.count <= whole.count)
      let sectors = stride(from: 0, to: whole.count, by: 512).map { start in
        left.dropFirst(start).prefix(512).elementsEqual(whole[start...].prefix(512))
      }
      kinds.insert(
        left == whole
          ? "all"
          : sectors.firstIndex(of: false) == sectors.lastIndex(of: true).map { $0 + 1 }
            ? "a beginning" : "some sectors"
      )
    }
    #expect(kinds == ["all", "a beginning", "some sectors"])
  }

  @Test func `a transaction that returned is there after every cut`() throws {
    let connection = try make()
    var counts: [(changes: Int, rows: Int64)] = [(disk.changeCount, 0)]
    for id in 0..<12 {
      try connection.execute("INSERT INTO t VALUES (\(id), hex(zeroblob(700)))")
      if id == 7 { _ = try connection.checkpoint(.restart) }
      counts.append((disk.changeCount, Int64(id) + 1))
    }
    let history = disk.history
    for count in counts[0].changes...history.count {
      let rows = try #require(counts.last { $0.changes <= count }).rows
      let copy = database.directory + "/cut-\(count)"
      try PowerCut(of: history, after: count, seed: UInt64(count)).write(to: copy)
      let left = try Connection(path: copy + "/test.db", mode: .readWrite)
      let found = try left.integer("SELECT count(*) FROM t")
      #expect(found == rows || found == rows + 1, "after \(count) changes")
      #expect(try left.text("PRAGMA integrity_check") == "ok")
    }
  }

  @Test func `a name that is not synced can be lost, and one that is can't`() throws {
    let connection = try database.open(synchronous: .full)
    try connection.execute("PRAGMA journal_mode = DELETE; CREATE TABLE t (x)")
    try connection.execute("INSERT INTO t VALUES (1)")
    let history = disk.history
    #expect(history.contains(.unlink(name: "test.db-journal")))
    // SQLite does not sync the directory when it deletes a journal at this level.
    let journals = (0..<50).map { seed in
      let cut = PowerCut(of: history, after: history.count, seed: UInt64(seed))
      #expect(cut.files["test.db"] != nil)
      return cut.files["test.db-journal"] != nil
    }
    #expect(Set(journals) == [true, false])
  }

  @Test func `names that are changed outside of SQLite are noticed`() throws {
    let connection = try make()
    _ = try connection.checkpoint(.truncate)
    try connection.close()
    let (old, new) = (database.path, database.directory + "/renamed.db")
    try FileManager.default.moveItem(atPath: old, toPath: new)
    try FileManager.default.linkItem(atPath: new, toPath: old)
    #expect(disk.history.suffix(1) == [.link(file: 0, name: "renamed.db")])
    try FileManager.default.removeItem(atPath: old)
    #expect(disk.history.suffix(1) == [.unlink(name: "test.db")])
    try FileManager.default.moveItem(atPath: new, toPath: old)
    #expect(disk.history.suffix(1) == [.rename(from: "renamed.db", to: "test.db")])
  }

  @Test func `files beside the disk are not touched by its faults`() throws {
    let other = try TemporaryDatabase()
    disk.arm(DiskFault(0, lasts: true))
    let connection = try other.open()
    try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    #expect(disk.disarm() == nil)
  }
}
