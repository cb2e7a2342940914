/// The bytes before the ciphertext: `suite u8 ‖ keyID u32 ‖ nonce`.
///
/// Vectors/FORMAT.md describes the bytes.
package struct EnvelopeHeader: Sendable, Equatable {
  /// Every tag has 16 bytes, although libcrypto would accept shorter ones.
  package static let tagByteCount = 16

  /// The cipher suite.
  package let suite: Suite
  /// The data key.
  package let keyID: KeyID
  /// The number of bytes of the ciphertext, which is that of the payload.
  package let ciphertextByteCount: Int

  /// The position of the nonce.
  package var nonceRange: Range<Int> { 5..<5 + suite.nonceByteCount }

  /// Reads a header and checks the length; nothing is authenticated yet.
  ///
  /// Suites 3 to 31 are reserved for later versions. Printable text starts at 32, so a plaintext that was left in a
  /// sealed column throws `notAnEnvelope`.
  ///
  /// - Throws: `notAnEnvelope` or `unsupportedSuite`.
  @inline(__always)
  package static func parse(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) -> EnvelopeHeader {
    guard let start = bytes.baseAddress, bytes.count >= Suite.aes256GCM.overheadByteCount else {
      throw notAnEnvelope
    }
    guard let suite = Suite(rawValue: bytes[0]) else { throw unknownSuite(bytes[0]) }
    let keyID = KeyID(rawValue: start.bigEndian32(at: 1))
    let count = bytes.count - suite.overheadByteCount
    guard count >= 0, keyID.rawValue != 0 else { throw notAnEnvelope }
    return EnvelopeHeader(suite: suite, keyID: keyID, ciphertextByteCount: count)
  }

  private static func unknownSuite(_ number: UInt8) -> CryptoError {
    guard (3...31).contains(number) else { return notAnEnvelope }
    return CryptoError(
      .unsupportedSuite,
      message: "cipher suite \(number) is not known to this version"
    )
  }

  private static var notAnEnvelope: CryptoError {
    CryptoError(.notAnEnvelope, message: "the value is not a sealed value")
  }
}
