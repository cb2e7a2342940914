import Foundation
import NacreEngine
import NacreSQLite
import TestFaults
import Testing

/// Sealed files on a disk that fails, and whose power is cut.
@Suite struct SealedFaultTests {
  private let scene: SealedScene
  private let disk: FaultyDisk

  init() throws {
    scene = try SealedScene(pageByteCount: 1024)
    disk = try FaultyDisk(at: scene.database.directory)
  }

  /// Writes pages before the commit.
  private static let spilling = "PRAGMA cache_size = 10; PRAGMA cache_spill = 5"

  @Test(arguments: [Pragmas.JournalMode.wal, .delete, .truncate, .persist])
  func `a disk that is full at any write leaves the file as it was`(
    mode: Pragmas.JournalMode
  ) throws {
    let connection = try scene.open(mode)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<30) }
    try connection.execute(Self.spilling)
    var number = 0
    var isFull = true
    while isFull {
      disk.arm(DiskFault(number, of: [.write], isFull: true, writesHalf: number % 2 == 1))
      do {
        try connection.transaction(.immediate) { try connection.insert(20..<40, "new") }
        isFull = false
      } catch let error as SQLiteError {
        #expect(error.kind == .full, "write \(number)")
      }
      #expect((disk.disarm() != nil) == isFull)
      #expect(try connection.integer("SELECT count(*) FROM t") == (isFull ? 30 : 40))
      #expect(try connection.isWhole(), "write \(number)")
      number += 1
    }
    #expect(number > 20)
    try connection.readRaw(.database) { _ in }
  }

  @Test func `a log's index that can't be mapped is an error, and changes nothing`() throws {
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<30) }
    try connection.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    disk.arm(DiskFault(0, of: [.index], lasts: true))
    let error = #expect(throws: SQLiteError.self) { _ = try scene.open() }
    #expect(error?.kind == .inputOutput)
    #expect(disk.disarm() == .index)
    #expect(try Data(contentsOf: URL(fileURLWithPath: scene.path)) == before)
    #expect(try scene.open().integer("SELECT count(*) FROM t") == 30)
  }

  @Test func `a file that was cut to its header keeps its log`() throws {
    let connection = try scene.open(.wal)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<30) }
    let files = PowerCut(of: disk.history, after: disk.changeCount, seed: nil).files
    try connection.close()
    for (name, bytes) in files {
      let left = name.hasSuffix("-nlog") ? bytes : Array(bytes.prefix(65_536))
      try Data(left).write(to: URL(fileURLWithPath: scene.database.directory + "/" + name))
    }
    let error = #expect(throws: SQLiteError.self) { _ = try scene.open(.wal) }
    #expect(error?.kind == .sealBroken)
    let log = try #require(files.first { $0.key.hasSuffix("-nlog") })
    let path = scene.database.directory + "/" + log.key
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(log.value))
  }

  /// The kinds of all changes of a session under a device's promises.
  private func changes(_ characteristics: Int32?, _ mode: Pragmas.JournalMode) throws -> [String] {
    let scene = try SealedScene(pageByteCount: 1024)
    let disk = try FaultyDisk(at: scene.database.directory)
    disk.characteristics = characteristics
    let connection = try scene.open(mode, synchronous: .full)
    try connection.execute(SealedScene.createTable)
    for id in 0..<5 { try connection.insert(id..<id + 1) }
    _ = try connection.checkpoint(.truncate)
    return disk.history.map { change in
      switch change {
      case .write(let file, let offset, let bytes): "write \(file) \(offset) \(bytes.count)"
      case .found(_, let name, _): "found \(name)"
      default: "\(change)"
      }
    }
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete])
  func `promises of a device that sealed pages can't keep do not reach SQLite`(
    mode: Pragmas.JournalMode
  ) throws {
    let usual = try changes(nil, mode)
    // Writes that are atomic, of any size and in batches, safe appends, and writes in their order.
    let atomic: Int32 = 0x1FF | 0x4000
    let (appends, isSequential, isPowersafe): (Int32, Int32, Int32) = (0x200, 0x400, 0x1000)
    #expect(try changes(atomic | appends | isSequential | isPowersafe, mode) == usual)
    #expect(usual.count { $0.hasPrefix("sync") } > 5)
  }

  @Test func `a log whose sectors can damage each other is padded, and its frames are whole`()
    throws
  {
    disk.characteristics = 0
    let connection = try scene.open(synchronous: .full)
    try connection.execute(SealedScene.createTable + "; PRAGMA wal_autocheckpoint = 0")
    for id in 0..<40 {
      try connection.insert(id..<id + 1)
      let crashed = try scene.open(at: scene.crashed())
      #expect(try crashed.integer("SELECT count(*) FROM t") == Int64(id) + 1)
    }
    let frames = disk.history.compactMap { change -> Int? in
      guard case .write(_, let offset, let bytes) = change, bytes.count == 24 + 1024 else {
        return nil
      }
      return offset
    }
    // Each frame was written once, as a whole; SQLite repeats the last one of a transaction.
    #expect(Set(frames).count == frames.count)
    let usual = try changes(nil, .wal).count { $0.hasSuffix(" 1048") }
    let padded = try changes(0, .wal).count { $0.hasSuffix(" 1048") }
    #expect(padded > usual)
    #expect(try connection.isWhole())
  }

  @Test func `a new sealed file has its header on the disk before it bears its name`() throws {
    let path = scene.database.directory + "/new.db"
    let header = Array(try Data(contentsOf: URL(fileURLWithPath: scene.path)))
    #expect(try SealedHeaderFile(path: path).create(header))
    let history = disk.history
    for count in 0...history.count {
      for seed in 0..<20 {
        let cut = PowerCut(of: history, after: count, seed: UInt64(seed))
        if let bytes = cut.files["new.db"] { #expect(bytes == header) }
      }
    }
    // Once the call has returned, nothing takes the file away.
    for seed in 0..<20 {
      let cut = PowerCut(of: history, after: history.count, seed: UInt64(seed))
      #expect(cut.files["new.db"] == header)
    }
    #expect(try !SealedHeaderFile(path: path).create(header))
  }

  @Test func `a header that can't be written whole is no file`() throws {
    let path = scene.database.directory + "/new.db"
    let header = Array(try Data(contentsOf: URL(fileURLWithPath: scene.path)))
    for call in [DiskFault.Call.open, .write, .sync] {
      disk.arm(DiskFault(0, of: [call], writesHalf: true))
      #expect(throws: HomeError.self) { _ = try SealedHeaderFile(path: path).create(header) }
      #expect(disk.disarm() == call)
      let names = try FileManager.default.contentsOfDirectory(atPath: scene.database.directory)
      #expect(names == ["test.db"])
    }
  }

  /// The numbers of the pages that a journal can bring back.
  private func journaled(_ journal: Data) -> Set<Int> {
    func number(at offset: Int) -> Int {
      journal[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    var pages = Set<Int>()
    var offset = 0
    while offset + 512 <= journal.count, number(at: offset) == 0xd9d5_05f9 {
      let count = number(at: offset + 8)
      if count == 0 { break }
      for record in 0..<count { pages.insert(number(at: offset + 512 + record * 1032)) }
      offset = (offset + 512 + count * 1032 + 511) / 512 * 512
    }
    return pages
  }

  @Test func `a free page that a power cut has torn is whole after the rollback`() throws {
    let connection = try scene.open(.delete)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<300) }
    try connection.execute("DELETE FROM t WHERE id >= 20")
    let before = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    try connection.execute(Self.spilling + "; BEGIN IMMEDIATE")
    // Takes free pages, of which no journal has the former content.
    try connection.insert(20..<300, "lost")
    let copy = try scene.crashed()
    try connection.execute("ROLLBACK")
    let after = try Data(contentsOf: URL(fileURLWithPath: copy))
    let kept = journaled(try Data(contentsOf: URL(fileURLWithPath: copy + "-njournal")))
    let torn = (1...(before.count - 65_536) / 1024).filter { number in
      let place = 65_536 + (number - 1) * 1024..<65_536 + number * 1024
      return before[place] != after[place] && !kept.contains(number)
    }
    #expect(torn.count > 5)
    for number in torn { try SealedScene.flip(copy, at: 65_536 + (number - 1) * 1024 + 600) }
    let crashed = try scene.open(.delete, at: copy)
    #expect(try crashed.integer("SELECT count(*) FROM t") == 20)
    #expect(try crashed.isWhole())
    try crashed.readRaw(.database) { _ in }
  }
}
