import CSQLite
import NacreEngine

/// Seals the pages of a sealed file anew, below SQLite, under the key under which pages are sealed now.
///
/// The caller holds a lock under which nobody else writes pages: that of checkpoints, or the exclusive
/// one of a file without a log. Whoever takes such a lock later seals under the present key, so each
/// page has to be visited once.
final class SealedRekey {
  private let connection: SealedConnection
  private let journal: RekeyJournal
  /// The open journal, once something was written to it.
  private var file: BaseFile?
  /// Whether the journal holds nothing but room for the next batch.
  private var isVoid = false
  /// How many pages a batch seals at most: 16 MiB of them.
  private let capacity: Int
  private let records: UnsafeMutableRawBufferPointer
  /// Neighbouring pages that are read or written at once, 64 KiB of them.
  private let run: UnsafeMutableRawBufferPointer
  private let runLength: Int
  /// How many pages a batch looks at for each one that it may seal.
  private static let looksPerPage = 16
  private static let unopenedLimit = 100

  init(_ connection: SealedConnection) {
    self.connection = connection
    journal = RekeyJournal(connection)
    capacity = min(RekeyJournal.limit, max(1, (16 << 20) / connection.pageByteCount))
    records = .allocate(
      byteCount: RekeyJournal.headerByteCount + capacity * journal.recordByteCount,
      alignment: 16
    )
    runLength = max(1, RekeyJournal.writeByteCount / connection.pageByteCount)
    run = .allocate(byteCount: runLength * connection.pageByteCount, alignment: 16)
  }

  deinit {
    _ = file?.close()
    run.deallocate()
    records.deallocate()
  }

  // MARK: - Batches

  /// Seals the next pages anew.
  ///
  /// - Returns: SQLITE_OK, or a code.
  func reseal(from first: UInt32, _ batch: inout PageBatch) -> Int32 {
    var (result, pageCount) = (isVoid ? SQLITE_OK : recover(), UInt32(0))
    guard result == SQLITE_OK else { return result }
    result = connection.pageCount(&pageCount)
    guard result == SQLITE_OK else { return result }
    batch.pageCount = Int(pageCount)
    var (number, looks) = (max(1, first), 0)
    while number <= pageCount, batch.resealed < capacity, looks < capacity * Self.looksPerPage {
      let pages = run[..<(min(runLength, Int(pageCount - number) + 1) * connection.pageByteCount)]
      result = connection.base.read(into: .init(rebasing: pages), at: connection.place(of: number))
      guard result == SQLITE_OK else { return result }
      var rest = pages
      while !rest.isEmpty, batch.resealed < capacity {
        if number != connection.lockPage {
          let page = UnsafeRawBufferPointer(rebasing: rest.prefix(connection.pageByteCount))
          result = seal(page, number, &batch)
          guard result == SQLITE_OK else { return result }
        }
        rest = rest.dropFirst(connection.pageByteCount)
        looks += 1
        number += 1
      }
    }
    if number <= pageCount { batch.next = number }
    return batch.resealed == 0 ? SQLITE_OK : write(batch.resealed)
  }

  /// Seals a page into the records of the batch, unless it is under the present key.
  private func seal(
    _ sealed: UnsafeRawBufferPointer,
    _ number: UInt32,
    _ batch: inout PageBatch
  ) -> Int32 {
    if connection.sealing.isCurrent(sealed) { return SQLITE_OK }
    let opening = connection.open(sealed, number: number, at: .file, into: connection.opened)
    switch opening {
    case nil: return connection.faultCode
    case .notAuthentic, .unknownKey:
      // It may be torn by a checkpoint that was killed, and the next one will write it.
      if batch.unopened.count < Self.unopenedLimit { batch.unopened.append(number) }
      batch.unopenedCount += 1
      return SQLITE_OK
    case .opened: break
    }
    let start = RekeyJournal.headerByteCount + batch.resealed * journal.recordByteCount
    records.storeBytes(of: number.bigEndian, toByteOffset: start, as: UInt32.self)
    let target = records[(start + 4)..<(start + journal.recordByteCount)]
    let result = connection.seal(
      UnsafeRawBufferPointer(connection.opened),
      number: number,
      at: .file,
      into: UnsafeMutableRawBufferPointer(rebasing: target)
    )
    if result == SQLITE_OK { batch.resealed += 1 }
    return result
  }

  /// Writes the batch to the journal, and then in place.
  private func write(_ count: Int) -> Int32 {
    let file: BaseFile
    switch openJournal() {
    case .success(let opened): file = opened
    case .failure(let failure): return failure.code
    }
    isVoid = false
    var result = journal.write(records, count: count, to: file)
    guard result == SQLITE_OK else {
      // Nothing was written in place, so nobody needs what there is of it.
      _ = file.truncate(to: 0)
      return result
    }
    result = writeInPlace(count)
    guard result == SQLITE_OK else { return result }
    result = connection.base.sync(SQLITE_SYNC_FULL)
    guard result == SQLITE_OK else { return result }
    result = journal.void(file)
    isVoid = result == SQLITE_OK
    return result
  }

  /// Writes the pages of the batch to the file, neighbours at once.
  private func writeInPlace(_ count: Int) -> Int32 {
    var (first, length) = (UInt32(0), 0)
    func writeRun() -> Int32 {
      let pages = UnsafeRawBufferPointer(rebasing: run[..<(length * connection.pageByteCount)])
      return length == 0 ? SQLITE_OK : connection.base.write(pages, at: connection.place(of: first))
    }
    for index in 0..<count {
      let start = RekeyJournal.headerByteCount + index * journal.recordByteCount
      let record = UnsafeRawBufferPointer(
        rebasing: records[start..<start + journal.recordByteCount]
      )
      let number = record.loadUnaligned(as: UInt32.self).bigEndian
      if length == runLength || number != first &+ UInt32(length) {
        let result = writeRun()
        guard result == SQLITE_OK else { return result }
        (first, length) = (number, 0)
      }
      UnsafeMutableRawBufferPointer(rebasing: run[(length * connection.pageByteCount)...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: record.dropFirst(4)))
      length += 1
    }
    return writeRun()
  }

  /// Empties the journal once what it holds is on the disk in place.
  private func empty(_ file: BaseFile) -> Int32 {
    let result = connection.base.sync(SQLITE_SYNC_FULL)
    return result == SQLITE_OK ? file.truncate(to: 0) : result
  }

  private func openJournal() -> Result<BaseFile, OpeningFailure> {
    if let file { return .success(file) }
    return journal.open(creates: true).map { opened in
      file = opened
      return opened
    }
  }

  // MARK: - Recovery

  /// Writes those pages of the journal in place that the file does not have whole, and empties it.
  ///
  /// A page of the file that opens stays: somebody may have written a newer one since.
  ///
  /// - Returns: SQLITE_OK, or a code.
  func recover() -> Int32 {
    guard journal.isLeft else { return SQLITE_OK }
    let file: BaseFile
    switch openJournal() {
    case .success(let opened): file = opened
    case .failure(let failure): return failure.code
    }
    var pageCount: UInt32 = 0
    let counted = connection.pageCount(&pageCount)
    guard counted == SQLITE_OK else { return counted }
    let result = journal.forEach(in: file) { number, sealed in
      number <= pageCount ? restore(number, sealed) : SQLITE_OK
    }
    return result == SQLITE_OK ? empty(file) : result
  }

  /// Writes a page of the journal in place, if it opens and the file's own does not.
  private func restore(_ number: UInt32, _ sealed: UnsafeRawBufferPointer) -> Int32 {
    let present = UnsafeMutableRawBufferPointer(
      rebasing: connection.scratch[..<connection.pageByteCount]
    )
    let result = connection.base.read(into: present, at: connection.place(of: number))
    guard result == SQLITE_OK else { return result }
    guard let isWhole = opens(UnsafeRawBufferPointer(present), number) else {
      return connection.faultCode
    }
    if isWhole { return SQLITE_OK }
    guard let isInJournal = opens(sealed, number) else { return connection.faultCode }
    return isInJournal ? connection.base.write(sealed, at: connection.place(of: number)) : SQLITE_OK
  }

  /// Whether a page opens; nil if the cipher failed.
  private func opens(_ sealed: UnsafeRawBufferPointer, _ number: UInt32) -> Bool? {
    connection.open(sealed, number: number, at: .file, into: connection.opened).map {
      if case .opened = $0 { true } else { false }
    }
  }
}
