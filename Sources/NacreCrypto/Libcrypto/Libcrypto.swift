internal import COpenSSL

/// The algorithms of libcrypto, each fetched once, and libcrypto's error queue.
enum Libcrypto {
  // The fetched objects are immutable, and libcrypto counts their references atomically.
  nonisolated(unsafe) private static let gcmCipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
  nonisolated(unsafe) private static let ecbCipher = EVP_CIPHER_fetch(nil, "AES-256-ECB", nil)
  nonisolated(unsafe) private static let xtsCipher = EVP_CIPHER_fetch(nil, "AES-256-XTS", nil)
  nonisolated(unsafe) private static let hmacMethod = EVP_MAC_fetch(nil, "HMAC", nil)

  /// AES-256-GCM.
  static func gcm() throws(CryptoError) -> OpaquePointer { try fetched(gcmCipher, "AES-256-GCM") }
  /// AES-256-ECB, for XAES subkeys only.
  static func ecb() throws(CryptoError) -> OpaquePointer { try fetched(ecbCipher, "AES-256-ECB") }
  /// AES-256-XTS, for temporary files only.
  static func xts() throws(CryptoError) -> OpaquePointer { try fetched(xtsCipher, "AES-256-XTS") }
  /// HMAC.
  static func hmac() throws(CryptoError) -> OpaquePointer { try fetched(hmacMethod, "HMAC") }

  /// A new cipher context.
  static func cipherContext() throws(CryptoError) -> OpaquePointer {
    try fetched(EVP_CIPHER_CTX_new(), "a cipher context")
  }

  /// Throws `internalFailure` with libcrypto's reason unless the status is 1.
  @inline(__always)
  static func check(_ status: Int32, _ operation: StaticString) throws(CryptoError) {
    if status != 1 { throw failure(operation) }
  }

  /// Makes `internalFailure` with the newest reason of libcrypto's queue, and empties the queue.
  static func failure(_ operation: StaticString) -> CryptoError {
    let packed = ERR_peek_last_error()
    ERR_clear_error()
    // ERR_GET_REASON is an inline function that Swift does not see in every release; the reason is the low 23 bits.
    let reason = UInt(packed) & 0x7F_FFFF
    return CryptoError(
      .internalFailure,
      message: "libcrypto failed at \(operation) (reason \(reason))",
      reason: reason
    )
  }

  private static func fetched(
    _ pointer: OpaquePointer?,
    _ name: StaticString
  ) throws(CryptoError) -> OpaquePointer {
    guard let pointer else { throw failure(name) }
    return pointer
  }
}
