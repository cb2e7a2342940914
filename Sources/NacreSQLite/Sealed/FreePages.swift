import CSQLite

/// SQLite's list of free pages: trunks, each of which names leaves (sqlite.org/fileformat2.html, 1.5).
///
/// A transaction that takes a leaf does not write it to the rollback journal, because nobody needs
/// what is in it. So if the write of such a page is torn, no rollback makes it whole. SQLite does not
/// mind, but a sealed page that does not open stops whoever reads all pages, such as a backup.
struct FreePages {
  private let connection: SealedConnection
  private let pageCount: UInt32
  /// Reads and opens a page.
  private let read: (UInt32, UnsafeMutableRawBufferPointer) -> Int32

  init(
    _ connection: SealedConnection,
    pageCount: UInt32,
    _ read: @escaping (UInt32, UnsafeMutableRawBufferPointer) -> Int32
  ) {
    self.connection = connection
    self.pageCount = pageCount
    self.read = read
  }

  /// Calls a closure with each leaf, until it returns a code other than SQLITE_OK.
  ///
  /// - Returns: That code; SQLITE_OK also where the list can't be read on, which SQLite will say.
  func forEachLeaf(_ body: (UInt32) -> Int32) -> Int32 {
    guard pageCount > 0 else { return SQLITE_OK }
    let page = UnsafeMutableRawBufferPointer.allocate(
      byteCount: connection.pageByteCount,
      alignment: 16
    )
    defer {
      page.cleanse()
      page.deallocate()
    }
    guard read(1, page) == SQLITE_OK else { return SQLITE_OK }
    var trunk = number(in: page, at: 32)
    // A list that somebody has bent into a circle ends, too.
    var trunksLeft = pageCount
    while trunk > 0, trunk <= pageCount, trunksLeft > 0, read(trunk, page) == SQLITE_OK {
      let room = (connection.pageByteCount - connection.trailerByteCount) / 4 - 2
      for index in 0..<min(room, Int(number(in: page, at: 4))) {
        let leaf = number(in: page, at: 8 + index * 4)
        guard leaf > 1, leaf <= pageCount else { continue }
        let result = body(leaf)
        guard result == SQLITE_OK else { return result }
      }
      trunk = number(in: page, at: 0)
      trunksLeft -= 1
    }
    return SQLITE_OK
  }

  private func number(in page: UnsafeMutableRawBufferPointer, at offset: Int) -> UInt32 {
    page.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
  }
}
