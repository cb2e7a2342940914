import CSQLite
import NacreEngine

/// Writes one batch after the other to the journal of a rekey.
///
/// The header comes last: its mark covers a part of every page.
struct RekeyJournalWriter: ~Copyable {
  /// How much is written at once; SQLite's own file system takes less than 128 KiB.
  static let writeByteCount = 1 << 16

  private let connection: SealedConnection
  /// The end of the journal, which is not written yet.
  private let end = UnsafeMutableRawBufferPointer.allocate(
    byteCount: RekeyJournalWriter.writeByteCount,
    alignment: 4_096
  )
  private var endByteCount = 0
  /// Where the end begins in the file.
  private var offset: Int64 = 0
  /// The parts of the pages that the mark covers.
  private var covered: [UInt8] = []
  /// How many pages the batch has.
  private(set) var count: UInt32 = 0

  init(_ connection: SealedConnection) {
    self.connection = connection
    begin()
  }

  deinit { end.deallocate() }

  /// Begins a batch.
  mutating func begin() {
    (offset, endByteCount, count) = (0, RekeyJournal.headerByteCount, 0)
    covered.removeAll(keepingCapacity: true)
    // Until the header is written, there are zeros, and so no journal.
    UnsafeMutableRawBufferPointer(rebasing: end[..<endByteCount])
      .initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Adds a sealed page.
  ///
  /// - Returns: SQLITE_OK, or a code.
  mutating func append(
    _ number: UInt32,
    _ page: UnsafeRawBufferPointer,
    to file: BaseFile
  ) -> Int32 {
    count += 1
    RekeyJournal.cover(number, page, &covered)
    let result = withUnsafeBytes(of: number.bigEndian) { append($0, to: file) }
    return result == SQLITE_OK ? append(page, to: file) : result
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer, to file: BaseFile) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(end.count - endByteCount)
      UnsafeMutableRawBufferPointer(rebasing: end[endByteCount...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      endByteCount += part.count
      rest = rest.dropFirst(part.count)
      let result = endByteCount == end.count ? writeEnd(to: file) : SQLITE_OK
      guard result == SQLITE_OK else { return result }
    }
    return SQLITE_OK
  }

  private mutating func writeEnd(to file: BaseFile) -> Int32 {
    let bytes = UnsafeRawBufferPointer(rebasing: end[..<endByteCount])
    let result = file.write(bytes, at: offset)
    offset += Int64(endByteCount)
    endByteCount = 0
    return result
  }

  /// Writes the header, and waits until the journal is on the disk.
  ///
  /// - Returns: SQLITE_OK, or a code.
  mutating func finish(_ file: BaseFile) -> Int32 {
    let result = endByteCount == 0 ? SQLITE_OK : writeEnd(to: file)
    guard result == SQLITE_OK else { return result }
    var header = SealedFileHeader.make(.rekey, connection)
    header += withUnsafeBytes(of: count.bigEndian) { Array($0) }
    header += [UInt8](repeating: 0, count: RekeyJournal.markOffset - header.count)
    guard let mark = connection.mark(.rekey, header + covered) else { return connection.faultCode }
    header += mark
    header += [UInt8](repeating: 0, count: RekeyJournal.headerByteCount - header.count)
    let written = header.withUnsafeBytes { file.write($0, at: 0) }
    return written == SQLITE_OK ? file.sync(SQLITE_SYNC_FULL) : written
  }

  /// Overwrites the header, so that the journal is none, and leaves its room for the next batch.
  ///
  /// To cut the file after each batch would cost a third of the time that a rekey waits for the disk.
  ///
  /// - Returns: SQLITE_OK, or a code.
  func void(_ file: BaseFile) -> Int32 {
    let zeros = [UInt8](repeating: 0, count: RekeyJournal.headerByteCount)
    return zeros.withUnsafeBytes { file.write($0, at: 0) }
  }
}
