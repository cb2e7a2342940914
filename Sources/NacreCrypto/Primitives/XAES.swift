/// XAES-256-GCM (C2SP) in one step, for store keys and data keys, which are rarely sealed.
enum XAES {
  static let nonceByteCount = 24
  static let overheadByteCount = 24 + 16

  /// Seals under a fresh nonce: `nonce[24] ‖ ciphertext ‖ tag[16]`.
  static func seal(
    _ plaintext: SecretBytes,
    key: SecretBytes,
    aad: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let nonce = try Randomness.bytes(nonceByteCount)
    return try plaintext.withUnsafeBytes { (bytes) throws(CryptoError) in
      nonce + (try seal(bytes, key: key, nonce: nonce, aad: aad))
    }
  }

  /// Seals under a given nonce of 24 bytes: `ciphertext ‖ tag[16]`.
  static func seal(
    _ plaintext: UnsafeRawBufferPointer,
    key: SecretBytes,
    nonce: [UInt8],
    aad: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard nonce.count == nonceByteCount else {
      throw CryptoError(
        .badParameters,
        message: "a nonce must have 24 bytes, not \(nonce.count)"
      )
    }
    let schedule = try XAESKey(key)
    let gcm = try GCMSealing()
    var out = [UInt8](repeating: 0, count: plaintext.count + 16)
    try nonce.withUnsafeBufferPointer { (nonce) throws(CryptoError) in
      guard let start = UnsafeRawBufferPointer(nonce).baseAddress else { return }
      try schedule.rekey(gcm, prefix: start)
      try aad.withUnsafeBufferPointer { (aad) throws(CryptoError) in
        try out.withUnsafeMutableBufferPointer { (out) throws(CryptoError) in
          guard let target = UnsafeMutableRawBufferPointer(out).baseAddress else { return }
          try gcm.seal(plaintext, nonce: start + 12, aad: UnsafeRawBufferPointer(aad), into: target)
        }
      }
    }
    return out
  }

  /// Opens `nonce[24] ‖ ciphertext ‖ tag[16]`; nil if the tag is wrong.
  static func open(
    _ sealed: [UInt8],
    key: SecretBytes,
    aad: [UInt8]
  ) throws(CryptoError) -> SecretBytes? {
    guard sealed.count >= overheadByteCount else { return nil }
    let schedule = try XAESKey(key)
    let gcm = try GCMOpening()
    var isAuthentic = false
    let count = sealed.count - overheadByteCount
    let plaintext = try SecretBytes(count: count) {
      (out: UnsafeMutableRawBufferPointer) throws(CryptoError) in
      isAuthentic = try sealed.withUnsafeBufferPointer { (sealed) throws(CryptoError) in
        let sealed = UnsafeRawBufferPointer(sealed)
        guard let start = sealed.baseAddress, let target = out.baseAddress else { return false }
        try schedule.rekey(gcm, prefix: start)
        return try aad.withUnsafeBufferPointer { (aad) throws(CryptoError) in
          try gcm.open(
            UnsafeRawBufferPointer(rebasing: sealed[nonceByteCount...]),
            nonce: start + 12,
            aad: UnsafeRawBufferPointer(aad),
            into: target
          )
        }
      }
    }
    return isAuthentic ? plaintext : nil
  }
}
