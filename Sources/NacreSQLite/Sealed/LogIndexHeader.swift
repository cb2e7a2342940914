import CSQLite

/// The header of the log's index in shared memory (sqlite.org/walformat.html, section 2.1).
struct LogIndexHeader {
  /// How many frames of the log are committed.
  let frameCount: UInt32
  /// The two salts of the log, as in its header.
  let salts: UInt64

  private static let byteCount = 48
  /// The size of a part of the index, in which SQLite maps it.
  private static let regionByteCount: Int32 = 32_768
  private static let readLimit = 100

  /// Reads the header; nil if the connection has no index, or it is not whole.
  ///
  /// - Parameter base: The database's file, for whose connection SQLite has mapped the index.
  init?(_ base: BaseFile) {
    var mapped: UnsafeMutableRawPointer?
    guard base.mapIndex(0, Self.regionByteCount, 0, &mapped) == SQLITE_OK, let mapped else {
      return nil
    }
    let index = UnsafeRawBufferPointer(start: mapped, count: 2 * Self.byteCount)
    for _ in 0..<Self.readLimit {
      // A writer writes the second copy first, and a reader reads the first one first.
      let first = Array(index[..<Self.byteCount])
      base.indexBarrier()
      let isWhole = first.elementsEqual(index[Self.byteCount...]) && first[12] != 0
      guard isWhole else { continue }
      (frameCount, salts) = first.withUnsafeBytes {
        (
          $0.loadUnaligned(fromByteOffset: 16, as: UInt32.self),
          $0.loadUnaligned(fromByteOffset: 32, as: UInt64.self).bigEndian
        )
      }
      return
    }
    return nil
  }
}
