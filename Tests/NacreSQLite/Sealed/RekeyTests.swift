import Foundation
import NacreCrypto
import NacreEngine
@testable import NacreSQLite
import NacreStore
import Synchronization
import TestSupport
import Testing

/// Pages that are sealed anew under another key, below SQLite and beside other connections.
@Suite struct RekeyTests {
  private let scene: SealedScene
  private let sealer: FileSealer
  private var journal: String { scene.rekeyJournal }

  init() throws {
    scene = try SealedScene(pageByteCount: 1_024)
    sealer = try scene.fileSealer
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete, .truncate, .persist])
  func `every page is sealed anew, and holds what it held`(_ mode: Pragmas.JournalMode) throws {
    try scene.fill(mode)
    try scene.changeKey()
    let rekeying = try scene.rekeying(mode)
    let batch = try rekeying.pass()
    #expect(batch.resealed == batch.pageCount)
    #expect(batch.pageCount > 100)
    #expect(batch.unopened == [])
    #expect(try Set(scene.keysOfPages()) == [sealer.keys.primaryID.rawValue])
    #expect(try rekeying.pass().resealed == 0)
    try rekeying.deleteJournal()
    try rekeying.close()
    #expect(!FileManager.default.fileExists(atPath: journal))
    let connection = try scene.open(mode)
    #expect(try connection.integer("SELECT count(*) FROM t") == 300)
    #expect(try connection.isWhole())
  }

  @Test func `others read and write while the key changes again and again`() throws {
    try scene.fill()
    let stop = Flag()
    // Threads of their own: they work without a pause until the last round.
    var threads = (1...2).map { number in
      onThread { [scene] in try Self.write(number, to: scene, until: stop) }
    }
    threads += (1...2).map { _ in onThread { [scene] in try Self.read(scene, until: stop) } }
    let rekeying = try scene.rekeying(limit: 64)
    let holder = try scene.open()
    for _ in 0..<8 { try changeKey(rekeying, holder) }
    stop.set()
    for thread in threads { thread.wait() }
    try rekeying.close()
    try holder.close()
    #expect(sealer.keys.header.keys.count == 9)
    #expect(try scene.keysOfPages().allSatisfy { $0 == sealer.keys.primaryID.rawValue })
  }

  private func onThread(_ body: @escaping @Sendable () throws -> Void) -> TestThread {
    TestThread { #expect(throws: Never.self) { try body() } }
  }

  private static func write(_ number: Int, to scene: SealedScene, until stop: Flag) throws {
    let connection = try scene.open()
    try connection.execute("PRAGMA wal_autocheckpoint = 20")
    var round = 0
    while !stop.isSet {
      round += 1
      try connection.transaction(.immediate) {
        let first = 1_000 * number + round % 50 * 4
        try connection.insert(first..<first + 4, "round-\(round)")
      }
    }
    try connection.close()
  }

  private static func read(_ scene: SealedScene, until stop: Flag) throws {
    let connection = try scene.open(mode: .readOnly)
    while !stop.isSet {
      #expect(try connection.integer("SELECT count(*) FROM t WHERE id < 300") == 300)
      #expect(try connection.isWhole())
    }
    try connection.close()
  }

  /// Gives the file another key under live traffic, as a rotation does.
  private func changeKey(_ rekeying: ConnectionRekeying, _ holder: Connection) throws {
    let file = SealedHeaderFile(path: scene.path)
    try holder.transaction(.immediate) {
      try rekeying.withoutCheckpoints {
        try sealer.write(sealer.keys.addingPrimary(createdAt: 1, avoiding: []), to: file)
      }
    }
    let former = try #require(sealer.keys.formerIDs.first)
    _ = try rekeying.pass()
    try spin { try holder.tryToEmptyLog() }
    try rekeying.syncLog()
    try holder.transaction(.immediate) {
      try sealer.write(sealer.keys.setting(former, to: .disabled), to: file)
    }
  }

  // MARK: After a kill

  /// Leaves the file as a kill in the middle of page 5 does: the journal is whole, the page is not.
  private func interrupt() throws {
    try scene.fill()
    let before = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    try scene.changeKey()
    let connection = try scene.open()
    let rekeying = try #require(try ConnectionRekeying(connection))
    _ = try rekeying.pass()
    let after = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    let state = try #require(SealedFileSystem.connection(connection.opened()))
    let journal = RekeyJournal(state)
    let numbers: [UInt32] = [4, 5, 6]
    let file = try journal.open(creates: true).get()
    var writer = RekeyJournalWriter(state)
    for number in numbers {
      let place = 65_536 + (Int(number) - 1) * 1_024
      let page = Array(after[place..<place + 1_024])
      let result = page.withUnsafeBytes { writer.append(number, $0, to: file) }
      #expect(result == 0)
    }
    let result = writer.finish(file)
    #expect(result == 0)
    _ = file.close()
    // Not by the rekey, which would empty its journal.
    try connection.close()
    var torn = after
    torn.replaceSubrange(
      (65_536 + 4 * 1_024 + 512)..<(65_536 + 5 * 1_024),
      with: before[(65_536 + 4 * 1_024 + 512)..<(65_536 + 5 * 1_024)]
    )
    try torn.write(to: URL(fileURLWithPath: scene.path))
  }

  @Test func `a reader finds a torn page in the journal`() throws {
    try interrupt()
    let torn = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    try scene.open(mode: .readOnly).expectWhole()
    #expect(try Data(contentsOf: URL(fileURLWithPath: scene.path)) == torn)
  }

  @Test func `without its journal a torn page is an error that names it`() throws {
    try interrupt()
    try FileManager.default.removeItem(atPath: journal)
    let connection = try scene.open(mode: .readOnly)
    let error = #expect(throws: SQLiteError.self) { try connection.expectWhole() }
    #expect(error?.kind == .sealBroken)
    #expect(error?.message == "page 5 of the file was changed or moved")
  }

  @Test func `a torn page is written back, and one that was written since stays`() throws {
    try interrupt()
    // Somebody writes page 6 anew: with whatever SQLite writes, the journal has an older one.
    let writer = try scene.open()
    try writer.execute("UPDATE t SET text = 'newer' WHERE id < 20; PRAGMA wal_checkpoint")
    let connection = try scene.open()
    try ConnectionRekeying.recover(on: connection)
    #expect(try Data(contentsOf: URL(fileURLWithPath: journal)).isEmpty)
    #expect(try connection.integer("SELECT count(*) FROM t WHERE text = 'newer'") == 20)
    try connection.expectWhole()
  }

  @Test func `the next opening of a store writes a torn page back`() throws {
    try interrupt()
    let home = SQLiteHome(path: scene.path)
    try home.seal(with: sealer)
    let left = try Data(contentsOf: URL(fileURLWithPath: journal))
    let founder = try home.connect(.founder(creates: false))
    // It looks whether this is a store at all, and changes nothing.
    #expect(try Data(contentsOf: URL(fileURLWithPath: journal)) == left)
    let writer = try home.connect(.writer)
    #expect(try Data(contentsOf: URL(fileURLWithPath: journal)).isEmpty)
    try founder.close()
    try writer.close()
    try FileManager.default.removeItem(atPath: journal)
    try scene.open(mode: .readOnly).expectWhole()
  }

  @Test func `between two batches the journal has no page, and its end leaves none`() throws {
    try scene.fill()
    try scene.changeKey()
    let rekeying = try scene.rekeying()
    let batch = try rekeying.reseal(from: 1)
    #expect(batch.resealed > 100)
    let left = try Data(contentsOf: URL(fileURLWithPath: journal))
    #expect(left.count > 100 * 1_024)
    #expect(left.prefix(RekeyJournal.headerByteCount).allSatisfy { $0 == 0 })
    // Whoever damages a page now gets an error, and not the page as it was.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.seek(toOffset: 65_536 + 4 * 1_024)
    try file.write(contentsOf: Data(count: 16))
    try file.close()
    #expect(throws: SQLiteError.self) { try scene.open(mode: .readOnly).expectWhole() }
    try rekeying.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: journal)).isEmpty)
  }

  @Test func `the next batch writes back what an interrupted one left`() throws {
    try interrupt()
    let rekeying = try scene.rekeying()
    let batch = try rekeying.pass()
    #expect(batch.unopened == [])
    try rekeying.close()
    try scene.open(mode: .readOnly).expectWhole()
  }

  @Test(arguments: [10, 40, 44, 50, 70, 100, 131, 128 + 4 + 1_024 - 50])
  func `a journal that was torn is none`(_ offset: Int) throws {
    try interrupt()
    try SealedScene.flip(journal, at: offset)
    let connection = try scene.open(mode: .readOnly)
    #expect(throws: SQLiteError.self) { try connection.expectWhole() }
  }

  @Test func `the journal of another store is refused by name`() throws {
    try interrupt()
    let other = try RekeyTests()
    try other.interrupt()
    try FileManager.default.removeItem(atPath: journal)
    try FileManager.default.copyItem(atPath: other.journal, toPath: journal)
    let error = #expect(throws: SQLiteError.self) { try scene.open(mode: .readOnly) }
    #expect(error?.kind == .otherStore)
    #expect(error?.message == "the journal of a rekey is that of another store")
  }

  @Test func `a journal of a later version is refused by name`() throws {
    try interrupt()
    try SealedScene.flip(journal, at: 19)
    let error = #expect(throws: SQLiteError.self) { try scene.open(mode: .readOnly) }
    #expect(error?.kind == .newerFormat)
  }

  @Test func `a connection that has the file open refuses a journal that comes later`() throws {
    try interrupt()
    let kept = try Data(contentsOf: URL(fileURLWithPath: journal))
    try FileManager.default.removeItem(atPath: journal)
    let connection = try scene.open(mode: .readOnly)
    try kept.write(to: URL(fileURLWithPath: journal))
    try SealedScene.flip(journal, at: 19)
    let error = #expect(throws: SQLiteError.self) { try connection.expectWhole() }
    #expect(error?.kind == .newerFormat)
  }

  @Test func `who is refused for the journal of a later version leaves the log as it is`() throws {
    try interrupt()
    let writer = try scene.open()
    try writer.execute("UPDATE t SET text = 'newer' WHERE id < 20")
    let copy = try scene.crashed()
    try FileManager.default.copyItem(atPath: journal, toPath: copy + "-nrekey")
    try SealedScene.flip(copy + "-nrekey", at: 19)
    let names = ["", "-nlog", "-nrekey"].map { copy + $0 }
    let before = try names.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let home = SQLiteHome(path: copy)
    try home.seal(with: sealer)
    let error = #expect(throws: HomeError.self) { try home.connect(.founder(creates: false)) }
    #expect(error?.kind == .newerFormat)
    #expect(try names.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
    #expect(before[1].count > 4_096)
  }

  // MARK: Locks

  @Test func `while one holds the checkpoints off, another does not get the pages`() throws {
    try scene.fill()
    let (holder, other) = (try scene.rekeying(), try scene.rekeying())
    let connection = try scene.open()
    try connection.execute("UPDATE t SET text = 'newer' WHERE id = 1")
    connection.busyTimeoutMilliseconds = 0
    try holder.withoutCheckpoints {
      let error = #expect(throws: SQLiteError.self) { _ = try connection.checkpoint(.full) }
      #expect(error?.kind == .busy)
    }
    #expect(try connection.checkpoint(.full).logFrames > 0)
    _ = try other.reseal(from: 1)
  }

  @Test func `a page that does not open is named and left as it is`() throws {
    try scene.fill()
    try SealedScene.flip(scene.path, at: 65_536 + 7 * 1_024 + 5)
    let damaged = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    try scene.changeKey()
    let rekeying = try scene.rekeying()
    let batch = try rekeying.pass()
    #expect(batch.unopened == [8])
    #expect(batch.resealed == batch.pageCount - 1)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    let page = (65_536 + 7 * 1_024)..<(65_536 + 8 * 1_024)
    #expect(bytes[page] == damaged[page])
  }
}

/// A flag that threads share.
private final class Flag: Sendable {
  private let flag = Mutex(false)
  var isSet: Bool { flag.withLock { $0 } }
  func set() { flag.withLock { $0 = true } }
}
