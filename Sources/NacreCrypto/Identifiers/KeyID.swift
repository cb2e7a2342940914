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
}
