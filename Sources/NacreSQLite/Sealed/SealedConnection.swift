import CSQLite
import NacreEngine

/// The state that the open files of one connection to a sealed file share; one thread at a time uses it.
final class SealedConnection {
  let sealer: any PageSealer
  let sealing: any PageSealing
  let pageByteCount: Int
  /// The size of the header before the first page.
  let headerByteCount: Int64
  /// The bytes at the end of a page that belong to the sealer.
  let trailerByteCount: Int
  /// Why a file refused its last read or write.
  private(set) var fault: SealedFault?
  /// The database's file below its seals.
  let base: BaseFile
  /// The path of the database's file, as SQLite has resolved it.
  let path: String
  /// The name of the journal of a rekey, beside the database's file.
  let rekeyJournalName: FileName
  /// Whether the connection has the log open, so that only checkpoints write to the database.
  var hasLog = false
  /// The page whose frame was read last: the one that a checkpoint may write.
  var framePage: UInt32 = 0
  /// Counts the locks that were taken; what was read of a header before the last one may be old.
  private(set) var lockCount: UInt64 = 0
  /// Whether the connection holds a lock under which it may write pages.
  var isWriting = false
  /// Whether a write may have left a torn page that no journal has: one of the list of free pages.
  var mayHaveTornPages = false
  /// Room for one sealed page with the header of a frame or record.
  let scratch: UnsafeMutableRawBufferPointer
  /// Room for one opened page.
  let opened: UnsafeMutableRawBufferPointer

  init(_ sealer: any PageSealer, on base: BaseFile, path: String) throws {
    self.sealer = sealer
    sealing = try sealer.sealing()
    self.base = base
    self.path = path
    rekeyJournalName = FileName(path + SealedFileSystem.rekeyEnding)
    pageByteCount = sealer.pageByteCount
    headerByteCount = Int64(sealer.headerByteCount)
    trailerByteCount = sealer.trailerByteCount
    scratch = .allocate(byteCount: pageByteCount + 64, alignment: 16)
    opened = .allocate(byteCount: pageByteCount, alignment: 16)
  }

  deinit {
    // Plaintext does not stay in memory that is given back.
    opened.cleanse()
    opened.deallocate()
    scratch.deallocate()
  }

  /// Notes a fault, and returns the code by which it is found again.
  func refuse(_ kind: SealedFault.Kind, _ message: String, cause: (any Error)? = nil) -> Int32 {
    fault = SealedFault(kind, message, cause: cause)
    return faultCode
  }

  /// The code of the fault that was noted last.
  var faultCode: Int32 { ResultCode.fault(fault?.kind ?? .sealer) }

  // MARK: - Locks

  /// Notes that a lock was taken for reading.
  func didLock() { lockCount &+= 1 }

  /// Takes over the header as it is now, before anything is sealed under a lock that was just taken.
  ///
  /// - Returns: SQLITE_OK, or the code of a fault.
  func beginWriting() -> Int32 {
    didLock()
    let result = followHeader()
    if result == SQLITE_OK { isWriting = true }
    return result
  }

  /// Takes over the header if it has changed.
  private func followHeader() -> Int32 {
    do {
      try sealer.follow { [base] offset, buffer in
        base.read(into: buffer, at: Int64(offset)) == SQLITE_OK
      }
      sealing.beginLock()
      return SQLITE_OK
    } catch {
      return refuse(.sealer, "the file's header is refused", cause: error)
    }
  }

  // MARK: - Pages

  /// Where a page begins in the database's file.
  func place(of number: UInt32) -> Int64 {
    headerByteCount + Int64(number - 1) * Int64(pageByteCount)
  }

  /// The page in which SQLite's locks lie, which no database uses (sqlite.org/fileformat2.html, 1.5).
  var lockPage: UInt32 { LockBytes.page(pageByteCount: pageByteCount) }

  /// How many whole pages the database's file has.
  func pageCount(_ count: inout UInt32) -> Int32 {
    var size: Int64 = 0
    let result = base.size(&size)
    guard result == SQLITE_OK else { return result }
    let pages = max(0, size - headerByteCount) / Int64(pageByteCount)
    guard let pages = UInt32(exactly: pages) else { return ResultCode.readFailure }
    count = pages
    return SQLITE_OK
  }

  /// Seals a page.
  ///
  /// - Returns: SQLITE_OK, or the code of a fault.
  func seal(
    _ page: UnsafeRawBufferPointer,
    number: UInt32,
    at place: PageLocation,
    checksum: UInt64 = 0,
    into sealed: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    // Pages of another database have content where the seals belong.
    guard page[(page.count - trailerByteCount)...].allSatisfy({ $0 == 0 }) else {
      return refuse(.refused, "page \(number) leaves no room for its seal")
    }
    do {
      try sealing.seal(page, number: number, at: place, checksum: checksum, into: sealed)
      return SQLITE_OK
    } catch {
      return refuse(.sealer, "page \(number) can't be sealed", cause: error)
    }
  }

  /// Returns why a first page is refused: what it says of pages has to be what the header says.
  func refusal(ofFirstPage page: UnsafeRawBufferPointer) -> Int32? {
    // SQLite writes 65,536 as 1 (sqlite.org/fileformat2.html, section 1.3.2).
    let stored = Int(page[16]) << 8 | Int(page[17])
    let size = stored == 1 ? 65_536 : stored
    guard size == pageByteCount, Int(page[20]) == trailerByteCount else {
      return refuse(
        .refused,
        "the size of pages, and the room for their seals, can't be changed"
      )
    }
    return nil
  }

  /// Opens a page; if its key is unknown, reads the header again once.
  ///
  /// - Returns: What became of it; nil if the cipher failed, with a fault noted.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    number: UInt32,
    at place: PageLocation,
    into page: UnsafeMutableRawBufferPointer
  ) -> PageOpening? {
    attempt("page \(number) can't be opened") {
      try sealing.open(sealed, number: number, at: place, into: page)
    }
  }

  /// Checks the mark of a header; as ``open(_:number:at:into:)`` does with pages.
  func check(_ kind: PageMark, _ bytes: [UInt8], _ mark: [UInt8]) -> PageOpening? {
    attempt("a header can't be checked") { try sealing.check(kind, bytes, mark) }
  }

  private func attempt(
    _ message: @autoclosure () -> String,
    _ body: () throws -> PageOpening
  ) -> PageOpening? {
    do {
      let result = try body()
      guard case .unknownKey = result else { return result }
      guard followHeader() == SQLITE_OK else { return nil }
      return try body()
    } catch {
      _ = refuse(.sealer, message(), cause: error)
      return nil
    }
  }

  /// Makes the mark of a header; nil if the cipher failed, with a fault noted.
  func mark(_ kind: PageMark, _ bytes: [UInt8]) -> [UInt8]? {
    do {
      return try sealing.mark(kind, bytes)
    } catch {
      _ = refuse(.sealer, "a header can't be marked", cause: error)
      return nil
    }
  }
}
