internal import COpenSSL

/// libcrypto's two random generators, and the system's.
enum Randomness {
  /// Fills from the public generator, which serves nonces, salts and identifiers.
  static func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard let base = buffer.baseAddress, buffer.count > 0 else { return }
    _ = SecureMemory.isStarted
    let status = RAND_bytes_ex(nil, base.assumingMemoryBound(to: UInt8.self), buffer.count, 0)
    guard status == 1 else { throw failure }
  }

  /// Fills from the private generator, which serves keys.
  static func fillPrivate(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard let base = buffer.baseAddress, buffer.count > 0 else { return }
    _ = SecureMemory.isStarted
    let status = RAND_priv_bytes_ex(nil, base.assumingMemoryBound(to: UInt8.self), buffer.count, 0)
    guard status == 1 else { throw failure }
  }

  /// Public random bytes as an array.
  static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    _ = SecureMemory.isStarted
    var bytes = [UInt8](repeating: 0, count: count)
    let status = bytes.withUnsafeMutableBufferPointer {
      RAND_bytes_ex(nil, $0.baseAddress, $0.count, 0)
    }
    guard status == 1 else { throw failure }
    return bytes
  }

  /// Fills at most 256 bytes from the system's generator, for nonces that no copy of this process may draw again.
  static func fillFromSystem(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard let target = buffer.octets, buffer.count > 0 else { return }
    guard nacre_system_random(target, buffer.count) == 1 else {
      throw CryptoError(.randomFailure, message: "the system's random number generator failed")
    }
  }

  private static var failure: CryptoError {
    let packed = ERR_peek_last_error()
    ERR_clear_error()
    return CryptoError(
      .randomFailure,
      message: "the random number generator failed",
      reason: UInt(packed) & 0x7F_FFFF
    )
  }
}
