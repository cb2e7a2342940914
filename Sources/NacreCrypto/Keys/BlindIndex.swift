/// Computes the blind index of one searchable property.
///
/// Not thread-safe: one per session.
///
/// The first `bits` bits of HMAC-SHA-256(K, type u8 ‖ normalised value), where
/// K = HKDF-SHA-256(index key, salt storeID, "nacre/index/1" ‖ LP(entity) ‖ LP(property) ‖
/// LP(normaliser)). A short index collides on purpose; a lookup opens the candidates and compares.
package final class BlindIndex {
  /// The default width.
  package static let defaultBits = 16
  /// The width where the property is unique.
  package static let uniqueBits = 128

  /// How a value is made comparable before it is hashed.
  package enum Normaliser: String, Sendable {
    /// Not at all: only the very same value matches.
    case exact
  }

  /// The index key.
  package let keyID: KeyID
  /// The number of bits.
  package let bits: Int
  /// The number of bytes that a token takes; unused bits of the last one are zero.
  package var byteCount: Int { (bits + 7) / 8 }

  private let hmac: HMAC

  /// Prepares a property's index.
  ///
  /// - Parameters:
  ///   - key: a key whose purpose is index.
  ///   - context: the property.
  ///   - normaliser: how values are made comparable.
  ///   - bits: 1 to 256.
  /// - Throws: `badParameters` or `lengthTooLarge`.
  package init(
    key: DataKey,
    context: FieldContext,
    normaliser: Normaliser = .exact,
    bits: Int = BlindIndex.defaultBits
  ) throws(CryptoError) {
    guard key.purpose == .index, (1...256).contains(bits) else {
      throw CryptoError(
        .badParameters,
        keyID: key.id,
        message: "a blind index takes an index key and 1 to 256 bits"
      )
    }
    keyID = key.id
    self.bits = bits
    var info = Array("nacre/index/1".utf8)
    try info.append(lengthPrefixed: context.entity)
    try info.append(lengthPrefixed: context.property)
    try info.append(lengthPrefixed: normaliser.rawValue)
    hmac = try HMAC(key: try HKDF.derive(key.secret, salt: key.storeID.bytes, info: info))
  }

  /// The token of a payload without padding.
  ///
  /// - Parameters:
  ///   - type: the value's type.
  ///   - value: its bytes, as a payload has them.
  /// - Returns: `byteCount` bytes.
  /// - Throws: `internalFailure`.
  package func token(
    _ type: PayloadType,
    _ value: UnsafeRawBufferPointer
  ) throws(CryptoError) -> [UInt8] {
    var mac = [UInt8](repeating: 0, count: HMAC.byteCount)
    var tag = type.rawValue
    try mac.withUnsafeMutableBufferPointer { (mac) throws(CryptoError) in
      guard let target = UnsafeMutableRawBufferPointer(mac).baseAddress else { return }
      try withUnsafeBytes(of: &tag) { (tag) throws(CryptoError) in
        try hmac.authenticate(tag, value, into: target)
      }
    }
    mac.removeSubrange(byteCount...)
    let unused = byteCount * 8 - bits
    mac[byteCount - 1] &= 0xFF << UInt8(unused)
    return mac
  }
}
