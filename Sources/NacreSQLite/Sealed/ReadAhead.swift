import CSQLite

/// The sealed pages behind the one that SQLite asked for, while it asks for one page after another.
///
/// SQLite reads a page at a time, also in a scan. One read of 64 KiB takes a third less time than
/// sixteen reads of a page.
///
/// The pages that were read serve for one lock. As long as a connection holds a lock for reading, nobody changes
/// a page that it reads from the file: a checkpoint leaves alone what a reader still sees otherwise.
final class ReadAhead {
  private let connection: SealedConnection
  /// How many pages are read at once.
  private let length: Int
  /// The pages as they lie in the file; made for the first scan.
  private var buffer: UnsafeMutableRawBufferPointer?
  /// The numbers of the pages that the buffer has.
  private var numbers: Range<UInt32> = 0..<0
  /// The connection's number of locks when they were read.
  private var lockCount: UInt64 = 0
  /// The page that was asked for last.
  private var last: UInt32 = 0
  /// How many pages were asked for in their order.
  private var streak = 0

  /// After how many pages in their order the next ones are read at once.
  private static let shortestStreak = 3
  /// How many pages SQLite may leave out, such as an inner one of the tree, which its cache has.
  private static let longestStep: UInt32 = 2

  init(_ connection: SealedConnection) {
    self.connection = connection
    length = (1 << 16) / connection.pageByteCount
  }

  deinit { buffer?.deallocate() }

  /// Returns a page as it lies in the file, valid until the next call; nil if the caller has to read it.
  func page(_ number: UInt32) -> UnsafeRawBufferPointer? {
    let isNext = number > last && number - last <= Self.longestStep
    streak = isNext ? streak + 1 : 0
    last = number
    guard streak >= Self.shortestStreak, length > 1 else { return nil }
    if !numbers.contains(number) || lockCount != connection.lockCount {
      guard read(from: number) else { return nil }
    }
    guard let buffer else { return nil }
    let start = Int(number - numbers.lowerBound) * connection.pageByteCount
    return UnsafeRawBufferPointer(rebasing: buffer[start..<start + connection.pageByteCount])
  }

  /// Forgets what was read, because the connection itself is about to write.
  func drop() { numbers = 0..<0 }

  /// Reads pages; false where the file has not as many, or can't be read.
  private func read(from number: UInt32) -> Bool {
    drop()
    let buffer = buffer ?? .allocate(byteCount: length * connection.pageByteCount, alignment: 16)
    self.buffer = buffer
    let (end, isTooLarge) = number.addingReportingOverflow(UInt32(length))
    guard !isTooLarge,
      connection.base.read(into: buffer, at: connection.place(of: number)) == SQLITE_OK
    else {
      streak = 0
      return false
    }
    lockCount = connection.lockCount
    numbers = number..<end
    return true
  }
}
