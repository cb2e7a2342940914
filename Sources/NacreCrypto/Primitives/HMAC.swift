internal import COpenSSL

/// HMAC-SHA-256 (RFC 2104) under a kept key.
///
/// Not thread-safe.
final class HMAC {
  static let byteCount = 32

  private let context: OpaquePointer

  /// Keys the context; the key may have any length.
  init(key: SecretBytes) throws(CryptoError) {
    guard let context = EVP_MAC_CTX_new(try Libcrypto.hmac()) else {
      throw Libcrypto.failure("a MAC context")
    }
    self.context = context
    let status = key.withUnsafeBytes { nacre_hmac_start(context, $0.octets, $0.count) }
    try Libcrypto.check(status, "keying HMAC")
  }

  deinit { EVP_MAC_CTX_free(context) }

  /// Writes the MAC of a message in two parts; `mac` must hold 32 bytes.
  func authenticate(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer,
    into mac: UnsafeMutableRawPointer
  ) throws(CryptoError) {
    let status = nacre_hmac_once(
      context,
      first.octets,
      first.count,
      second.octets,
      second.count,
      mac.octets
    )
    try Libcrypto.check(status, "computing HMAC")
  }

  /// The MAC of a message as an array.
  func authenticate(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    var mac = [UInt8](repeating: 0, count: HMAC.byteCount)
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    try message.withUnsafeBufferPointer { (message) throws(CryptoError) in
      try mac.withUnsafeMutableBufferPointer { (mac) throws(CryptoError) in
        guard let target = UnsafeMutableRawBufferPointer(mac).baseAddress else { return }
        try authenticate(UnsafeRawBufferPointer(message), empty, into: target)
      }
    }
    return mac
  }
}

/// SHA-256 (FIPS 180-4) in one step.
package enum SHA256 {
  /// The digest of a message, 32 bytes.
  package static func digest(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let status = message.withUnsafeBytes { message in
      digest.withUnsafeMutableBytes {
        EVP_Digest(message.baseAddress, message.count, $0.octets, nil, EVP_sha256(), nil)
      }
    }
    try Libcrypto.check(status, "SHA-256")
    return digest
  }
}
