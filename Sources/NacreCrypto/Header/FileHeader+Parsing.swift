extension FileHeader {
  /// Parses a copy that is whole.
  ///
  /// Two different copies never parse to the same header, so the MAC may be computed from the fields.
  ///
  /// - Throws: `newerFormat`, or `headerTampered` for anything that no writer writes.
  init(parsing copy: [UInt8]) throws(CryptoError) {
    var reader = HeaderReader(copy)
    _ = try reader.bytes(FileHeader.magic.count)
    let version = try reader.integer(UInt32.self)
    guard version == FileHeader.version else {
      throw CryptoError(.newerFormat, message: "the sealed file is of format \(version)")
    }
    pageByteCount = Int(try reader.integer(UInt32.self))
    guard let storeID = StoreID(try reader.bytes(16)) else { throw .shortHeader }
    self.storeID = storeID
    sequence = try reader.integer(UInt64.self)
    let count = Int(try reader.integer(UInt32.self))
    guard count <= FileHeader.macOffset - FileHeader.bodyOffset else { throw .shortHeader }
    var body = HeaderReader(try reader.bytes(count))
    formerStoreKey =
      switch try body.integer(UInt8.self) {
      case 0: nil
      case 1: try body.bytes(KeyRecord.wrappedByteCount)
      case let flag: throw .badHeader("\(flag) is no flag of a former store key")
      }
    slots = []
    for _ in 0..<(try body.count()) { slots.append(try body.slot()) }
    keys = []
    for _ in 0..<(try body.count()) { keys.append(try body.key()) }
    guard body.isAtEnd else { throw .badHeader("bytes follow its keys") }
    let zeros = try reader.bytes(FileHeader.macOffset - FileHeader.bodyOffset - count)
    guard zeros.allSatisfy({ $0 == 0 }) else { throw .badHeader("bytes follow its body") }
    mac = try reader.bytes(HMAC.byteCount)
    guard isWellFormed else { throw .badHeader("it is not within the limits of the format") }
  }
}

/// Reads the fields of a header one after the other.
private struct HeaderReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    guard rest.count >= count else { throw .shortHeader }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type
  ) throws(CryptoError) -> Integer {
    try bytes(Integer.bitWidth / 8).reduce(0) { $0 << 8 | Integer($1) }
  }

  /// A number of slots or keys.
  mutating func count() throws(CryptoError) -> Int {
    let count = Int(try integer(UInt16.self))
    guard count <= FileHeader.limit else { throw .badHeader("\(count) slots or keys") }
    return count
  }

  mutating func slot() throws(CryptoError) -> FileSlot {
    FileSlot(
      id: try integer(UInt32.self),
      kind: try text(),
      parameters: try text(),
      sealed: try bytes(Int(integer(UInt16.self)))
    )
  }

  mutating func key() throws(CryptoError) -> KeyRecord {
    let id = KeyID(rawValue: try integer(UInt32.self))
    guard let purpose = KeyPurpose(rawValue: try integer(UInt8.self)),
      let suite = Suite(rawValue: try integer(UInt8.self)),
      let state = KeyState(rawValue: try integer(UInt8.self))
    else { throw .badHeader("a key has a purpose, suite or state that there is not") }
    let hasKey = state != .destroyed
    return KeyRecord(
      id: id,
      purpose: purpose,
      suite: suite,
      state: state,
      created: try integer(UInt64.self),
      wrapped: hasKey ? try bytes(KeyRecord.wrappedByteCount) : nil,
      check: hasKey ? try bytes(KeyRecord.checkByteCount) : nil
    )
  }

  private mutating func text() throws(CryptoError) -> String {
    let bytes = try bytes(Int(integer(UInt16.self)))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .badHeader("a slot's text is not UTF-8")
    }
    return text
  }
}

extension CryptoError {
  fileprivate static var shortHeader: CryptoError { .badHeader("its body ends too soon") }
}
