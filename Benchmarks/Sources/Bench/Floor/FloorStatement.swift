import CBenchSQLite

// SQLITE_TRANSIENT is a cast, which the importer leaves out.
private var transient: sqlite3_destructor_type {
  @inline(__always) get { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// A prepared statement that stays open; nothing between the caller and the C calls.
final class FloorStatement {
  private let handle: OpaquePointer
  private let database: OpaquePointer

  init(_ database: OpaquePointer, _ sql: String) throws {
    var handle: OpaquePointer?
    let result = sqlite3_prepare_v3(
      database,
      sql,
      -1,
      UInt32(SQLITE_PREPARE_PERSISTENT),
      &handle,
      nil
    )
    guard result == SQLITE_OK, let handle else { throw FloorError(database) }
    self.handle = handle
    self.database = database
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Whether there is a row.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw FloorError(database)
    }
  }

  func reset() { sqlite3_reset(handle) }

  /// Runs a statement without rows.
  func run() throws {
    _ = try step()
    reset()
  }

  func bind(_ value: Int, at index: Int32) { sqlite3_bind_int64(handle, index, Int64(value)) }

  func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }

  func bind(_ value: String, at index: Int32) {
    var value = value
    value.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), transient)
      }
    }
  }

  func bind(_ value: String?, at index: Int32) {
    if let value { bind(value, at: index) } else { sqlite3_bind_null(handle, index) }
  }

  func bind(_ value: Identifier, at index: Int32) {
    _ = withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) {
      sqlite3_bind_blob(handle, index, $0.baseAddress, 16, transient)
    }
  }

  func bind(_ value: Identifier?, at index: Int32) {
    if let value { bind(value, at: index) } else { sqlite3_bind_null(handle, index) }
  }

  func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), transient)
  }

  func int(at index: Int32) -> Int { Int(sqlite3_column_int64(handle, index)) }

  func double(at index: Int32) -> Double { sqlite3_column_double(handle, index) }

  func string(at index: Int32) -> String {
    guard let start = sqlite3_column_text(handle, index) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, index))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func optionalString(at index: Int32) -> String? {
    isNull(at: index) ? nil : string(at: index)
  }

  func identifier(at index: Int32) throws -> Identifier {
    let bytes = bytes(at: index)
    guard bytes.count == 16 else { throw FloorError(message: "an identifier has 16 bytes") }
    return Identifier(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }

  func optionalIdentifier(at index: Int32) throws -> Identifier? {
    isNull(at: index) ? nil : try identifier(at: index)
  }

  func isNull(at index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

  /// Valid until the next step.
  func bytes(at index: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: sqlite3_column_blob(handle, index),
      count: Int(sqlite3_column_bytes(handle, index))
    )
  }
}
