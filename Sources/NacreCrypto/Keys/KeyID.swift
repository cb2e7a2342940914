/// The number of a data key: random, never zero, never used again.
public struct KeyID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number in the form of envelopes and of the ring.
  public let rawValue: UInt32

  /// Makes a key id from its number.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes a key id from the 8 hex digits of `description`; nil for any other text, and for zero.
  ///
  /// - Parameter description: The digits.
  public init?(_ description: String) {
    guard description.utf8.count == 8,
      description.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let number = UInt32(description, radix: 16), number != 0
    else { return nil }
    rawValue = number
  }

  /// The number as 8 hex digits.
  public var description: String {
    withUnsafeBytes(of: rawValue.bigEndian) { $0.hex }
  }

  /// A fresh id that is not in use.
  static func random(avoiding used: [KeyRecord]) throws(CryptoError) -> KeyID {
    while true {
      let bytes = try Randomness.bytes(4)
      let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if number != 0, !used.contains(where: { $0.id.rawValue == number }) {
        return KeyID(rawValue: number)
      }
    }
  }
}

/// The identity of a store: 16 random bytes.
public struct StoreID: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// Makes a store id from its 16 bytes; nil for any other number of bytes.
  ///
  /// - Parameter bytes: The bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A fresh store id.
  ///
  /// - Throws: `randomFailure`.
  package static func random() throws(CryptoError) -> StoreID {
    let bytes = try Randomness.bytes(16)
    return bytes.withUnsafeBytes {
      StoreID(
        high: $0.loadUnaligned(as: UInt64.self),
        low: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
    }
  }

  /// The 16 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
    return bytes
  }

  /// The bytes as 32 hex digits.
  public var description: String { bytes.hex }
}

/// The purpose of a data key.
public enum KeyPurpose: UInt8, Sendable, CaseIterable {
  /// Seals values.
  case field = 1
  /// Computes blind indexes.
  case index = 2
}

/// The state of a data key, which decides whether it seals and opens.
public enum KeyState: UInt8, Sendable, CaseIterable {
  /// Opens, but does not seal until every writer knows the key.
  case pending = 1
  /// Opens and seals. There is one primary field key a suite, and one primary index key in all.
  case primary = 2
  /// Opens, but does not seal.
  case enabled = 3
  /// Neither opens nor seals; its use throws `disabledKey`.
  case disabled = 4
  /// The key is gone; its id is kept so that it is never used again.
  case destroyed = 5
}
