internal import COpenSSL

/// Encrypts the blocks of one temporary file in place: AES-256-XTS (IEEE 1619-2007).
///
/// The key is drawn for it alone and exists only in memory. XTS does not authenticate. Not thread-safe.
package final class XTSCipher {
  /// The size of a block.
  package let blockByteCount = 4_096

  private let encrypting: OpaquePointer
  private let decrypting: OpaquePointer

  /// Draws a key.
  ///
  /// - Throws: `randomFailure` or `internalFailure`.
  package convenience init() throws(CryptoError) {
    try self.init(key: try SecretBytes(random: 64))
  }

  /// Takes the key of the blocks and the key of the tweaks, 32 bytes each, which must differ.
  init(key: SecretBytes) throws(CryptoError) {
    guard key.count == 64 else {
      throw CryptoError(.malformedKey, message: "a key must have 64 bytes, not \(key.count)")
    }
    let cipher = try Libcrypto.xts()
    let first = try Libcrypto.cipherContext()
    do throws(CryptoError) {
      decrypting = try Libcrypto.cipherContext()
    } catch {
      EVP_CIPHER_CTX_free(first)
      throw error
    }
    encrypting = first
    let status = key.withUnsafeBytes { nacre_xts_start(encrypting, decrypting, cipher, $0.octets) }
    try Libcrypto.check(status, "preparing AES-256-XTS")
  }

  deinit {
    EVP_CIPHER_CTX_free(encrypting)
    EVP_CIPHER_CTX_free(decrypting)
  }

  /// Encrypts a block in place; its number, as a little-endian integer of 16 bytes, is the tweak.
  ///
  /// - Throws: `lengthTooLarge`, or `internalFailure` for fewer than 16 bytes.
  package func encrypt(
    _ block: UnsafeMutableRawBufferPointer,
    number: UInt64
  ) throws(CryptoError) {
    try Libcrypto.check(apply(nacre_xts_encrypt, encrypting, block, number), "encrypting a block")
  }

  /// Decrypts a block in place.
  ///
  /// - Throws: `lengthTooLarge`, or `internalFailure` for fewer than 16 bytes.
  package func decrypt(
    _ block: UnsafeMutableRawBufferPointer,
    number: UInt64
  ) throws(CryptoError) {
    try Libcrypto.check(apply(nacre_xts_decrypt, decrypting, block, number), "decrypting a block")
  }

  private typealias Step = (
    OpaquePointer?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, Int32
  ) -> Int32

  private func apply(
    _ step: Step,
    _ context: OpaquePointer,
    _ block: UnsafeMutableRawBufferPointer,
    _ number: UInt64
  ) throws(CryptoError) -> Int32 {
    guard let count = Int32(exactly: block.count) else { throw .tooLong(block.count) }
    var tweak = (number.littleEndian, UInt64(0))
    return withUnsafeBytes(of: &tweak) { step(context, $0.octets, block.octets, count) }
  }
}
