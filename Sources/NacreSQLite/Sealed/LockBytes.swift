/// The bytes on which SQLite takes its locks, from 2^30 on (sqlite.org/fileformat2.html, section 1.5).
enum LockBytes {
  /// Returns the number of the page in which they lie, which is never written.
  static func page(pageByteCount: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: (1 << 30) / pageByteCount + 1)
  }
}
