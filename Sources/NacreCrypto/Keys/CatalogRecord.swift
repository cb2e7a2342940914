/// The data that the catalog's MAC covers (Vectors/FORMAT.md).
///
/// These are the rows of the two tables that say whether, where and how values are sealed.
package struct CatalogRecord: Sendable, Equatable {
  /// A cell of the file, of any storage class.
  package enum Cell: Sendable, Hashable {
    case null
    case integer(Int64)
    /// The bits of a floating-point number.
    case real(UInt64)
    /// The bytes of a text, which need not be UTF-8.
    case text([UInt8])
    case blob([UInt8])
  }

  /// The rows of `nacre_entity`; each row has the cells of the format's columns.
  package var entities: [[Cell]]
  /// The rows of `nacre_property`.
  package var properties: [[Cell]]

  package init(entities: [[Cell]], properties: [[Cell]]) {
    self.entities = entities
    self.properties = properties
  }

  /// The bytes of the catalog, as the file keeps them beside the MAC; the order of the rows makes no difference.
  ///
  /// - Throws: `lengthTooLarge` for more than 2^32 − 1 rows, or more than 2^32 − 1 bytes in a cell.
  package func bytes() throws(CryptoError) -> [UInt8] {
    var bytes: [UInt8] = []
    for rows in [entities, properties] {
      bytes.append(bigEndian: try CatalogRecord.length(rows.count))
      var encoded: [[UInt8]] = []
      for row in rows { encoded.append(try CatalogRecord.encode(row)) }
      encoded.sort { $0.lexicographicallyPrecedes($1) }
      for row in encoded { bytes += row }
    }
    return bytes
  }

  private static func encode(_ row: [Cell]) throws(CryptoError) -> [UInt8] {
    var bytes: [UInt8] = []
    for cell in row {
      bytes.append(cell.type.rawValue)
      switch cell {
      case .null: break
      case .integer(let number): bytes.append(bigEndian: number)
      case .real(let bits): bytes.append(bigEndian: bits)
      case .text(let value), .blob(let value):
        bytes.append(bigEndian: try length(value.count))
        bytes += value
      }
    }
    return bytes
  }

  private static func length(_ count: Int) throws(CryptoError) -> UInt32 {
    guard let length = UInt32(exactly: count) else { throw .tooLong(count) }
    return length
  }
}

extension CatalogRecord.Cell {
  /// The cell's type, with the numbers of payloads.
  fileprivate var type: PayloadType {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}

// MARK: - Reading

extension CatalogRecord {
  /// Reads the bytes that `bytes()` returned.
  ///
  /// - Parameters:
  ///   - bytes: The catalog.
  ///   - widths: How many cells a row of each table has.
  /// - Throws: `catalogTampered` for any other bytes.
  package init(
    _ bytes: [UInt8],
    widths: (entities: Int, properties: Int)
  ) throws(CryptoError) {
    var reader = Reader(rest: bytes[...])
    entities = try reader.rows(widths.entities)
    properties = try reader.rows(widths.properties)
    guard reader.rest.isEmpty else { throw .catalogTampered("the catalog's copy is malformed") }
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func rows(_ width: Int) throws(CryptoError) -> [[Cell]] {
      var rows: [[Cell]] = []
      for _ in 0..<(try number(4)) {
        var row: [Cell] = []
        for _ in 0..<width { row.append(try cell()) }
        rows.append(row)
      }
      return rows
    }

    private mutating func cell() throws(CryptoError) -> Cell {
      switch PayloadType(rawValue: UInt8(truncatingIfNeeded: try number(1))) {
      case .null: return .null
      case .integer: return .integer(Int64(bitPattern: try number(8)))
      case .real: return .real(try number(8))
      case .text: return .text(try take(try number(4)))
      case .blob: return .blob(try take(try number(4)))
      case nil: throw .catalogTampered("the catalog's copy is malformed")
      }
    }

    private mutating func number(_ count: UInt64) throws(CryptoError) -> UInt64 {
      try take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: UInt64) throws(CryptoError) -> [UInt8] {
      guard count <= UInt64(rest.count) else {
        throw .catalogTampered("the catalog's copy is malformed")
      }
      defer { rest = rest.dropFirst(Int(count)) }
      return Array(rest.prefix(Int(count)))
    }
  }
}

// MARK: - Its MAC

// The ring's generation is `catalog number u32 ‖ change number u32`. Code that only knows of one number raises the
// generation by one, which leaves the catalog number as it is.

extension RingRecord {
  /// How often the catalog got a MAC, from a ring's generation; 0 if it never got one.
  package static func catalogNumber(_ generation: UInt64) -> UInt64 { generation >> 32 }

  /// How often the ring was changed, from its generation; this is the number that people see.
  package static func changeNumber(_ generation: UInt64) -> UInt64 { generation & 0xFFFF_FFFF }
}

extension KeyRing {
  /// How often the catalog got a MAC; 0 if it never got one.
  package var catalogNumber: UInt64 { RingRecord.catalogNumber(generation) }
  /// How often the ring was changed.
  package var changeNumber: UInt64 { RingRecord.changeNumber(generation) }

  /// The same ring with the next catalog number, for a catalog that is written with it.
  ///
  /// - Throws: `badParameters` after 2^31 − 1 catalogs.
  package func recatalogued() throws(CryptoError) -> KeyRing {
    // The limit is 2^31 − 1, because SQLite's integers are signed.
    guard catalogNumber < 0x7FFF_FFFF else {
      throw CryptoError(.badParameters, message: "the catalog was changed too often")
    }
    return try KeyRing(
      storeKey: storeKey,
      generation: generation + (1 << 32),
      keys: keys,
      dataKeys: dataKeys
    )
  }

  /// Whether two rings have the same keys under the same store key, so that values derived from one serve the other.
  package func hasSameKeys(as other: KeyRing) -> Bool { keys == other.keys }

  /// The MAC of a catalog that is written with this ring, 32 bytes.
  ///
  /// - Throws: `internalFailure`.
  package func mac(ofCatalog catalog: [UInt8]) throws(CryptoError) -> [UInt8] {
    try mac(ofCatalog: catalog, number: catalogNumber)
  }

  private func mac(ofCatalog catalog: [UInt8], number: UInt64) throws(CryptoError) -> [UInt8] {
    var message = Array("nacre/catalog/1".utf8) + storeID.bytes
    message.append(bigEndian: number)
    return try HMAC(key: storeKey.catalogMACKey).authenticate(message + catalog)
  }

  /// Whether a ring in the file, older or newer than this one, was written under the same store key.
  ///
  /// - Throws: `internalFailure`.
  package func hasMade(_ record: RingRecord) throws(CryptoError) -> Bool {
    if record.generation == generation { return true }
    guard record.keys.allSatisfy(\.isWellFormed) else { return false }
    return SecureMemory.equal(record.mac, try storeKey.mac(record))
  }

  /// Compares a catalog with its MAC, in constant time.
  ///
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - mac: The MAC beside it in the file, or nil if there is none.
  ///   - record: The ring in the same file, which may be older than this one.
  /// - Throws: `catalogTampered` if no holder of this ring's store key wrote the catalog together with that ring;
  ///   `ringTampered` if that ring is not under the same store key.
  package func verify(
    catalog: [UInt8],
    mac: [UInt8]?,
    with record: RingRecord
  ) throws(CryptoError) {
    guard try hasMade(record) else { throw .tampered("the ring was not made with this store key") }
    let number = RingRecord.catalogNumber(record.generation)
    guard let mac, SecureMemory.equal(mac, try self.mac(ofCatalog: catalog, number: number)) else {
      throw .catalogTampered("the catalog's MAC does not match its copy")
    }
  }
}

extension CryptoError {
  /// `catalogTampered` with a message that says what was found.
  static func catalogTampered(_ message: String) -> CryptoError {
    CryptoError(.catalogTampered, message: message)
  }
}
