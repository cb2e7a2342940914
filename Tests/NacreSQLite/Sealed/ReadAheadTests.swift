import Foundation
import NacreEngine
@testable import NacreSQLite
import Testing

/// Pages that are read before SQLite asks for them.
@Suite struct ReadAheadTests {
  private let scene: SealedScene

  init() throws { scene = try SealedScene(pageByteCount: 1_024) }

  private func fill(_ mode: Pragmas.JournalMode) throws -> Connection {
    let connection = try scene.open(mode)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
    try connection.transaction(.immediate) { try connection.insert(0..<300) }
    return connection
  }

  /// Counts the rows whose text has a beginning; reads the pages of the rows in their order.
  private func count(
    _ beginning: String,
    in rows: Range<Int>,
    on connection: Connection
  ) throws -> Int64? {
    try connection.integer(
      """
      SELECT count(*) FROM t WHERE id >= \(rows.lowerBound) AND id < \(rows.upperBound) \
      AND text LIKE '\(beginning)%'
      """
    )
  }

  @Test func `a scan finds what its own transaction has written to the file`() throws {
    let connection = try fill(.delete)
    try connection.execute("PRAGMA cache_size = 10; PRAGMA cache_spill = 10")
    try connection.transaction(.immediate) {
      // The pages of the rows from 132 on are read together, and some of them not used yet.
      #expect(try count("marker", in: 0..<150, on: connection) == 150)
      for id in (100..<300).reversed() {
        try connection.execute("UPDATE t SET text = 'newer-' || text WHERE id = \(id)")
      }
      #expect(try count("newer", in: 135..<150, on: connection) == 15)
    }
    #expect(try connection.isWhole())
  }

  @Test func `a scan finds what another connection has written since the last one`() throws {
    try fill(.wal).close()
    let reader = try scene.open(mode: .readOnly)
    #expect(try count("marker", in: 0..<150, on: reader) == 150)
    let writer = try scene.open()
    try writer.execute("UPDATE t SET text = 'newer-' || text")
    #expect(try writer.tryToEmptyLog())
    #expect(try count("newer", in: 135..<150, on: reader) == 15)
  }

  @Test func `a page that is changed between others is named by a scan`() throws {
    try fill(.wal).close()
    try SealedScene.flip(scene.path, at: 65_536 + 40 * 1_024 + 5)
    let connection = try scene.open(mode: .readOnly)
    let error = #expect(throws: SQLiteError.self) {
      try count("marker", in: 0..<300, on: connection)
    }
    #expect(error?.message == "page 41 of the file was changed or moved")
  }

  @Test func `the pages at the end of the file are read one by one`() throws {
    try fill(.wal).close()
    let reader = try scene.open(mode: .readOnly)
    let state = try #require(SealedFileSystem.connection(reader.opened()))
    var pageCount: UInt32 = 0
    #expect(state.pageCount(&pageCount) == 0)
    let ahead = ReadAhead(state)
    // The first pages in a row are the caller's to read.
    let found = (1...pageCount).map { ahead.page($0) != nil }
    #expect(found.prefix(2) == [false, false])
    #expect(found[2..<60].allSatisfy { $0 })
    #expect(found.last == false)
    // Here and there, nothing is read that nobody asked for.
    #expect([9, 20, 5, 40].allSatisfy { ahead.page($0) == nil })
  }
}
