/// Computes the blind index of one searchable property.
///
/// Not thread-safe; use one per session.
///
/// The index is the first `bits` bits of HMAC-SHA-256(K, type u8 ‖ normalized value), where K = HKDF-SHA-256(index key,
/// salt storeID, "nacre/index/1" ‖ LP(entity) ‖ LP(property) ‖ LP(normalizer)). A short index collides on purpose; a
/// lookup opens the candidates and compares them.
package final class BlindIndex {
  /// The default width.
  package static let defaultBits = 16
  /// The width for a unique property.
  package static let uniqueBits = 128

  /// The index key.
  package let keyID: KeyID
  /// How a text is normalized before it is hashed.
  package let normalizer: Normalizer
  /// The number of bits.
  package let bits: Int
  /// The number of bytes of a token; unused bits of the last byte are zero.
  package var byteCount: Int { (bits + 7) / 8 }

  private let hmac: HMAC

  /// Prepares a property's index.
  ///
  /// - Parameters:
  ///   - key: A key whose purpose is index.
  ///   - context: The property.
  ///   - normalizer: How texts are normalized.
  ///   - bits: The width, 1 to 256.
  /// - Throws: `badParameters` or `lengthTooLarge`.
  package init(
    key: DataKey,
    context: FieldContext,
    normalizer: Normalizer = .exact,
    bits: Int = BlindIndex.defaultBits
  ) throws(CryptoError) {
    guard key.purpose == .index, (1...256).contains(bits) else {
      throw CryptoError(
        .badParameters,
        keyID: key.id,
        message: "a blind index needs an index key and 1 to 256 bits"
      )
    }
    keyID = key.id
    self.normalizer = normalizer
    self.bits = bits
    var info = Array("nacre/index/1".utf8)
    try info.append(lengthPrefixed: context.entity)
    try info.append(lengthPrefixed: context.property)
    try info.append(lengthPrefixed: normalizer.rawValue)
    hmac = try HMAC(key: try HKDF.derive(key.secret, salt: key.storeID.bytes, info: info))
  }

  /// The indexes of a property under each key of a ring that may have made a token, the primary key first.
  ///
  /// - Throws: `badParameters` or `lengthTooLarge`.
  package static func all(
    _ ring: KeyRing,
    context: FieldContext,
    normalizer: Normalizer,
    bits: Int
  ) throws(CryptoError) -> [BlindIndex] {
    var indexes: [BlindIndex] = []
    for key in ring.openingKeys(.index) {
      indexes.append(
        try BlindIndex(key: key, context: context, normalizer: normalizer, bits: bits)
      )
    }
    return indexes
  }

  /// The token of a value; a text is normalized first.
  ///
  /// If the property hides its nils, a nil has the token of `.null` and no bytes; otherwise a nil has no token.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - value: The value's bytes, as in a payload without padding.
  /// - Returns: `byteCount` bytes.
  /// - Throws: `internalFailure`.
  package func token(
    _ type: PayloadType,
    _ value: UnsafeRawBufferPointer
  ) throws(CryptoError) -> [UInt8] {
    if type != .text || normalizer.leaves(value) { return try hash(type, value) }
    var normalized = normalizer.normalized(value)
    defer { normalized.cleanse() }
    return try normalized.withUnsafeBufferPointer { (normalized) throws(CryptoError) in
      try hash(type, UnsafeRawBufferPointer(normalized))
    }
  }

  private func hash(
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
