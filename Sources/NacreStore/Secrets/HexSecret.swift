import NacreCrypto

/// Decodes 64 hex digits into secret memory, without a copy in a string.
enum HexSecret {
  /// Decodes 64 hex digits.
  ///
  /// - Parameters:
  ///   - text: The digits, possibly with blanks and line ends around them.
  ///   - source: The name of the source for an error.
  /// - Returns: The secret.
  /// - Throws: `badSecret` for any other text.
  static func decode(_ text: UnsafeRawBufferPointer, source: String) throws -> SecretBytes {
    var digits = text[...]
    while let last = digits.last, isBlank(last) { digits = digits.dropLast() }
    while let first = digits.first, isBlank(first) { digits = digits.dropFirst() }
    guard digits.count == 64 else {
      throw NacreError(.badSecret, detail: "\(source) does not hold 64 hex digits")
    }
    return try withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { bytes in
      defer { SecureMemory.cleanse(bytes) }
      for index in 0..<32 {
        guard let high = nibble(digits[digits.startIndex + 2 * index]),
          let low = nibble(digits[digits.startIndex + 2 * index + 1])
        else { throw NacreError(.badSecret, detail: "\(source) does not hold 64 hex digits") }
        bytes[index] = high << 4 | low
      }
      return try SecretBytes(copying: UnsafeRawBufferPointer(bytes))
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
