/// A mark that tells a store from an older copy of it, kept outside the file (`Store.anchor(after:)`).
///
/// It holds no secret. Keep its ``description``, which is the text `nacre-anchor-1:` and three parts.
public struct Anchor: Sendable, Hashable {
  /// The store.
  public let storeID: StoreID
  /// The key ring's generation when the anchor was taken.
  public let ringGeneration: UInt64
  /// A number that grows with every anchor taken of the store; the first is 1.
  public let counter: UInt64

  package init(storeID: StoreID, ringGeneration: UInt64, counter: UInt64) {
    self.storeID = storeID
    self.ringGeneration = ringGeneration
    self.counter = counter
  }
}

extension Anchor: LosslessStringConvertible, Codable {
  private static let label = "nacre-anchor-1"

  /// Makes an anchor from the text of ``description``; nil for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == Self.label, let bytes = [UInt8](hex: parts[1]),
      let storeID = StoreID(bytes), let generation = UInt64(parts[2]),
      let counter = UInt64(parts[3]),
      counter > 0
    else { return nil }
    self.init(storeID: storeID, ringGeneration: generation, counter: counter)
    // Refuses a sign, leading zeros and capitals, so that one anchor has exactly one text.
    guard self.description == description else { return nil }
  }

  /// The text to keep (Vectors/FORMAT.md), such as `nacre-anchor-1:0735941c53da476842b334f1db3938ba:4:17`.
  public var description: String { "\(Self.label):\(storeID):\(ringGeneration):\(counter)" }

  /// Reads the text of ``description``.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let anchor = Anchor(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "this is not an anchor"
      )
    }
    self = anchor
  }

  /// Writes the text of ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

// MARK: - In the file

extension Anchor {
  /// `counter u64 ‖ generation u64 ‖ mac[32]` (Vectors/FORMAT.md).
  static let byteCount = 48

  /// Reads the bytes in a file without checking their MAC, so anybody can have written them; nil if they are malformed.
  ///
  /// - Parameters:
  ///   - bytes: The bytes in the file.
  ///   - storeID: The file's store.
  package init?(unverified bytes: [UInt8], of storeID: StoreID) {
    guard bytes.count == Anchor.byteCount else { return nil }
    func number(at offset: Int) -> UInt64 {
      bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(storeID: storeID, ringGeneration: number(at: 8), counter: number(at: 0))
    guard counter > 0 else { return nil }
  }

  /// Both numbers in the form of the file.
  fileprivate var numbers: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: counter)
    bytes.append(bigEndian: ringGeneration)
    return bytes
  }

  /// The bytes that the MAC covers.
  func macMessage() -> [UInt8] { Array("nacre/anchor/1".utf8) + storeID.bytes + numbers }
}

extension KeyRing {
  /// The anchor's 48 bytes for the file; they differ under another store key.
  ///
  /// - Throws: `internalFailure`.
  package func bytes(of anchor: Anchor) throws(CryptoError) -> [UInt8] {
    anchor.numbers + (try HMAC(key: storeKey.anchorKey()).authenticate(anchor.macMessage()))
  }

  /// Reads the anchor from the file and compares its MAC in constant time.
  ///
  /// - Parameter bytes: The bytes in the file.
  /// - Returns: The anchor.
  /// - Throws: `ringTampered` if no holder of this ring's store key wrote the bytes.
  package func anchor(in bytes: [UInt8]) throws(CryptoError) -> Anchor {
    guard let anchor = Anchor(unverified: bytes, of: storeID),
      SecureMemory.equal(bytes, try self.bytes(of: anchor))
    else { throw .tampered("the anchor was altered outside Nacre") }
    return anchor
  }
}
