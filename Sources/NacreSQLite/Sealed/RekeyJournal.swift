import CSQLite
import NacreEngine

/// The journal of a rekey: the sealed pages that are about to replace those of the database's file.
///
/// A page of the file is overwritten only once the journal has it whole, on the disk. So a page that
/// a crash has torn is found here. The mark of the header covers the number and the tag of each page,
/// so that a journal that was itself torn is none.
struct RekeyJournal {
  /// The size of the header before the first record.
  static let headerByteCount = 128
  /// The largest number of pages.
  static let limit = 4_096
  static let markOffset = 48
  static let zerosOffset = markOffset + PageMark.byteCount
  /// How far before the end of a sealed page its tag lies, and its size.
  private static let (tagFromEnd, tagByteCount) = (56, 16)

  private let connection: SealedConnection

  init(_ connection: SealedConnection) { self.connection = connection }

  /// The size of a page with its number.
  var recordByteCount: Int { 4 + connection.pageByteCount }

  /// Adds to the bytes under the mark what it covers of a record: the page's number and tag.
  static func cover(
    _ number: UInt32,
    _ page: UnsafeRawBufferPointer,
    _ covered: inout [UInt8]
  ) {
    withUnsafeBytes(of: number.bigEndian) { covered += $0 }
    let tag = page.count - tagFromEnd
    covered += page[tag..<tag + tagByteCount]
  }

  /// Opens the journal; with `creates`, makes it, and the first sync of it also that of its directory.
  func open(creates: Bool) -> Result<BaseFile, OpeningFailure> {
    let access = creates ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    return BaseFile.open(
      nil,
      keeping: connection.rekeyJournalName,
      access | SQLITE_OPEN_MAIN_JOURNAL,
      nil
    )
  }

  // MARK: - Reading

  /// Whether a rekey that was killed has left something in its journal.
  var isLeft: Bool {
    guard case .success(let file) = open(creates: false) else { return false }
    defer { _ = file.close() }
    var size: Int64 = 0
    return file.size(&size) == SQLITE_OK && size > 0
  }

  /// Fills a buffer with the sealed page that the journal has under a number.
  ///
  /// If there is no journal, or it has no such page, the buffer stays as it is.
  ///
  /// - Returns: SQLITE_OK, or the code of a fault.
  func read(_ number: UInt32, into sealed: UnsafeMutableRawBufferPointer) -> Int32 {
    guard case .success(let file) = open(creates: false) else { return SQLITE_OK }
    defer { _ = file.close() }
    return forEach(in: file) { found, page in
      if found == number { sealed.copyMemory(from: page) }
      return SQLITE_OK
    }
  }

  /// Calls a closure with each page of a journal that is whole and authentic.
  ///
  /// A page need not open: that is for the caller to see.
  ///
  /// - Returns: SQLITE_OK, also where there is no such journal; the code of a fault, or of `body`.
  func forEach(
    in file: BaseFile,
    _ body: (_ number: UInt32, _ sealed: UnsafeRawBufferPointer) -> Int32
  ) -> Int32 {
    var count = 0
    let result = check(file, &count)
    guard result == SQLITE_OK, count > 0 else { return result }
    return forEachRecord(of: count, in: file) { number, page in
      number == 0 || number == connection.lockPage ? SQLITE_OK : body(number, page)
    }
  }

  /// Refuses a journal of a later version, or of another store, before the database is read.
  ///
  /// - Returns: SQLITE_OK, also where there is no journal; the code of a fault.
  func refuseForeign() -> Int32 {
    guard case .success(let file) = open(creates: false) else { return SQLITE_OK }
    defer { _ = file.close() }
    var header: [UInt8] = []
    return readHeader(of: file, into: &header)
  }

  /// Reads the header of a journal; it stays empty if the journal is torn, or of another page size.
  private func readHeader(of file: BaseFile, into header: inout [UInt8]) -> Int32 {
    var bytes = [UInt8](repeating: 0, count: Self.headerByteCount)
    let result = bytes.withUnsafeMutableBytes { file.read(into: $0, at: 0) }
    if result == ResultCode.shortRead { return SQLITE_OK }
    guard result == SQLITE_OK else { return result }
    switch SealedFileHeader(.rekey, bytes[..<SealedFileHeader.byteCount]).compare(with: connection)
    {
    case .other: return SQLITE_OK
    case .newer:
      return connection.refuse(.newerFormat, "the journal of a rekey is of a later version")
    case .otherStore:
      return connection.refuse(.otherStore, "the journal of a rekey is that of another store")
    case .same:
      header = bytes
      return SQLITE_OK
    }
  }

  /// Finds out how many records a journal has; none if it is torn, or of another page size.
  private func check(_ file: BaseFile, _ count: inout Int) -> Int32 {
    var header: [UInt8] = []
    let result = readHeader(of: file, into: &header)
    guard result == SQLITE_OK, !header.isEmpty else { return result }
    let found = header.withUnsafeBytes {
      Int($0.loadUnaligned(fromByteOffset: SealedFileHeader.byteCount, as: UInt32.self).bigEndian)
    }
    let zeros = header[44..<Self.markOffset] + header[Self.zerosOffset...]
    guard (1...Self.limit).contains(found), zeros.allSatisfy({ $0 == 0 }) else { return SQLITE_OK }
    var covered = Array(header[..<Self.markOffset])
    let read = forEachRecord(of: found, in: file) { number, page in
      Self.cover(number, page, &covered)
      return SQLITE_OK
    }
    if read == ResultCode.shortRead { return SQLITE_OK }
    guard read == SQLITE_OK else { return read }
    switch connection.check(.rekey, covered, Array(header[Self.markOffset..<Self.zerosOffset])) {
    case nil: return connection.faultCode
    case .opened: count = found
    // It is torn, or older than the end of its key.
    case .notAuthentic, .unknownKey: break
    }
    return SQLITE_OK
  }

  private func forEachRecord(
    of count: Int,
    in file: BaseFile,
    _ body: (_ number: UInt32, _ page: UnsafeRawBufferPointer) -> Int32
  ) -> Int32 {
    let record = UnsafeMutableRawBufferPointer.allocate(byteCount: recordByteCount, alignment: 16)
    defer { record.deallocate() }
    for index in 0..<count {
      let place = Int64(Self.headerByteCount + index * recordByteCount)
      let read = file.read(into: record, at: place)
      guard read == SQLITE_OK else { return read }
      let number = record.loadUnaligned(as: UInt32.self).bigEndian
      let result = body(number, UnsafeRawBufferPointer(rebasing: record[4...]))
      guard result == SQLITE_OK else { return result }
    }
    return SQLITE_OK
  }
}
