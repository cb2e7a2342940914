internal import COpenSSL

/// An AES-256-GCM context that keeps its key and seals under a new nonce with one C call.
///
/// NIST SP 800-38D, with 12-byte nonces and 16-byte tags only. Not thread-safe.
final class GCMSealing {
  let context: OpaquePointer

  init() throws(CryptoError) {
    context = try Libcrypto.cipherContext()
    try Libcrypto.check(
      nacre_gcm_start_sealing(context, try Libcrypto.gcm()),
      "preparing AES-256-GCM"
    )
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  /// Takes a key of 32 bytes.
  func setKey(_ key: SecretBytes) throws(CryptoError) {
    guard key.count == 32 else { throw .malformed(key) }
    let status = key.withUnsafeBytes { nacre_gcm_set_seal_key(context, $0.octets) }
    try Libcrypto.check(status, "setting a key")
  }

  /// Seals; `out` must hold `payload.count` bytes of ciphertext and 16 of tag.
  @inline(__always)
  func seal(
    _ payload: UnsafeRawBufferPointer,
    nonce: UnsafeRawPointer,
    aad: UnsafeRawBufferPointer,
    into out: UnsafeMutableRawPointer
  ) throws(CryptoError) {
    try Self.seal(payload, by: context, nonce: nonce, aad: aad, into: out)
  }

  /// Seals by the context of an object that the caller holds.
  @inline(__always)
  static func seal(
    _ payload: UnsafeRawBufferPointer,
    by context: OpaquePointer,
    nonce: UnsafeRawPointer,
    aad: UnsafeRawBufferPointer,
    into out: UnsafeMutableRawPointer
  ) throws(CryptoError) {
    guard let count = Int32(exactly: payload.count), let aadCount = Int32(exactly: aad.count)
    else { throw .tooLong(payload.count) }
    let status = nacre_gcm_seal(
      context,
      nonce.octets,
      aad.octets,
      aadCount,
      payload.octets,
      count,
      out.octets
    )
    try Libcrypto.check(status, "sealing")
  }
}

/// An AES-256-GCM context that keeps its key and opens under a new nonce with one C call.
///
/// NIST SP 800-38D, with 12-byte nonces and 16-byte tags only. Not thread-safe.
final class GCMOpening {
  let context: OpaquePointer

  init() throws(CryptoError) {
    context = try Libcrypto.cipherContext()
    try Libcrypto.check(
      nacre_gcm_start_opening(context, try Libcrypto.gcm()),
      "preparing AES-256-GCM"
    )
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  /// Takes a key of 32 bytes.
  func setKey(_ key: SecretBytes) throws(CryptoError) {
    guard key.count == 32 else { throw .malformed(key) }
    let status = key.withUnsafeBytes { nacre_gcm_set_open_key(context, $0.octets) }
    try Libcrypto.check(status, "setting a key")
  }

  /// Opens ciphertext and 16 bytes of tag; `out` must hold 16 bytes less and is all zero unless the call succeeds.
  ///
  /// - Returns: Whether the tag is right.
  @inline(__always)
  func open(
    _ sealed: UnsafeRawBufferPointer,
    nonce: UnsafeRawPointer,
    aad: UnsafeRawBufferPointer,
    into out: UnsafeMutableRawPointer
  ) throws(CryptoError) -> Bool {
    try Self.open(sealed, by: context, nonce: nonce, aad: aad, into: out)
  }

  /// Opens by the context of an object that the caller holds.
  @inline(__always)
  static func open(
    _ sealed: UnsafeRawBufferPointer,
    by context: OpaquePointer,
    nonce: UnsafeRawPointer,
    aad: UnsafeRawBufferPointer,
    into out: UnsafeMutableRawPointer
  ) throws(CryptoError) -> Bool {
    guard sealed.count >= 16 else { return false }
    guard let count = Int32(exactly: sealed.count - 16), let aadCount = Int32(exactly: aad.count)
    else { throw .tooLong(sealed.count) }
    let status = nacre_gcm_open(
      context,
      nonce.octets,
      aad.octets,
      aadCount,
      sealed.octets,
      count,
      out.octets
    )
    if status == 0 { throw Libcrypto.failure("opening") }
    return status == 1
  }
}

/// The key of XAES-256-GCM (C2SP, c2sp.org/XAES-256-GCM), ready to derive subkeys.
///
/// Not thread-safe.
final class XAESKey {
  private let ecb: OpaquePointer
  private let k1: SecretBytes

  /// Prepares a key of 32 bytes.
  init(_ key: SecretBytes) throws(CryptoError) {
    guard key.count == 32 else { throw .malformed(key) }
    let context = try Libcrypto.cipherContext()
    let cipher: OpaquePointer
    do {
      cipher = try Libcrypto.ecb()
      k1 = try SecretBytes(count: 16) { (k1: UnsafeMutableRawBufferPointer) throws(CryptoError) in
        let status = key.withUnsafeBytes {
          nacre_xaes_start(context, cipher, $0.octets, k1.octets)
        }
        try Libcrypto.check(status, "preparing an XAES key")
      }
    } catch {
      EVP_CIPHER_CTX_free(context)
      throw error
    }
    ecb = context
  }

  deinit { EVP_CIPHER_CTX_free(ecb) }

  /// The subkey for the first 12 bytes of a nonce, which tests compare with the published intermediates.
  func subkey(for prefix: UnsafeRawPointer) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: 32) { (out: UnsafeMutableRawBufferPointer) throws(CryptoError) in
      let status = k1.withUnsafeBytes {
        nacre_xaes_subkey(ecb, $0.octets, prefix.octets, out.octets)
      }
      try Libcrypto.check(status, "deriving a subkey")
    }
  }

  /// K1 itself, for the same tests.
  var cmacSubkey: SecretBytes { k1 }

  /// Puts the subkey for a nonce's first 12 bytes into a sealing context.
  func rekey(_ gcm: GCMSealing, prefix: UnsafeRawPointer) throws(CryptoError) {
    let status = k1.withUnsafeBytes {
      nacre_xaes_rekey_sealing(ecb, $0.octets, prefix.octets, gcm.context)
    }
    try Libcrypto.check(status, "deriving a subkey")
  }

  /// Puts the subkey for a nonce's first 12 bytes into an opening context.
  func rekey(_ gcm: GCMOpening, prefix: UnsafeRawPointer) throws(CryptoError) {
    let status = k1.withUnsafeBytes {
      nacre_xaes_rekey_opening(ecb, $0.octets, prefix.octets, gcm.context)
    }
    try Libcrypto.check(status, "deriving a subkey")
  }
}

extension CryptoError {
  /// `malformedKey` for a key of any length but 32 bytes.
  static func malformed(_ key: SecretBytes) -> CryptoError {
    CryptoError(.malformedKey, message: "a key must have 32 bytes, not \(key.count)")
  }
}
