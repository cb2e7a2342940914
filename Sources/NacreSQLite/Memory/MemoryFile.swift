import CSQLite
import Synchronization

/// One file in memory: its bytes, the locks that its openings hold, and the index of its log.
///
/// It keeps the locks that SQLite expects of a file (sqlite.org/lockingv3.html, section 3, and
/// sqlite.org/walformat.html, section 2.3), so the connections of one process share a database in
/// memory as they share a file. Every call returns one of SQLite's codes, and none waits: SQLite
/// calls its busy handler and tries again.
final class MemoryFile: @unchecked Sendable {
  // Sendable holds: `mutex` is locked whenever a variable of the file or of an opening is used.

  private static let chunkByteCount = 1 << 16
  /// The number of locks on the log and its index (sqlite.org/walformat.html, section 2.3).
  private static let slotCount = 8

  private let mutex = Mutex(())
  /// The bytes, in pieces of one size, so that a file grows without being copied.
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  private var byteCount = 0

  /// How many openings hold at least a shared lock on the whole file.
  private var sharerCount = 0
  /// The opening that holds more than a shared lock; nil if none does.
  private var writer: ObjectIdentifier?
  /// Whether the writer keeps new sharers out.
  private var isClosedToSharers = false

  /// The pieces of the log's index, which all openings share.
  private var regions: [UnsafeMutableRawPointer] = []
  /// How many openings use the index.
  private var indexUserCount = 0
  /// How many openings share each lock on the log.
  private var slotSharerCounts = [Int](repeating: 0, count: slotCount)
  /// The locks on the log that one opening has alone, as bits.
  private var ownedSlots: UInt32 = 0

  deinit {
    for chunk in chunks { chunk.deallocate() }
    for region in regions { region.deallocate() }
  }
}

// MARK: - Bytes

extension MemoryFile {
  /// The size of the file in bytes.
  var size: Int { mutex.withLock { _ -> Int in byteCount } }

  /// Copies the bytes from an offset on into a buffer, and zeros where the file has ended.
  ///
  /// - Returns: SQLITE_OK, or SQLITE_IOERR_SHORT_READ if the file has fewer bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    mutex.withLock { _ -> Int32 in
      let count = max(0, min(buffer.count, byteCount - offset))
      var done = 0
      while done < count {
        let bytes = piece(at: offset + done, atMost: count - done)
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + bytes.count])
        target.copyMemory(from: UnsafeRawBufferPointer(bytes))
        done += bytes.count
      }
      if done == buffer.count { return SQLITE_OK }
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      _ = rest.initializeMemory(as: UInt8.self, repeating: 0)
      return SQLITE_IOERR | (2 << 8)
    }
  }

  /// Copies a buffer into the file, which grows if it has to.
  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    mutex.withLock { _ -> Int32 in
      if offset + buffer.count > byteCount { resize(to: offset + buffer.count) }
      var done = 0
      while done < buffer.count {
        let bytes = piece(at: offset + done, atMost: buffer.count - done)
        let source = UnsafeRawBufferPointer(rebasing: buffer[done..<done + bytes.count])
        bytes.copyMemory(from: source)
        done += bytes.count
      }
      return SQLITE_OK
    }
  }

  /// Cuts the file; a file that is not longer stays as it is.
  func truncate(to count: Int) -> Int32 {
    mutex.withLock { _ -> Int32 in
      if count < byteCount { resize(to: max(0, count)) }
      return SQLITE_OK
    }
  }

  /// The bytes from an offset on, to the end of their chunk at most.
  private func piece(at offset: Int, atMost count: Int) -> UnsafeMutableRawBufferPointer {
    let chunk = chunks[offset / Self.chunkByteCount]
    let start = offset % Self.chunkByteCount
    let end = min(start + count, Self.chunkByteCount)
    return UnsafeMutableRawBufferPointer(rebasing: chunk[start..<end])
  }

  private func resize(to count: Int) {
    let wanted = (count + Self.chunkByteCount - 1) / Self.chunkByteCount
    while chunks.count < wanted {
      let chunk = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Self.chunkByteCount,
        alignment: 4096
      )
      _ = chunk.initializeMemory(as: UInt8.self, repeating: 0)
      chunks.append(chunk)
    }
    while chunks.count > wanted { chunks.removeLast().deallocate() }
    // A file that is cut and grows again has zeros there.
    let kept = count % Self.chunkByteCount
    if count < byteCount, kept > 0, let last = chunks.last {
      let rest = UnsafeMutableRawBufferPointer(rebasing: last[kept...])
      _ = rest.initializeMemory(as: UInt8.self, repeating: 0)
    }
    byteCount = count
  }
}

// MARK: - Locks on the whole file

extension MemoryFile {
  /// Raises an opening's lock to a level.
  ///
  /// - Returns: SQLITE_BUSY if another opening is in the way. An opening that asked for the
  ///   exclusive lock then keeps new sharers out until it gets the lock or gives up.
  func lock(_ level: Int32, for opening: MemoryOpening) -> Int32 {
    mutex.withLock { _ -> Int32 in
      if opening.level >= level { return SQLITE_OK }
      if level == SQLITE_LOCK_SHARED {
        if isClosedToSharers { return SQLITE_BUSY }
        sharerCount += 1
        opening.level = level
        return SQLITE_OK
      }
      let identity = ObjectIdentifier(opening)
      if let writer, writer != identity { return SQLITE_BUSY }
      writer = identity
      if level == SQLITE_LOCK_RESERVED {
        opening.level = level
        return SQLITE_OK
      }
      isClosedToSharers = true
      opening.level = SQLITE_LOCK_PENDING
      if sharerCount > 1 { return SQLITE_BUSY }
      opening.level = SQLITE_LOCK_EXCLUSIVE
      return SQLITE_OK
    }
  }

  /// Lowers an opening's lock to the shared one, or to none.
  func unlock(to level: Int32, for opening: MemoryOpening) -> Int32 {
    mutex.withLock { _ -> Int32 in
      lower(opening, to: level)
      return SQLITE_OK
    }
  }

  /// Whether an opening holds more than a shared lock.
  var isReserved: Bool { mutex.withLock { _ -> Bool in writer != nil } }

  private func lower(_ opening: MemoryOpening, to level: Int32) {
    if opening.level <= level { return }
    if writer == ObjectIdentifier(opening) {
      writer = nil
      isClosedToSharers = false
    }
    opening.level = SQLITE_LOCK_SHARED
    if level == SQLITE_LOCK_NONE {
      sharerCount -= 1
      opening.level = SQLITE_LOCK_NONE
    }
  }

  /// Gives back every lock of an opening, and its use of the log's index.
  func close(_ opening: MemoryOpening) {
    mutex.withLock { _ -> Void in
      lower(opening, to: SQLITE_LOCK_NONE)
      leaveIndex(opening)
    }
  }
}

// MARK: - The log's index

extension MemoryFile {
  /// Finds a piece of the index, and makes it if it is missing and the opening asks for that.
  ///
  /// - Parameters:
  ///   - index: The number of the piece.
  ///   - byteCount: The size of a piece, which is always the same.
  ///   - extends: Whether missing pieces are made.
  ///   - opening: The opening, which uses the index from now on.
  ///   - region: Receives the piece; nil if there is none.
  /// - Returns: SQLITE_OK.
  func mapIndex(
    _ index: Int,
    byteCount: Int,
    extends: Bool,
    for opening: MemoryOpening,
    _ region: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> Int32 {
    mutex.withLock { _ -> Int32 in
      if !opening.usesIndex {
        opening.usesIndex = true
        indexUserCount += 1
      }
      while extends, regions.count <= index {
        let made = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 4096)
        _ = made.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        regions.append(made)
      }
      region?.pointee = regions.indices.contains(index) ? regions[index] : nil
      return SQLITE_OK
    }
  }

  /// Takes or gives back locks on the log.
  ///
  /// - Parameters:
  ///   - slots: The locks, as bits.
  ///   - flags: SQLITE_SHM_LOCK or SQLITE_SHM_UNLOCK, with SQLITE_SHM_SHARED or
  ///     SQLITE_SHM_EXCLUSIVE.
  ///   - opening: The opening that holds the locks.
  /// - Returns: SQLITE_BUSY, with nothing changed, if another opening is in the way.
  func changeSlots(_ slots: UInt32, _ flags: Int32, for opening: MemoryOpening) -> Int32 {
    mutex.withLock { _ -> Int32 in
      if flags & SQLITE_SHM_UNLOCK != 0 {
        giveBack(slots, opening)
        return SQLITE_OK
      }
      if ownedSlots & ~opening.ownedSlots & slots != 0 { return SQLITE_BUSY }
      if flags & SQLITE_SHM_SHARED != 0 {
        for slot in Self.numbers(slots & ~opening.sharedSlots) { slotSharerCounts[slot] += 1 }
        opening.sharedSlots |= slots
        return SQLITE_OK
      }
      for slot in Self.numbers(slots) {
        let own = opening.sharedSlots & (1 << UInt32(slot)) == 0 ? 0 : 1
        if slotSharerCounts[slot] > own { return SQLITE_BUSY }
      }
      ownedSlots |= slots
      opening.ownedSlots |= slots
      return SQLITE_OK
    }
  }

  /// Ends an opening's use of the index.
  func unmapIndex(for opening: MemoryOpening) -> Int32 {
    mutex.withLock { _ -> Int32 in
      leaveIndex(opening)
      return SQLITE_OK
    }
  }

  private func giveBack(_ slots: UInt32, _ opening: MemoryOpening) {
    for slot in Self.numbers(slots & opening.sharedSlots) { slotSharerCounts[slot] -= 1 }
    opening.sharedSlots &= ~slots
    ownedSlots &= ~(slots & opening.ownedSlots)
    opening.ownedSlots &= ~slots
  }

  private func leaveIndex(_ opening: MemoryOpening) {
    guard opening.usesIndex else { return }
    giveBack(.max, opening)
    opening.usesIndex = false
    indexUserCount -= 1
    guard indexUserCount == 0 else { return }
    // The next opening makes the index anew from the log, as after a crash.
    for region in regions { region.deallocate() }
    regions = []
  }

  /// The numbers of the bits that are set.
  private static func numbers(_ slots: UInt32) -> [Int] {
    (0..<slotCount).filter { slots & (1 << UInt32($0)) != 0 }
  }
}
