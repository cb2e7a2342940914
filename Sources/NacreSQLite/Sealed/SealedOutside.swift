import CSQLite
package import NacreEngine

/// A sealed file and what lies beside it, read from outside through SQLite's default file system.
package final class SealedOutside: OutsideReading {
  package let header: any HeaderFile
  private let path: String

  /// How often a page is read that its reader wants to see again.
  private static let readLimit = 3

  /// Makes a reader of the file at a path, which need not exist.
  package init(path: String) {
    self.path = path
    header = SealedHeaderFile(path: path)
  }

  package func read(_ shape: PageShape, _ body: (OutsidePage) -> Bool) throws -> FileOutline {
    var outline = FileOutline()
    var replaced = PageNumbers()
    outline.log = try withFile(SealedFileSystem.logEnding, SQLITE_OPEN_WAL) { file in
      try readLog(file, shape, &replaced, body)
    }
    outline.journalByteCount = try size(of: SealedFileSystem.journalEnding)
    outline.hasDraft = try size(of: SealedFileSystem.draftEnding) > 0
    outline.rekeyJournalByteCount = try rekeyJournalByteCount()
    let file: BaseFile
    switch open("", SQLITE_OPEN_MAIN_DB) {
    case .success(let opened): file = opened
    case .failure(let failure): throw error(failure.code)
    }
    defer { _ = file.close() }
    try readPages(file, shape, replaced, &outline, body)
    return outline
  }

  // MARK: - Pages

  private func readPages(
    _ file: BaseFile,
    _ shape: PageShape,
    _ replaced: PageNumbers,
    _ outline: inout FileOutline,
    _ body: (OutsidePage) -> Bool
  ) throws {
    let byteCount = max(0, try size(file) - Int64(shape.headerByteCount))
    outline.pageCount = Int(byteCount / Int64(shape.pageByteCount))
    outline.restByteCount = Int(byteCount % Int64(shape.pageByteCount))
    outline.isRestReplaced = replaced.contains(UInt32(clamping: outline.pageCount + 1))
    var trailer = [UInt8](repeating: 0, count: shape.trailerByteCount)
    for index in 0..<outline.pageCount {
      guard let number = UInt32(exactly: index + 1) else { return }
      if number == shape.lockPage { continue }
      let end = Int64(shape.headerByteCount) + Int64(index + 1) * Int64(shape.pageByteCount)
      for look in 1...Self.readLimit {
        // Somebody has cut the file meanwhile.
        guard try read(file, into: &trailer, at: end - Int64(trailer.count)) else { return }
        let page = OutsidePage(
          number: number,
          frame: nil,
          isReplaced: replaced.contains(number),
          isLastLook: look == Self.readLimit,
          trailer: trailer
        )
        guard body(page) else { break }
      }
    }
  }

  // MARK: - The log

  private func readLog(
    _ file: BaseFile,
    _ shape: PageShape,
    _ replaced: inout PageNumbers,
    _ body: (OutsidePage) -> Bool
  ) throws -> LogOutline? {
    var bytes = [UInt8](repeating: 0, count: Int(SealedLogHeader.byteCount))
    guard try read(file, into: &bytes, at: 0), var log = LogOutline(bytes) else { return nil }
    // Frames of another size, or of a later version, can't be told from each other.
    guard log.pageByteCount == shape.pageByteCount, log.version == SealedFileHeader.version else {
      return log
    }
    let byteCount = Int64(SealedLog.frameHeaderByteCount + shape.pageByteCount)
    var head = [UInt8](repeating: 0, count: SealedLog.frameHeaderByteCount)
    var trailer = [UInt8](repeating: 0, count: shape.trailerByteCount)
    while let frame = UInt32(exactly: log.frameCount + 1) {
      let place = SealedLogHeader.byteCount + Int64(frame - 1) * byteCount
      guard try read(file, into: &head, at: place),
        try read(file, into: &trailer, at: place + byteCount - Int64(trailer.count))
      else { return log }
      let parts = head.withUnsafeBytes { FrameHeader($0) }
      guard parts.number != 0, parts.salts == log.salts else { return log }
      log.frameCount += 1
      replaced.insert(parts.number)
      // A frame is written once, and what is half written is not counted yet.
      _ = body(
        OutsidePage(
          number: parts.number,
          frame: frame,
          isReplaced: false,
          isLastLook: true,
          trailer: trailer
        )
      )
    }
    return log
  }

  // MARK: - Files

  private func open(_ ending: String, _ kind: Int32) -> Result<BaseFile, OpeningFailure> {
    BaseFile.open(nil, keeping: FileName(path + ending), SQLITE_OPEN_READONLY | kind, nil)
  }

  /// Opens a file beside the database's; nil if there is none.
  private func withFile<T>(
    _ ending: String,
    _ kind: Int32,
    _ body: (BaseFile) throws -> T?
  ) throws -> T? {
    guard case .success(let file) = open(ending, kind) else { return nil }
    defer { _ = file.close() }
    return try body(file)
  }

  private func size(of ending: String) throws -> Int {
    Int(clamping: try withFile(ending, SQLITE_OPEN_MAIN_JOURNAL) { try size($0) } ?? 0)
  }

  /// The size of the journal of a rekey; 0 for one whose header is zeros, which holds nothing.
  private func rekeyJournalByteCount() throws -> Int {
    let byteCount: Int64? = try withFile(SealedFileSystem.rekeyEnding, SQLITE_OPEN_MAIN_JOURNAL) {
      file in
      var header = [UInt8](repeating: 0, count: RekeyJournal.headerByteCount)
      let isWhole = try read(file, into: &header, at: 0)
      return isWhole && header.allSatisfy { $0 == 0 } ? 0 : try size(file)
    }
    return Int(clamping: byteCount ?? 0)
  }

  private func size(_ file: BaseFile) throws -> Int64 {
    var size: Int64 = 0
    let result = file.size(&size)
    guard result == SQLITE_OK else { throw error(result) }
    return size
  }

  /// Fills a buffer; false if the file ends before.
  private func read(_ file: BaseFile, into bytes: inout [UInt8], at offset: Int64) throws -> Bool {
    let result = bytes.withUnsafeMutableBytes { file.read(into: $0, at: offset) }
    guard result == SQLITE_OK || result == ResultCode.shortRead else { throw error(result) }
    return result == SQLITE_OK
  }

  private func error(_ code: Int32) -> HomeError { HomeError(code: code, path: path) }
}

extension PageShape {
  /// The page in which SQLite's locks lie, which is never written.
  fileprivate var lockPage: UInt32 { LockBytes.page(pageByteCount: pageByteCount) }
}

extension LogOutline {
  /// Reads a log's header; nil if it does not begin as one.
  fileprivate init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: SealedFileHeader.Kind.log.magic) else { return nil }
    self = bytes.withUnsafeBytes { bytes in
      LogOutline(
        version: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self).bigEndian,
        pageByteCount: Int(bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self).bigEndian),
        identity: Array(bytes[24..<40]),
        salts: bytes.loadUnaligned(
          fromByteOffset: Int(SealedLogHeader.shift) + 16,
          as: UInt64.self
        ).bigEndian
      )
    }
  }
}
