import CSQLite
import NacreEngine

/// Seals the pages of a sealed file anew, below SQLite, under the key under which pages are sealed now.
///
/// The caller holds a lock under which nobody else writes pages: that of checkpoints, or the exclusive
/// one of a file without a log. Whoever takes such a lock later seals under the present key, so each
/// page has to be visited once.
///
/// While this thread writes a batch and waits for the disk, another one seals the next batch in memory.
/// A chunk takes pages of the next batch once its own are in their places, so two batches need the memory
/// of one.
final class SealedRekey {
  private let connection: SealedConnection
  private let journal: RekeyJournal
  private var writer: RekeyJournalWriter
  /// The open journal, once something was written to it.
  private var file: BaseFile?
  /// Whether the journal holds nothing but room for the next batch.
  private var isVoid = false
  /// How many pages a batch seals at most.
  private let capacity: Int
  /// The parts of a batch; made for the first one.
  private var chunks: [RekeyChunk] = []
  /// How many neighbouring pages are read or written at once, 64 KiB of them.
  private let runLength: Int
  private static let batchByteCount = 16 << 20
  private static let chunkCount = 16
  /// How many pages a batch looks at for each one that it may seal.
  private static let looksPerPage = 16
  private static let unopenedLimit = 100

  /// Makes what rekeys a file.
  ///
  /// - Parameters:
  ///   - connection: The connection that has the file open.
  ///   - limit: How many pages a batch seals at most, if fewer than usual.
  init(_ connection: SealedConnection, limit: Int = .max) {
    self.connection = connection
    journal = RekeyJournal(connection)
    writer = RekeyJournalWriter(connection)
    let usual = min(RekeyJournal.limit, Self.batchByteCount / connection.pageByteCount)
    capacity = max(1, min(limit, usual))
    runLength = max(1, RekeyJournalWriter.writeByteCount / connection.pageByteCount)
  }

  deinit { _ = file?.close() }

  // MARK: - Batches

  /// How far the pages were read.
  private struct Position {
    /// The next page to look at.
    var next: UInt32
    let pageCount: UInt32
    /// How many pages the batch that is being read may still look at.
    var looks: Int
    var isAtEnd: Bool { next > pageCount }
  }

  /// Seals pages anew, batch after batch.
  ///
  /// - Parameters:
  ///   - first: The number of the first page to look at.
  ///   - done: What was done, to which this adds.
  ///   - isEnough: Asked once in each batch: whether that is to be the last one.
  /// - Returns: SQLITE_OK, or a code.
  func reseal(from first: UInt32, _ done: inout PageBatch, until isEnough: () -> Bool) -> Int32 {
    var (result, pageCount) = (begin(), UInt32(0))
    guard result == SQLITE_OK else { return result }
    result = connection.pageCount(&pageCount)
    guard result == SQLITE_OK else { return result }
    done.pageCount = Int(pageCount)
    // After a failure, another thread may still have pages of the next batch.
    defer { for chunk in chunks { chunk.finish() } }
    let looks = capacity * Self.looksPerPage
    // SQLite's last page has the number before the largest one, which no sum here may pass.
    let lastPage = min(pageCount, .max - 1)
    var position = Position(next: max(1, first), pageCount: lastPage, looks: looks)
    for chunk in chunks where result == SQLITE_OK { result = fill(chunk, &position) }
    while result == SQLITE_OK {
      result = writeJournal(&done)
      guard result == SQLITE_OK else { break }
      let isLast = position.isAtEnd || isEnough()
      position.looks = isLast ? 0 : looks
      result = replacePages(&position)
      if isLast { break }
    }
    done.next = position.isAtEnd ? nil : position.next
    return result
  }

  /// Sees to what an earlier batch has left, and takes over the present keys.
  private func begin() -> Int32 {
    let result = isVoid ? SQLITE_OK : recover()
    guard result == SQLITE_OK else { return result }
    do {
      while chunks.count * chunkLength < capacity {
        let rest = capacity - chunks.count * chunkLength
        chunks.append(try RekeyChunk(of: connection, capacity: min(chunkLength, rest)))
      }
    } catch {
      return connection.refuse(.sealer, "pages can't be sealed anew", cause: error)
    }
    for chunk in chunks { chunk.beginLock() }
    return SQLITE_OK
  }

  private var chunkLength: Int { (capacity + Self.chunkCount - 1) / Self.chunkCount }

  /// Reads those of the next pages into a chunk that are not under the present key, and has them sealed.
  private func fill(_ chunk: RekeyChunk, _ position: inout Position) -> Int32 {
    chunk.clear()
    while chunk.roomCount > 0, position.looks > 0, !position.isAtEnd {
      let rest = Int(position.pageCount - position.next) + 1
      let count = min(runLength, chunk.roomCount, rest)
      let room = chunk.room(for: count)
      let result = connection.base.read(into: room, at: connection.place(of: position.next))
      guard result == SQLITE_OK else { return result }
      let end = position.next + UInt32(count)
      chunk.take(position.next..<end, except: connection.lockPage)
      position.next = end
      position.looks -= count
    }
    chunk.begin()
    return SQLITE_OK
  }

  // MARK: - Writing

  /// Writes the batch to the journal, and waits until it is on the disk.
  private func writeJournal(_ done: inout PageBatch) -> Int32 {
    writer.begin()
    for chunk in chunks {
      let result = append(chunk, &done)
      guard result == SQLITE_OK else { return dropJournal(result) }
    }
    guard writer.count > 0, let file else { return SQLITE_OK }
    let result = writer.finish(file)
    return result == SQLITE_OK ? result : dropJournal(result)
  }

  /// Adds a chunk to the journal, once its pages are sealed.
  private func append(_ chunk: RekeyChunk, _ done: inout PageBatch) -> Int32 {
    chunk.finish()
    if let fault = chunk.fault {
      return connection.refuse(fault.kind, fault.message, cause: fault.cause)
    }
    done.unopened += chunk.unopened.prefix(max(0, Self.unopenedLimit - done.unopened.count))
    done.unopenedCount += chunk.unopened.count
    guard !chunk.numbers.isEmpty else { return SQLITE_OK }
    done.resealed += chunk.numbers.count
    switch openJournal() {
    case .failure(let failure): return failure.code
    case .success(let file):
      isVoid = false
      return chunk.forEach { number, page in writer.append(number, page, to: file) }
    }
  }

  /// Empties a journal that could not be written.
  ///
  /// - Returns: The code of what failed.
  private func dropJournal(_ result: Int32) -> Int32 {
    // Nothing was written in place, so nobody needs what there is of it.
    _ = file?.truncate(to: 0)
    return result
  }

  /// Writes the batch in place, and gives its chunks pages of the next one.
  private func replacePages(_ position: inout Position) -> Int32 {
    for chunk in chunks {
      var result = chunk.forEachRun(limit: runLength) { first, pages in
        connection.base.write(pages, at: connection.place(of: first))
      }
      guard result == SQLITE_OK else { return result }
      result = fill(chunk, &position)
      guard result == SQLITE_OK else { return result }
    }
    guard writer.count > 0, let file else { return SQLITE_OK }
    var result = connection.base.sync(SQLITE_SYNC_FULL)
    guard result == SQLITE_OK else { return result }
    result = writer.void(file)
    isVoid = result == SQLITE_OK
    return result
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
