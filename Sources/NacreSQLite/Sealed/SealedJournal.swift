import CSQLite
import NacreEngine

/// The rollback journal: SQLite's own format, in whose records the pages are sealed.
///
/// A journal has segments: a sector with SQLite's header, in whose unused tail is ours, then records
/// of a page's number, the page and a checksum. SQLite writes the three apart; a record reaches the
/// file as one write once all three are there. The checksum is sealed with the page.
final class SealedJournal: SealedFile {
  let connection: SealedConnection
  /// The segments that were written or read, in the order of their places.
  private var segments: [JournalSegment] = []
  private var recordByteCount: Int { connection.pageByteCount + 8 }

  /// The record whose parts are being written: where it begins, and how many bytes are there.
  private var heldPlace: Int64 = -1
  private var heldCount = 0
  private let held: UnsafeMutableRawBufferPointer
  /// Where the record in `held` was read from; -1 if `held` holds no record that was read.
  private var readPlace: Int64 = -1

  init(_ base: BaseFile, _ connection: SealedConnection) {
    self.connection = connection
    held = .allocate(byteCount: connection.pageByteCount + 8, alignment: 16)
    super.init(base)
  }

  deinit {
    held.cleanse()
    held.deallocate()
  }

  // MARK: - Writing

  override func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    readPlace = -1
    // Pages have at least 1,024 bytes, so only a header has the size of a sector.
    if buffer.count == JournalSegment.headerByteCount, Self.isSectorStart(offset) {
      return writeHeader(buffer, at: offset)
    }
    if let result = writeFields(buffer, at: offset) { return result }
    guard let (segment, place, start) = position(offset), start + buffer.count <= recordByteCount
    else { return connection.refuse(.refused, "the journal has no header before offset \(offset)") }
    if start == 0 {
      heldPlace = place
    } else if heldPlace != place || heldCount != start {
      return connection.refuse(.refused, "a part of a record has no beginning")
    }
    UnsafeMutableRawBufferPointer(rebasing: held[start...]).copyMemory(from: buffer)
    heldCount = start + buffer.count
    return heldCount == recordByteCount ? writeHeld(of: segment) : SQLITE_OK
  }

  private func writeHeader(_ buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    segments.removeAll { $0.place >= offset }
    guard let (segment, bytes) = JournalSegment.make(buffer, at: offset, connection) else {
      return connection.faultCode
    }
    let result = bytes.withUnsafeBytes { base.write($0, at: offset) }
    if result == SQLITE_OK { segments.append(segment) }
    return result
  }

  /// Writes what SQLite changes in a header that is there: its magic and count, or zeros over it.
  private func writeFields(_ buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int32? {
    guard Self.isSectorStart(offset) else { return nil }
    switch buffer.count {
    case JournalSegment.fieldsByteCount: break
    case 1, JournalSegment.ownByteCount:
      guard buffer.allSatisfy({ $0 == 0 }) else { return nil }
      segments.removeAll { $0.place >= offset }
    default: return nil
    }
    return base.write(buffer, at: offset)
  }

  private func writeHeld(of segment: JournalSegment) -> Int32 {
    let place = heldPlace
    heldPlace = -1
    heldCount = 0
    let number = held.loadUnaligned(as: UInt32.self).bigEndian
    let pageEnd = 4 + connection.pageByteCount
    let checksum = held.loadUnaligned(fromByteOffset: pageEnd, as: UInt32.self).bigEndian
    let sealed = UnsafeMutableRawBufferPointer(rebasing: connection.scratch[..<recordByteCount])
    let result = connection.seal(
      UnsafeRawBufferPointer(rebasing: held[4..<pageEnd]),
      number: number,
      at: segment.pagePlace(place),
      checksum: UInt64(checksum) << 32,
      into: UnsafeMutableRawBufferPointer(rebasing: sealed[4..<pageEnd])
    )
    guard result == SQLITE_OK else { return result }
    sealed.storeBytes(of: number.bigEndian, as: UInt32.self)
    sealed.storeBytes(of: 0, toByteOffset: pageEnd, as: UInt32.self)
    return base.write(UnsafeRawBufferPointer(sealed), at: place)
  }

  override func truncate(to size: Int64) -> Int32 {
    segments.removeAll { $0.place + Int64(JournalSegment.headerByteCount) > size }
    heldPlace = -1
    readPlace = -1
    return base.truncate(to: size)
  }

  // MARK: - Reading

  override func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
    // Whether the first byte is 0 tells SQLite that nothing is to be rolled back.
    if offset == 0, buffer.count == 1 { return base.read(into: buffer, at: 0) }
    if buffer.count == 8, Self.isSectorStart(offset) { return readMagic(into: buffer, at: offset) }
    if let segment = segment(at: offset), offset < segment.place + 512 {
      return base.read(into: buffer, at: offset)
    }
    guard let (segment, place, start) = position(offset) else {
      return clear(buffer)
    }
    let result = readRecord(of: segment, at: place)
    if result == ResultCode.shortRead {
      return isSearchForName(buffer, at: offset) ? clear(buffer) : shortRead(buffer)
    }
    guard result == SQLITE_OK else { return result }
    guard start + buffer.count <= recordByteCount else { return clear(buffer) }
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: held[start..<start + buffer.count])
    )
    return SQLITE_OK
  }

  /// Whether SQLite looks near the end, also of a torn journal, for the name of one over several files: for the name's
  /// length, its checksum and the magic behind them.
  ///
  /// No sealed file has such a journal. But the last bytes of a whole record can look like a length, and SQLite then goes
  /// on to the torn one.
  private func isSearchForName(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
    var size: Int64 = 0
    guard base.size(&size) == SQLITE_OK else { return false }
    switch size - offset {
    case 16, 12: return buffer.count == 4
    case 8: return buffer.count == 8
    default: return false
    }
  }

  private func clear(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    return SQLITE_OK
  }

  /// Reads the magic of a header; zeros, with which the journal ends, where none of this store is.
  private func readMagic(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) -> Int32 {
    // Another connection may have written a journal since this one read a record of the last.
    readPlace = -1
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    var sector = [UInt8](repeating: 0, count: JournalSegment.headerByteCount)
    let result = sector.withUnsafeMutableBytes { base.read(into: $0, at: offset) }
    if result == ResultCode.shortRead { return SQLITE_OK }
    guard result == SQLITE_OK else { return result }
    switch JournalSegment.read(sector, at: offset, connection) {
    case .fault: return connection.faultCode
    case .none: return SQLITE_OK
    case .segment(let segment):
      // Only the journal of somebody who was killed is asked for its first magic.
      if offset == 0 { connection.mayHaveTornPages = true }
      // A rollback begins at the first header again, and does not ask for the last one's magic.
      segments.removeAll { $0.place == offset }
      let index = segments.firstIndex { $0.place > offset } ?? segments.count
      segments.insert(segment, at: index)
      buffer.copyBytes(from: sector[..<8])
      return SQLITE_OK
    }
  }

  /// Opens a record into `held`: as SQLite wrote it, or with page number 0 if it does not open.
  private func readRecord(of segment: JournalSegment, at place: Int64) -> Int32 {
    if readPlace == place { return SQLITE_OK }
    readPlace = -1
    let sealed = UnsafeMutableRawBufferPointer(rebasing: connection.scratch[..<recordByteCount])
    let result = base.read(into: sealed, at: place)
    guard result == SQLITE_OK else { return result }
    let number = sealed.loadUnaligned(as: UInt32.self).bigEndian
    let pageEnd = 4 + connection.pageByteCount
    let opening = connection.open(
      UnsafeRawBufferPointer(rebasing: sealed[4..<pageEnd]),
      number: number,
      at: segment.pagePlace(place),
      into: UnsafeMutableRawBufferPointer(rebasing: held[4..<pageEnd])
    )
    switch opening {
    case nil: return connection.faultCode
    case .unknownKey:
      return connection.refuse(.unknownKey, "a record of the journal is under an unknown key")
    case .notAuthentic:
      held.initializeMemory(as: UInt8.self, repeating: 0)
    case .opened(let checksum):
      held.storeBytes(of: number.bigEndian, as: UInt32.self)
      let stored = UInt32(truncatingIfNeeded: checksum >> 32)
      held.storeBytes(of: stored.bigEndian, toByteOffset: pageEnd, as: UInt32.self)
    }
    readPlace = place
    return SQLITE_OK
  }

  // MARK: - Places

  private static func isSectorStart(_ offset: Int64) -> Bool { offset % 512 == 0 }

  private func segment(at offset: Int64) -> JournalSegment? {
    segments.last { $0.place <= offset }
  }

  /// Returns the segment, the place of the record and the byte in it at an offset.
  private func position(_ offset: Int64) -> (JournalSegment, place: Int64, start: Int)? {
    guard let segment = segment(at: offset) else { return nil }
    let behind = offset - segment.place - Int64(JournalSegment.headerByteCount)
    guard behind >= 0 else { return nil }
    let start = behind % Int64(recordByteCount)
    return (segment, offset - start, Int(start))
  }
}
