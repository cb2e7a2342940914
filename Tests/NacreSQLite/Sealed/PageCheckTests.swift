import CSQLite
import Foundation
import NacreCrypto
import NacreEngine
@testable import NacreSQLite
import NacreStore
import Testing

/// Every page of a sealed file and every committed frame of its log, opened below SQLite.
@Suite struct PageCheckTests {
  private let scene: SealedScene
  private let pageByteCount = 1_024

  init() throws { scene = try SealedScene(pageByteCount: 1_024) }

  /// Makes a file with some hundred pages, and closes it.
  private func fill(_ mode: Pragmas.JournalMode = .wal) throws {
    let connection = try scene.open(mode)
    try connection.execute(SealedScene.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<300) }
    try connection.close()
  }

  /// Goes through all pages once, and sums up what was found.
  private func findings(_ mode: Pragmas.JournalMode = .wal) throws -> PageFindings {
    let check = try #require(try ConnectionPageCheck(scene.open(mode)))
    defer { try? check.close() }
    return try Self.pass(check)
  }

  private static func pass(_ check: ConnectionPageCheck) throws -> PageFindings {
    var (sum, next) = (PageFindings(), UInt32(1) as UInt32?)
    while let first = next {
      let batch = try check.check(from: first)
      sum.pageCount = batch.pageCount
      sum.pagesRead += batch.pagesRead
      sum.framesRead += batch.framesRead
      sum.faults += batch.faults
      next = batch.next
    }
    return sum
  }

  private func damage(page number: Int) throws {
    try SealedScene.flip(scene.path, at: 65_536 + (number - 1) * pageByteCount + 10)
  }

  private func pagesInFile() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: scene.path)
    let size = try #require(attributes[.size] as? NSNumber).intValue
    return (size - 65_536) / pageByteCount
  }

  /// The numbers of the pages in the frames of the log.
  private func pagesInLog() throws -> [UInt32] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path + "-nlog"))
    return stride(from: 128, to: bytes.count, by: 24 + pageByteCount).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete])
  func `all pages of a sound file open, in batches`(mode: Pragmas.JournalMode) throws {
    try fill(mode)
    let connection = try scene.open(mode)
    try connection.transaction(.immediate) { try connection.insert(300..<1_500) }
    let found = try findings(mode)
    #expect(found.faults == [])
    let count = try #require(try connection.pragma("page_count").flatMap { Int($0) })
    #expect(count > 2_000)
    #expect(found.pageCount == count)
    #expect(found.pagesRead == count)
    #expect(found.framesRead == (mode == .wal ? try pagesInLog().count : 0))
    try connection.close()
  }

  @Test func `pages that do not open are named, also those that SQLite never reads`() throws {
    try fill()
    let connection = try scene.open()
    try connection.execute("DROP TABLE t; CREATE TABLE u (id INTEGER PRIMARY KEY)")
    try connection.close()
    let count = try pagesInFile()
    for number in [count - 100, count - 7, count] { try damage(page: number) }
    let again = try scene.open()
    #expect(try again.isWhole())
    try again.close()
    #expect(
      try findings().faults
        == [count - 100, count - 7, count].map {
          PageFault(number: UInt32($0), kind: .notAuthentic)
        }
    )
  }

  @Test func `a page that was cut or cut off is missing, and one under a foreign key says so`()
    throws
  {
    try fill()
    let check = try #require(try ConnectionPageCheck(scene.open()))
    defer { try? check.close() }
    let count = try pagesInFile()
    let keyID = 65_536 + (count - 5) * pageByteCount - 16
    try SealedScene.flip(scene.path, at: keyID)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.truncate(atOffset: UInt64(65_536 + (count - 2) * pageByteCount - 1))
    try file.close()
    #expect(
      try Self.pass(check).faults == [
        PageFault(number: UInt32(count - 5), kind: .unknownKey),
        PageFault(number: UInt32(count - 2), kind: .missing),
        PageFault(number: UInt32(count - 1), kind: .missing),
        PageFault(number: UInt32(count), kind: .missing),
      ]
    )
  }

  @Test func `the first page is named like any other, by a connection that is open already`()
    throws
  {
    try fill()
    let check = try #require(try ConnectionPageCheck(scene.open()))
    try damage(page: 1)
    try damage(page: 9)
    #expect(
      try Self.pass(check).faults
        == [1, 9].map { PageFault(number: $0, kind: .notAuthentic) }
    )
    try check.close()
  }

  // MARK: The log

  @Test func `a page whose content the log has need not open in the file`() throws {
    try fill()
    let connection = try scene.open()
    try connection.execute("UPDATE t SET text = 'x' WHERE id = 7")
    let logged = try #require(try pagesInLog().max())
    try damage(page: Int(logged))
    #expect(try findings().faults == [])
    #expect(try connection.checkpoint(.truncate).logFrames == 0)
    #expect(try findings().faults == [])
    try damage(page: Int(logged))
    #expect(
      try findings().faults == [PageFault(number: logged, kind: .notAuthentic)]
    )
    try connection.close()
  }

  @Test func `a frame that was changed after its commit is named, and the others are read`()
    throws
  {
    try fill()
    let connection = try scene.open()
    try connection.transaction(.immediate) { try connection.insert(0..<20) }
    let pages = try pagesInLog()
    #expect(pages.count > 10)
    try SealedScene.flip(scene.path + "-nlog", at: 128 + 4 * (24 + pageByteCount) + 24 + 10)
    let found = try findings()
    #expect(
      found.faults == [PageFault(number: pages[4], frame: 5, kind: .notAuthentic)]
    )
    #expect(found.framesRead == pages.count)
    try connection.close()
  }

  @Test func `a log that is begun anew is read from its first frame on`() throws {
    try fill()
    let connection = try scene.open()
    let check = try #require(try ConnectionPageCheck(scene.open()))
    try connection.transaction(.immediate) { try connection.insert(0..<20) }
    let first = try Self.pass(check)
    #expect(first.framesRead == (try pagesInLog().count))
    #expect(try Self.pass(check).framesRead == 0)
    #expect(try connection.checkpoint(.restart).checkpointedFrames > 0)
    try connection.execute("UPDATE t SET text = 'y' WHERE id = 1")
    let next = try Self.pass(check)
    #expect(next.framesRead > 0)
    #expect(next.framesRead < first.framesRead)
    #expect(next.faults == [])
    // What the log had before is in the file now, and only there.
    let logged = try pagesInLog()
    let only = try #require(
      Set(logged.dropFirst(next.framesRead)).subtracting(logged.prefix(next.framesRead)).max()
    )
    try damage(page: Int(only))
    #expect(try Self.pass(check).faults == [PageFault(number: only, kind: .notAuthentic)])
    try check.close()
    try connection.close()
  }

  @Test func `nothing is found wrong while others write, checkpoint and change the key`()
    async throws
  {
    try fill()
    let sealer = try #require(scene.pages.sealer as? FileSealer)
    let scene = scene
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let connection = try scene.open()
        defer { try? connection.close() }
        connection.busyTimeoutMilliseconds = 30_000
        for round in 0..<60 {
          try connection.transaction(.immediate) {
            try connection.insert(round * 5..<round * 5 + 10)
          }
          if round % 7 == 0 { _ = try connection.tryToEmptyLog() }
        }
      }
      group.addTask {
        let next = try sealer.keys.addingPrimary(createdAt: 1, avoiding: [])
        let connection = try scene.open()
        connection.busyTimeoutMilliseconds = 30_000
        try connection.transaction(.immediate) {
          try sealer.write(next, to: SealedHeaderFile(path: scene.path))
        }
        let rekeying = try #require(try ConnectionRekeying(connection))
        defer { try? rekeying.close() }
        for _ in 0..<20 {
          var first: UInt32? = 1
          while let number = first { first = try rekeying.reseal(from: number).next }
        }
      }
      group.addTask {
        let check = try #require(try ConnectionPageCheck(scene.open()))
        defer { try? check.close() }
        for _ in 0..<40 { #expect(try Self.pass(check).faults == []) }
      }
      try await group.waitForAll()
    }
  }

  // MARK: The page of the lock byte

  @Test func `the page of the lock byte is never written, and nobody misses it`() throws {
    let large = try SealedScene(pageByteCount: 65_536)
    let connection = try large.open(.delete)
    defer { try? connection.close() }
    let state = try #require(SealedFileSystem.connection(try connection.opened()))
    let lockPage = state.lockPage
    #expect(lockPage == 16_385)
    // A file of 1 GiB with nothing in it, up to that page.
    let size = 65_536 + Int64(lockPage - 1) * 65_536
    #expect(state.base.truncate(to: size) == SQLITE_OK)
    #expect(state.beginWriting() == SQLITE_OK)
    let database = SealedDatabase(state.base, state)
    let page = [UInt8](repeating: 7, count: 65_472) + [UInt8](repeating: 0, count: 64)
    let written = page.withUnsafeBytes { database.write($0, at: Int64(lockPage) * 65_536) }
    #expect(written == SQLITE_OK)
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: large.path))
    try file.seek(toOffset: UInt64(size))
    #expect(try file.read(upToCount: 65_536) == Data(count: 65_536))
    #expect(try file.read(upToCount: 65_536)?.count == 65_536)
    try file.close()
    var findings = PageFindings()
    #expect(SealedPageCheck(state).look(from: lockPage, &findings) == SQLITE_OK)
    #expect(findings.faults == [])
    #expect(findings.pagesRead == 1)
    #expect(findings.pageCount == Int(lockPage) + 1)
    // What searches the whole file sees zeros there.
    var read = [UInt8](repeating: 1, count: 2 * 65_536)
    let result = read.withUnsafeMutableBytes {
      database.read(into: $0, at: Int64(lockPage - 1) * 65_536)
    }
    #expect(result == SQLITE_OK)
    #expect(read == [UInt8](repeating: 0, count: 65_536) + page)
  }
}
