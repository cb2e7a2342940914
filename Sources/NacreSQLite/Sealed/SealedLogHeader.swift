import CSQLite
import NacreEngine

/// The header of a write-ahead log: ours, which names the store and has a mark, then SQLite's.
struct SealedLogHeader {
  /// The size of SQLite's own header.
  static let ownByteCount: Int64 = 32
  /// The size of ours before it, by which SQLite's offsets are shifted.
  static let shift: Int64 = 96
  static let byteCount = shift + ownByteCount
  private static let markOffset = 40
  private static let zerosOffset = markOffset + PageMark.byteCount

  private let connection: SealedConnection
  private let base: BaseFile
  /// The bytes as they were read or written last; empty if there is no header.
  private var bytes: [UInt8] = []
  /// The connection's count of locks when they were.
  private var readUnder: UInt64?
  /// The two salts of SQLite's header, which each of its frames bears; 0 if there is no header.
  private(set) var salts: UInt64 = 0

  init(_ connection: SealedConnection, _ base: BaseFile) {
    self.connection = connection
    self.base = base
  }

  // MARK: - Reading

  /// Reads from SQLite's header; a header that is torn is read as zeros.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    readUnder = nil
    let result = refresh()
    guard result == SQLITE_OK else { return result }
    guard offset + buffer.count <= Int(Self.ownByteCount) else { return ResultCode.readFailure }
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    guard !bytes.isEmpty else {
      var size: Int64 = 0
      let result = base.size(&size)
      guard result == SQLITE_OK else { return result }
      return size < Self.byteCount ? ResultCode.shortRead : SQLITE_OK
    }
    buffer.copyBytes(from: bytes[(Int(Self.shift) + offset)...].prefix(buffer.count))
    return SQLITE_OK
  }

  /// Reads the header again if a lock was taken since.
  ///
  /// - Returns: SQLITE_OK, also for a header that is torn or missing; or the code of a fault.
  mutating func refresh() -> Int32 {
    guard readUnder != connection.lockCount else { return SQLITE_OK }
    var found = [UInt8](repeating: 0, count: Int(Self.byteCount))
    let result = found.withUnsafeMutableBytes { base.read(into: $0, at: 0) }
    guard result == SQLITE_OK || result == ResultCode.shortRead else { return result }
    readUnder = connection.lockCount
    if found == bytes { return SQLITE_OK }
    bytes = []
    salts = 0
    guard result == SQLITE_OK else { return SQLITE_OK }
    let taken = take(found)
    if taken != SQLITE_OK { readUnder = nil }
    return taken
  }

  private mutating func take(_ found: [UInt8]) -> Int32 {
    let own = SealedFileHeader(.log, found[..<Self.markOffset])
    switch own.compare(with: connection) {
    case .other: return SQLITE_OK
    case .newer: return connection.refuse(.newerFormat, "the log is of a later version")
    case .otherStore: return connection.refuse(.otherStore, "the log is that of another store")
    case .same: break
    }
    let mark = Array(found[Self.markOffset..<Self.zerosOffset])
    switch connection.check(.log, Self.covered(found), mark) {
    case nil: return connection.faultCode
    case .unknownKey: return connection.refuse(.unknownKey, "the log is under an unknown key")
    case .notAuthentic: return SQLITE_OK
    case .opened:
      bytes = found
      salts = found.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: Int(Self.shift) + 16, as: UInt64.self).bigEndian
      }
      return SQLITE_OK
    }
  }

  // MARK: - Writing

  /// Writes SQLite's header with ours before it.
  mutating func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    guard offset == 0, buffer.count == Int(Self.ownByteCount) else {
      return connection.refuse(.refused, "the log's header is written as a whole")
    }
    var made = SealedFileHeader.make(.log, connection)
    made += [UInt8](repeating: 0, count: Int(Self.shift) - made.count)
    made += buffer
    guard let mark = connection.mark(.log, Self.covered(made)) else {
      return connection.faultCode
    }
    made.replaceSubrange(Self.markOffset..<Self.zerosOffset, with: mark)
    let result = made.withUnsafeBytes { base.write($0, at: 0) }
    // If the write fails, nobody knows what the file holds.
    readUnder = nil
    guard result == SQLITE_OK else { return result }
    bytes = made
    readUnder = connection.lockCount
    salts = buffer.loadUnaligned(fromByteOffset: 16, as: UInt64.self).bigEndian
    return SQLITE_OK
  }

  /// All that the mark covers.
  private static func covered(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<markOffset] + bytes[zerosOffset...])
  }
}
