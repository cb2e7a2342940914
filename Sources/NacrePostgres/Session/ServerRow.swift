#if PostgreSQL
import CPQ

/// A row of a statement, which whoever takes it frees.
///
/// A result of libpq's takes kilobytes, however small its row is; so a row that waits is a copy of its bytes alone.
enum ServerRow {
  /// The row as libpq has it.
  case result(OpaquePointer)
  /// A row of several that somebody else frees.
  case portion(OpaquePointer, row: Int32)
  /// The places and lengths of the values, and then the values; the length of NULL is -1.
  case copy(UnsafeMutableRawBufferPointer)

  /// The number of bytes of a value's place and length.
  private static let entry = 16

  /// Copies the row of a result.
  init(copying result: OpaquePointer) {
    let columns = PQnfields(result)
    var offset = Int(columns) * Self.entry
    let size = (0..<columns).reduce(offset) { $0 + Int(PQgetlength(result, 0, $1)) }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 1), alignment: 8)
    for column in 0..<columns {
      let place = Int(column) * Self.entry
      let length = PQgetisnull(result, 0, column) == 0 ? Int(PQgetlength(result, 0, column)) : -1
      copy.storeBytes(of: offset, toByteOffset: place, as: Int.self)
      copy.storeBytes(of: length, toByteOffset: place + 8, as: Int.self)
      guard length > 0, let start = PQgetvalue(result, 0, column) else { continue }
      UnsafeMutableRawBufferPointer(rebasing: copy[offset..<(offset + length)])
        .copyMemory(from: UnsafeRawBufferPointer(start: start, count: length))
      offset += length
    }
    self = .copy(copy)
  }

  /// Returns the bytes of a value in a column that exists; nil for NULL.
  func bytes(at column: Int32) -> UnsafeRawBufferPointer? {
    switch self {
    case .result(let result): return Self.bytes(of: result, 0, column)
    case .portion(let result, let row): return Self.bytes(of: result, row, column)
    case .copy(let copy):
      let place = Int(column) * Self.entry
      guard place + Self.entry <= copy.count else { return nil }
      let offset = copy.load(fromByteOffset: place, as: Int.self)
      let length = copy.load(fromByteOffset: place + 8, as: Int.self)
      guard length >= 0, offset + length <= copy.count else { return nil }
      return UnsafeRawBufferPointer(rebasing: copy[offset..<(offset + length)])
    }
  }

  @inline(__always)
  private static func bytes(
    of result: OpaquePointer,
    _ row: Int32,
    _ column: Int32
  ) -> UnsafeRawBufferPointer? {
    // The length of NULL is 0, too.
    let count = Int(PQgetlength(result, row, column))
    guard count > 0 || PQgetisnull(result, row, column) == 0,
      let start = PQgetvalue(result, row, column)
    else { return nil }
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Frees the row.
  func free() {
    switch self {
    case .result(let result): PQclear(result)
    case .portion: break
    case .copy(let copy): copy.deallocate()
    }
  }
}
#endif
