import CSQLite
import NacreEngine

/// The write-ahead log: a header of our own before SQLite's, then frames whose pages are sealed.
///
/// SQLite sees its own header at offset 0. The checksums that it computes over plaintext lie sealed
/// with the page of their frame, because whoever reads two of them learns what lies between.
///
/// SQLite writes a frame's header apart from its page, writes a page anew without its header, and
/// writes headers anew without their pages. So what a write means is told by its offset, and a frame
/// reaches the file as one write once its parts are there.
final class SealedLog: SealedFile {
  static let frameHeaderByteCount = 24

  let connection: SealedConnection
  private var header: SealedLogHeader
  private var frameByteCount: Int { connection.pageByteCount + Self.frameHeaderByteCount }

  /// The frame whose parts are being written; 0 if none is.
  private var heldFrame = 0
  /// How many bytes of it are there.
  private var heldCount = 0
  private let held: UnsafeMutableRawBufferPointer
  /// The frames that were written under the present lock, whose headers SQLite may write anew.
  private var written = 0..<0
  private var writtenUnder: UInt64 = 0

  init(_ base: BaseFile, _ connection: SealedConnection) {
    self.connection = connection
    header = SealedLogHeader(connection, base)
    held = .allocate(
      byteCount: connection.pageByteCount + Self.frameHeaderByteCount,
      alignment: 16
    )
    super.init(base)
    connection.hasLog = true
  }

  deinit {
    held.cleanse()
    held.deallocate()
  }

  override func close() -> Int32 {
    connection.hasLog = false
    return base.close()
  }

  // MARK: - Reading

  override func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
    if offset < SealedLogHeader.ownByteCount {
      return readFromHeader(buffer, at: Int(offset))
    }
    let (frame, start) = position(offset)
    guard start + buffer.count <= frameByteCount else { return readAcross(buffer, from: offset) }
    return read(frame, from: start, into: buffer)
  }

  /// Reads SQLite's header, and what a search of the whole log wants behind it.
  private func readFromHeader(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    let count = min(buffer.count, Int(SealedLogHeader.ownByteCount) - offset)
    let own = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    let result = header.read(into: own, at: offset)
    if result == ResultCode.shortRead { return shortRead(buffer) }
    guard result == SQLITE_OK, count < buffer.count else { return result }
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
    return readAcross(rest, from: SealedLogHeader.ownByteCount)
  }

  /// Reads over more than one frame, as only a search of the whole log does.
  private func readAcross(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int64) -> Int32 {
    var done = 0
    while done < buffer.count {
      let (frame, start) = position(offset + Int64(done))
      let count = min(buffer.count - done, frameByteCount - start)
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
      // From its beginning on, a frame that is none any more reads as zeros.
      let result = read(frame, from: start, into: part, isSearch: true)
      if result == ResultCode.shortRead { return shortRead(buffer, from: done) }
      guard result == SQLITE_OK else { return result }
      done += count
    }
    return SQLITE_OK
  }

  private func read(
    _ frame: Int,
    from start: Int,
    into buffer: UnsafeMutableRawBufferPointer,
    isSearch: Bool = false
  ) -> Int32 {
    let sealed = UnsafeMutableRawBufferPointer(rebasing: connection.scratch[..<frameByteCount])
    let result = base.read(into: sealed, at: place(of: frame))
    if result == ResultCode.shortRead { return shortRead(buffer) }
    guard result == SQLITE_OK else { return result }
    return deliver(UnsafeRawBufferPointer(sealed), frame, from: start, into: buffer, isSearch)
  }

  /// Opens a frame and copies what was asked for.
  private func deliver(
    _ sealed: UnsafeRawBufferPointer,
    _ frame: Int,
    from start: Int,
    into buffer: UnsafeMutableRawBufferPointer,
    _ isSearch: Bool
  ) -> Int32 {
    let result = header.refresh()
    guard result == SQLITE_OK else { return result }
    let parts = FrameHeader(sealed)
    let page = UnsafeRawBufferPointer(rebasing: sealed[Self.frameHeaderByteCount...])
    let isOfThisLog = parts.number != 0 && parts.salts == header.salts
    let opening =
      isOfThisLog
      ? connection.open(
        page,
        number: parts.number,
        at: place(frame, parts),
        into: connection.opened
      )
      : .notAuthentic
    switch opening {
    case nil: return connection.faultCode
    case .unknownKey:
      return connection.refuse(.unknownKey, "frame \(frame) of the log is under an unknown key")
    case .notAuthentic:
      // A frame that is read with its header may be where the log ends: SQLite then finds no page.
      // A page that is read alone was committed.
      guard isSearch || start < Self.frameHeaderByteCount else {
        return connection.refuse(.notAuthentic, "frame \(frame) of the log was changed or moved")
      }
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      return SQLITE_OK
    case .opened(let checksum):
      connection.framePage = parts.number
      copy(parts, checksum, from: start, into: buffer)
      return SQLITE_OK
    }
  }

  /// Copies from the frame as SQLite wrote it: its header with the checksum, then the page.
  private func copy(
    _ parts: FrameHeader,
    _ checksum: UInt64,
    from start: Int,
    into buffer: UnsafeMutableRawBufferPointer
  ) {
    var done = 0
    if start < Self.frameHeaderByteCount {
      withUnsafeBytes(of: parts.bytes(checksum)) { bytes in
        done = min(buffer.count, Self.frameHeaderByteCount - start)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + done]))
      }
    }
    guard done < buffer.count else { return }
    let from = start + done - Self.frameHeaderByteCount
    let page = connection.opened[from..<from + buffer.count - done]
    UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: page))
  }

  override func size(_ size: inout Int64) -> Int32 {
    let result = base.size(&size)
    size = max(0, size - SealedLogHeader.shift)
    return result
  }

  // MARK: - Writing

  override func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    if offset < SealedLogHeader.ownByteCount {
      drop()
      return header.write(buffer, at: Int(offset))
    }
    var done = 0
    while done < buffer.count {
      let (frame, start) = position(offset + Int64(done))
      let count = min(buffer.count - done, frameByteCount - start)
      let part = UnsafeRawBufferPointer(rebasing: buffer[done..<done + count])
      let result = hold(part, frame, at: start)
      guard result == SQLITE_OK else { return result }
      done += count
    }
    return SQLITE_OK
  }

  /// Takes a part of a frame, and writes the frame once all of it is there.
  private func hold(_ part: UnsafeRawBufferPointer, _ frame: Int, at start: Int) -> Int32 {
    if start == 0 {
      heldFrame = frame
      heldCount = 0
    } else if heldFrame != frame || heldCount != start {
      // A page that SQLite writes anew keeps the frame's header, whose checksum is out of date.
      guard start == Self.frameHeaderByteCount else {
        return connection.refuse(.refused, "a part of frame \(frame) has no beginning")
      }
      let result = holdHeader(of: frame)
      guard result == SQLITE_OK else { return result }
    }
    UnsafeMutableRawBufferPointer(rebasing: held[start...]).copyMemory(from: part)
    heldCount = start + part.count
    if heldCount == frameByteCount { return writeHeld() }
    return heldCount == Self.frameHeaderByteCount ? rewriteHeader() : SQLITE_OK
  }

  /// Reads a frame's header from the file, as the beginning of the frame that is held.
  private func holdHeader(of frame: Int) -> Int32 {
    let result = base.read(
      into: UnsafeMutableRawBufferPointer(rebasing: held[..<Self.frameHeaderByteCount]),
      at: place(of: frame)
    )
    guard result == SQLITE_OK else { return result }
    heldFrame = frame
    heldCount = Self.frameHeaderByteCount
    return SQLITE_OK
  }

  /// Writes the frame that is held.
  private func writeHeld() -> Int32 {
    let frame = heldFrame
    drop()
    let page = UnsafeRawBufferPointer(rebasing: held[Self.frameHeaderByteCount...])
    return write(page, FrameHeader(UnsafeRawBufferPointer(held)), frame)
  }

  /// Writes the header that is held before the page that the frame has, if SQLite writes only that.
  ///
  /// Whether a page will follow is not known; if it does, the frame is written once more.
  private func rewriteHeader() -> Int32 {
    let parts = FrameHeader(UnsafeRawBufferPointer(held))
    // Page 0 is that of a frame which did not open when SQLite read it.
    guard parts.number != 0 else {
      return connection.refuse(.notAuthentic, "frame \(heldFrame) of the log was changed")
    }
    guard writtenUnder == connection.lockCount, written.contains(heldFrame) else {
      return SQLITE_OK
    }
    let sealed = UnsafeMutableRawBufferPointer(rebasing: connection.scratch[..<frameByteCount])
    let result = base.read(into: sealed, at: place(of: heldFrame))
    guard result == SQLITE_OK else { return result }
    let former = FrameHeader(UnsafeRawBufferPointer(sealed))
    guard former.number == parts.number, former.salts == parts.salts else { return SQLITE_OK }
    let page = UnsafeRawBufferPointer(rebasing: sealed[Self.frameHeaderByteCount...])
    guard
      let opening = connection.open(
        page,
        number: former.number,
        at: place(heldFrame, former),
        into: connection.opened
      )
    else { return connection.faultCode }
    guard case .opened = opening else {
      return connection.refuse(.notAuthentic, "frame \(heldFrame) of the log was changed")
    }
    return write(UnsafeRawBufferPointer(connection.opened), parts, heldFrame)
  }

  /// Seals a frame and writes it.
  private func write(_ page: UnsafeRawBufferPointer, _ parts: FrameHeader, _ frame: Int) -> Int32 {
    var parts = parts
    // A frame bears the salts of the header that SQLite knows. The header that was read last need not be
    // read again if it has them.
    if parts.salts == 0 || parts.salts != header.salts {
      let refreshed = header.refresh()
      guard refreshed == SQLITE_OK else { return refreshed }
      // SQLite leaves salts and checksums out of frames whose headers it will write anew.
      if parts.salts == 0 { parts.salts = header.salts }
      guard parts.salts == header.salts else {
        return connection.refuse(.notAuthentic, "the index of the log does not match the log")
      }
    }
    guard parts.number != 0 else {
      return connection.refuse(.notAuthentic, "frame \(frame) of the log was changed")
    }
    if parts.number == 1, let refusal = connection.refusal(ofFirstPage: page) { return refusal }
    let sealed = UnsafeMutableRawBufferPointer(rebasing: connection.scratch[..<frameByteCount])
    let result = connection.seal(
      page,
      number: parts.number,
      at: place(frame, parts),
      checksum: parts.checksum,
      into: UnsafeMutableRawBufferPointer(rebasing: sealed[Self.frameHeaderByteCount...])
    )
    guard result == SQLITE_OK else { return result }
    withUnsafeBytes(of: parts.bytes(0)) { bytes in
      sealed.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[..<Self.frameHeaderByteCount])
      )
    }
    let written = base.write(UnsafeRawBufferPointer(sealed), at: place(of: frame))
    noteWritten(frame, isWhole: written == SQLITE_OK)
    return written
  }

  /// Notes a frame whose header SQLite may write anew; one that was written in part is none.
  private func noteWritten(_ frame: Int, isWhole: Bool) {
    guard isWhole else {
      if written.contains(frame) { written = written.lowerBound..<frame }
      return
    }
    guard writtenUnder == connection.lockCount, !written.isEmpty else {
      writtenUnder = connection.lockCount
      written = frame..<frame + 1
      return
    }
    written = min(written.lowerBound, frame)..<max(written.upperBound, frame + 1)
  }

  private func drop() {
    heldFrame = 0
    heldCount = 0
  }

  override func truncate(to size: Int64) -> Int32 {
    drop()
    return base.truncate(to: size == 0 ? 0 : size + SealedLogHeader.shift)
  }

  // MARK: - Places

  /// Returns the frame, from 1, and the byte in it at an offset of SQLite's.
  private func position(_ offset: Int64) -> (frame: Int, start: Int) {
    let behind = Int(offset) - Int(SealedLogHeader.ownByteCount)
    return (behind / frameByteCount + 1, behind % frameByteCount)
  }

  /// Where a frame begins in the file.
  private func place(of frame: Int) -> Int64 {
    SealedLogHeader.byteCount + Int64(frame - 1) * Int64(frameByteCount)
  }

  private func place(_ frame: Int, _ parts: FrameHeader) -> PageLocation {
    .log(salts: parts.salts, frame: UInt32(truncatingIfNeeded: frame), size: parts.size)
  }
}
