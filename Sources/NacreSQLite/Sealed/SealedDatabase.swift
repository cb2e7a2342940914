import CSQLite
import NacreEngine

/// The database's file: a header that belongs to the sealer, then sealed pages.
///
/// SQLite sees the pages alone, from offset 0 on. Locks stay at the offsets where SQLite takes them.
final class SealedDatabase: SealedFile {
  let connection: SealedConnection
  private let readAhead: ReadAhead
  private var pageByteCount: Int64 { Int64(connection.pageByteCount) }
  private var headerByteCount: Int64 { connection.headerByteCount }

  init(_ base: BaseFile, _ connection: SealedConnection) {
    self.connection = connection
    readAhead = ReadAhead(connection)
    super.init(base)
  }

  // MARK: - Reading

  override func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
    if offset == 0, buffer.count == 100 { return readBeginning(into: buffer) }
    var done = 0
    while done < buffer.count {
      let number = (offset + Int64(done)) / pageByteCount + 1
      let start = Int((offset + Int64(done)) % pageByteCount)
      let count = min(buffer.count - done, connection.pageByteCount - start)
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
      let result =
        count == connection.pageByteCount
        ? readPage(number, into: target) : readPart(of: number, from: start, into: target)
      if result == ResultCode.shortRead { return shortRead(buffer, from: done) }
      guard result == SQLITE_OK else { return result }
      done += count
    }
    return SQLITE_OK
  }

  /// Reads what SQLite asks for before it has rolled a journal back or read the log.
  ///
  /// They may have the first page where the file has a torn one. SQLite then takes the file for one
  /// without a page, and reads the page again under a lock.
  private func readBeginning(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    let result = readPart(of: 1, from: 0, into: buffer)
    switch ResultCode.faultKind(result) {
    case .notAuthentic, .truncated: return shortRead(buffer)
    default: return result == ResultCode.shortRead ? shortRead(buffer) : result
    }
  }

  private func readPart(
    of number: Int64,
    from start: Int,
    into target: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    let result = readPage(number, into: connection.opened)
    guard result == SQLITE_OK else { return result }
    let part = connection.opened[start..<start + target.count]
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
    return SQLITE_OK
  }

  /// Reads and opens one page; a page that the file does not have is a short read.
  private func readPage(_ number: Int64, into page: UnsafeMutableRawBufferPointer) -> Int32 {
    guard let number = UInt32(exactly: number) else { return ResultCode.readFailure }
    if number == connection.lockPage {
      // Only a reader of the whole file asks for it, such as a search for what is left of old values.
      page.initializeMemory(as: UInt8.self, repeating: 0)
      return SQLITE_OK
    }
    if let sealed = readAhead.page(number) {
      let opening = connection.open(sealed, number: number, at: .file, into: page)
      // To read it alone shows what is wrong with it.
      if case .opened = opening { return SQLITE_OK }
    }
    return readAlone(number, into: page)
  }

  private func readAlone(
    _ number: UInt32,
    into page: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    let sealed = UnsafeMutableRawBufferPointer(
      rebasing: connection.scratch[..<connection.pageByteCount]
    )
    let result = base.read(into: sealed, at: connection.place(of: number))
    if result == ResultCode.shortRead { return missing(number) }
    guard result == SQLITE_OK else { return result }
    for attempt in 1... {
      let opening = connection.open(
        UnsafeRawBufferPointer(sealed),
        number: number,
        at: .file,
        into: page
      )
      switch opening {
      case .opened: return SQLITE_OK
      case nil: return connection.faultCode
      case .notAuthentic where attempt < Self.readLimit: break
      case .notAuthentic:
        return connection.refuse(.notAuthentic, "page \(number) of the file was changed or moved")
      case .unknownKey:
        return connection.refuse(.unknownKey, "page \(number) names a key that the header lacks")
      }
      // A page that another connection is just writing may be torn; it is whole at the next look.
      let result =
        attempt.isMultiple(of: Self.readsBeforeJournal)
        ? RekeyJournal(connection).read(number, into: sealed)
        : base.read(into: sealed, at: connection.place(of: number))
      guard result == SQLITE_OK else { return result }
    }
    return ResultCode.readFailure
  }

  private static let readLimit = 7
  /// A page that stays torn was left so by a rekey that ended in the middle, whose journal has it whole.
  private static let readsBeforeJournal = 3

  /// Tells a page that is not there from one that was cut.
  private func missing(_ number: UInt32) -> Int32 {
    var size: Int64 = 0
    let result = base.size(&size)
    guard result == SQLITE_OK else { return result }
    // A database that has no page yet.
    if number == 1, size <= headerByteCount { return ResultCode.shortRead }
    // A writer may have failed in the middle of a new page, which it then cuts off again. With a log,
    // pages that the file lacks are in the log.
    if connection.isWriting, !connection.hasLog { return ResultCode.shortRead }
    return connection.refuse(.truncated, "the file ends within page \(number)")
  }

  override func size(_ size: inout Int64) -> Int32 {
    let result = base.size(&size)
    size = max(0, size - headerByteCount)
    return result
  }

  // MARK: - Writing

  override func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    guard buffer.count == connection.pageByteCount, offset % pageByteCount == 0,
      let number = UInt32(exactly: offset / pageByteCount + 1)
    else { return connection.refuse(.refused, "the size of pages can't be changed") }
    // The index of the log, which anybody may have changed, said where this page belongs.
    guard !connection.hasLog || connection.framePage == number else {
      return connection.refuse(.notAuthentic, "page \(number) is not the page of its frame")
    }
    if number == 1, let refusal = connection.refusal(ofFirstPage: buffer) { return refusal }
    let result = fill(upTo: number)
    guard result == SQLITE_OK else { return result }
    return writePage(buffer, number)
  }

  private func writePage(_ page: UnsafeRawBufferPointer, _ number: UInt32) -> Int32 {
    readAhead.drop()
    let sealed = UnsafeMutableRawBufferPointer(
      rebasing: connection.scratch[..<connection.pageByteCount]
    )
    let result = connection.seal(page, number: number, at: .file, into: sealed)
    guard result == SQLITE_OK else { return result }
    let written = base.write(UnsafeRawBufferPointer(sealed), at: connection.place(of: number))
    if written != SQLITE_OK { connection.mayHaveTornPages = true }
    return written
  }

  /// Waits until the file is on the disk; at the end of a rollback, with all free pages whole.
  override func sync(_ flags: Int32) -> Int32 {
    if connection.mayHaveTornPages, connection.isWriting, !connection.hasLog {
      let result = mendFreePages()
      guard result == SQLITE_OK else { return result }
      connection.mayHaveTornPages = false
    }
    return base.sync(flags)
  }

  /// Empties those free pages that don't open.
  private func mendFreePages() -> Int32 {
    var pageCount: UInt32 = 0
    let result = connection.pageCount(&pageCount)
    guard result == SQLITE_OK else { return result }
    let free = FreePages(connection, pageCount: pageCount) { number, page in
      self.readPage(Int64(number), into: page)
    }
    let sealed = UnsafeMutableRawBufferPointer(
      rebasing: connection.scratch[..<connection.pageByteCount]
    )
    return free.forEachLeaf { number in
      let result = base.read(into: sealed, at: connection.place(of: number))
      guard result == SQLITE_OK else { return result }
      let opening = connection.open(
        UnsafeRawBufferPointer(sealed),
        number: number,
        at: .file,
        into: connection.opened
      )
      guard case .notAuthentic = opening else { return SQLITE_OK }
      connection.opened.initializeMemory(as: UInt8.self, repeating: 0)
      return writePage(UnsafeRawBufferPointer(connection.opened), number)
    }
  }

  /// Writes the pages before a new one that SQLite leaves out, because nothing is in them yet.
  ///
  /// Without this they would be zeros, which nobody could tell from zeros that somebody else wrote. The
  /// page of the lock byte stays a hole of zeros.
  private func fill(upTo number: UInt32) -> Int32 {
    var size: Int64 = 0
    let result = base.size(&size)
    guard result == SQLITE_OK else { return result }
    let present = max(0, size - headerByteCount) / pageByteCount
    guard Int64(number) > present + 1 else { return SQLITE_OK }
    let empty = connection.opened
    empty.initializeMemory(as: UInt8.self, repeating: 0)
    for missing in UInt32(present + 1)..<number where missing != connection.lockPage {
      let result = writePage(UnsafeRawBufferPointer(empty), missing)
      guard result == SQLITE_OK else { return result }
    }
    return SQLITE_OK
  }

  override func truncate(to size: Int64) -> Int32 {
    guard size % pageByteCount == 0, let next = UInt32(exactly: size / pageByteCount + 1) else {
      return connection.refuse(.refused, "a file is cut between pages only")
    }
    // SQLite also lengthens a file by this call.
    let result = fill(upTo: next)
    guard result == SQLITE_OK else { return result }
    readAhead.drop()
    return base.truncate(to: headerByteCount + size)
  }

  // MARK: - Locks

  override func lock(_ level: Int32) -> Int32 {
    let result = base.lock(level)
    guard result == SQLITE_OK else { return result }
    guard level > SQLITE_LOCK_SHARED else {
      connection.didLock()
      return SQLITE_OK
    }
    guard !connection.isWriting else { return SQLITE_OK }
    let begun = connection.beginWriting()
    if begun != SQLITE_OK { _ = base.unlock(to: SQLITE_LOCK_SHARED) }
    return begun
  }

  override func unlock(to level: Int32) -> Int32 {
    if level <= SQLITE_LOCK_SHARED { connection.isWriting = false }
    return base.unlock(to: level)
  }

  override func lockIndex(_ first: Int32, _ count: Int32, _ flags: Int32) -> Int32 {
    let result = base.lockIndex(first, count, flags)
    guard result == SQLITE_OK else { return result }
    // Lock 0 is that of a writer, lock 1 that of a checkpoint (sqlite.org/walformat.html, 2.3).
    let isForWriting = first <= 1 && flags & SQLITE_SHM_EXCLUSIVE != 0
    if flags & SQLITE_SHM_UNLOCK != 0 {
      if isForWriting { connection.isWriting = false }
      return SQLITE_OK
    }
    guard isForWriting else {
      connection.didLock()
      return SQLITE_OK
    }
    let begun = connection.beginWriting()
    if begun != SQLITE_OK {
      _ = base.lockIndex(first, count, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
    }
    return begun
  }

  // MARK: - Questions

  override func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard operation == Self.connectionQuestion else { return super.control(operation, argument) }
    argument?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee =
      Unmanaged.passUnretained(connection).toOpaque()
    return SQLITE_OK
  }

  /// Our own file control, which answers with the ``SealedConnection``.
  ///
  /// SQLite leaves numbers from 100 on to file systems (sqlite.org/c3ref/c_fcntl_begin_atomic_write.html).
  static let connectionQuestion: Int32 = 0x6e61_6372
}
