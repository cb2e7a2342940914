import NacreEngine

/// The beginning of our part of a log's or journal's header: magic, version, page size and store.
struct SealedFileHeader {
  /// The kind of file, with the four letters in its magic.
  enum Kind: String {
    case log = "wlog"
    case journal = "rbjl"
    case rekey = "rkey"

    /// The 16 bytes by which the file is known.
    var magic: [UInt8] {
      [0x89] + Array("NACRE".utf8) + [0x0d, 0x0a, 0x1a, 0x0a] + Array(rawValue.utf8) + [0, 0]
    }
  }

  enum Comparison {
    /// The header is that of a file of this store.
    case same
    /// It is no header, or a torn one.
    case other
    case otherStore
    case newer
  }

  static let version: UInt32 = 2
  static let byteCount = 40

  private let kind: Kind
  private let bytes: [UInt8]

  init(_ kind: Kind, _ bytes: ArraySlice<UInt8>) {
    self.kind = kind
    self.bytes = Array(bytes)
  }

  /// Returns the bytes of a new header.
  static func make(_ kind: Kind, _ connection: SealedConnection) -> [UInt8] {
    kind.magic + bigEndian(version) + bigEndian(UInt32(connection.pageByteCount))
      + connection.sealer.identity
  }

  func compare(with connection: SealedConnection) -> Comparison {
    guard bytes.count == Self.byteCount, bytes.starts(with: kind.magic) else { return .other }
    guard Array(bytes[16..<20]) == Self.bigEndian(Self.version) else { return .newer }
    guard Array(bytes[24...]) == connection.sealer.identity else { return .otherStore }
    let size = Self.bigEndian(UInt32(connection.pageByteCount))
    return Array(bytes[20..<24]) == size ? .same : .other
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
