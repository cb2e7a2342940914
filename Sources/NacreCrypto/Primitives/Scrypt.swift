internal import COpenSSL

/// scrypt (RFC 7914).
enum Scrypt {
  /// Derives `count` bytes from a passphrase.
  ///
  /// - Throws: `internalFailure` if libcrypto refuses the parameters or memory is exhausted.
  static func derive(
    _ passphrase: SecretBytes,
    salt: [UInt8],
    n: UInt64,
    r: UInt64,
    p: UInt64,
    count: Int = 32
  ) throws(CryptoError) -> SecretBytes {
    // libcrypto's default limit is 32 MiB, and N = 2^17 with r = 8 takes 128 MiB.
    let limit = 128 * r * (n + p + 2) + (1 << 20)
    return try SecretBytes(count: count) {
      (out: UnsafeMutableRawBufferPointer) throws(CryptoError) in
      let status = passphrase.withUnsafeBytes { passphrase in
        salt.withUnsafeBytes { salt in
          EVP_PBE_scrypt(
            passphrase.baseAddress?.assumingMemoryBound(to: CChar.self),
            passphrase.count,
            salt.octets,
            salt.count,
            n,
            r,
            p,
            limit,
            out.octets,
            out.count
          )
        }
      }
      try Libcrypto.check(status, "scrypt")
    }
  }
}
