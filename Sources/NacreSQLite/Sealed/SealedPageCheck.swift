import CSQLite
import NacreEngine

/// Opens the pages of a sealed file one after the other, also those that SQLite never reaches.
///
/// A page need not open if the log has its content, or the journal of a rekey: a write in place may have
/// ended in the middle of it.
final class SealedPageCheck {
  private let connection: SealedConnection
  private let log: SealedLogCheck
  /// The number of pages in the file, where one of which only a part is there counts, too.
  private var filePageCount: UInt32 = 0
  /// The number of pages in the database; nil if nothing says so.
  private var databasePageCount: UInt32?

  /// How many pages a batch looks at.
  private static let batchPageCount: UInt32 = 1_024
  /// How often a page is read that does not open: somebody may be just writing it.
  private static let readLimit = 3

  init(_ connection: SealedConnection) {
    self.connection = connection
    log = SealedLogCheck(connection)
  }

  /// Looks at the next pages.
  ///
  /// - Returns: SQLITE_OK, also if pages do not open; the code of a fault.
  func look(from first: UInt32, _ findings: inout PageFindings) -> Int32 {
    let result = measure(&findings)
    guard result == SQLITE_OK else { return result }
    let last = max(filePageCount, databasePageCount ?? 0)
    findings.pageCount = Int(last)
    var number = max(1, first)
    while number <= last, number - max(1, first) < Self.batchPageCount {
      if number != connection.lockPage {
        if let fault = fault(of: number) {
          findings.faults.append(PageFault(number: number, kind: fault))
        }
        findings.pagesRead += 1
      }
      number += 1
    }
    findings.next = number <= last ? number : nil
    return SQLITE_OK
  }

  /// Looks again at the pages of the file that did not open, while nobody writes to it.
  ///
  /// - Parameter findings: The findings, from which those go that open now.
  /// - Returns: SQLITE_OK, or the code of a fault.
  func lookAgain(_ findings: inout PageFindings) -> Int32 {
    let found = findings.faults
    findings.faults = found.filter { $0.frame != nil }
    let result = measure(&findings)
    guard result == SQLITE_OK else { return result }
    for page in found where page.frame == nil {
      guard let fault = fault(of: page.number) else { continue }
      findings.faults.append(PageFault(number: page.number, kind: fault))
    }
    return SQLITE_OK
  }

  // MARK: - Sizes

  /// Reads what the log has got, and how many pages file and database have.
  private func measure(_ findings: inout PageFindings) -> Int32 {
    let result = log.follow(&findings)
    guard result == SQLITE_OK else { return result }
    var size: Int64 = 0
    let sized = connection.base.size(&size)
    guard sized == SQLITE_OK else { return sized }
    let byteCount = Int64(connection.pageByteCount)
    let pages = (max(0, size - connection.headerByteCount) + byteCount - 1) / byteCount
    filePageCount = UInt32(clamping: pages)
    databasePageCount = log.databasePageCount ?? pageCountInFirstPage()
    return SQLITE_OK
  }

  /// Reads how many pages the database has from its first one (sqlite.org/fileformat2.html, section 1.3.7).
  private func pageCountInFirstPage() -> UInt32? {
    guard filePageCount > 0, fault(of: 1) == nil else { return nil }
    let page = UnsafeRawBufferPointer(connection.opened)
    // The number counts only if the last one who wrote the page knew of it.
    guard page[24..<28].elementsEqual(page[92..<96]) else { return nil }
    return page.loadUnaligned(fromByteOffset: 28, as: UInt32.self).bigEndian
  }

  // MARK: - Pages

  /// Why a page does not open; nil if it does, if it need not, and if there is no such page.
  private func fault(of number: UInt32) -> PageFault.Kind? {
    guard number <= max(filePageCount, databasePageCount ?? 0) else { return nil }
    let sealed = UnsafeMutableRawBufferPointer(
      rebasing: connection.scratch[..<connection.pageByteCount]
    )
    for attempt in 1...Self.readLimit {
      let fault = readPage(number, into: sealed)
      guard let fault else { return nil }
      if log.has(number) { return nil }
      guard fault == .notAuthentic, attempt < Self.readLimit else { return fault }
    }
    return nil
  }

  private func readPage(
    _ number: UInt32,
    into sealed: UnsafeMutableRawBufferPointer
  ) -> PageFault.Kind? {
    let result = connection.base.read(into: sealed, at: connection.place(of: number))
    if result == ResultCode.shortRead { return .missing }
    guard result == SQLITE_OK else { return .unreadable }
    guard let fault = open(sealed, number) else { return nil }
    // A rekey that was killed in the middle of a page has left it in its journal.
    guard fault == .notAuthentic,
      RekeyJournal(connection).read(number, into: sealed) == SQLITE_OK
    else { return fault }
    return open(sealed, number)
  }

  private func open(_ sealed: UnsafeMutableRawBufferPointer, _ number: UInt32) -> PageFault.Kind? {
    connection.open(
      UnsafeRawBufferPointer(sealed),
      number: number,
      at: .file,
      into: connection.opened
    ).fault
  }
}
