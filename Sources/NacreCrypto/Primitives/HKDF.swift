/// HKDF with SHA-256 (RFC 5869), built on HMAC.
///
/// libcrypto's own HKDF accepts at most 1 or 2 KiB of `info`, which three long names could exceed.
enum HKDF {
  /// Extracts and expands.
  static func derive(
    _ key: SecretBytes,
    salt: [UInt8],
    info: [UInt8],
    count: Int = 32
  ) throws(CryptoError) -> SecretBytes {
    try expand(try extract(key, salt: salt), info: info, count: count)
  }

  /// The pseudorandom key, 32 bytes (RFC 5869 section 2.2).
  static func extract(_ key: SecretBytes, salt: [UInt8]) throws(CryptoError) -> SecretBytes {
    let saltKey = try salt.withUnsafeBufferPointer { (salt) throws(CryptoError) in
      try SecretBytes(copying: UnsafeRawBufferPointer(salt))
    }
    let hmac = try HMAC(key: saltKey)
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    return try SecretBytes(count: HMAC.byteCount) {
      (out: UnsafeMutableRawBufferPointer) throws(CryptoError) in
      guard let target = out.baseAddress else { return }
      try key.withUnsafeBytes { (key) throws(CryptoError) in
        try hmac.authenticate(key, empty, into: target)
      }
    }
  }

  /// `count` bytes, at most 255 × 32 (RFC 5869 section 2.3).
  static func expand(
    _ key: SecretBytes,
    info: [UInt8],
    count: Int = 32
  ) throws(CryptoError) -> SecretBytes {
    guard (0...255 * HMAC.byteCount).contains(count) else { throw .tooLong(count) }
    let hmac = try HMAC(key: key)
    let block = ScratchBuffer()
    let previous = try block.reserve(HMAC.byteCount)
    // This also keeps the buffer alive while `previous` is in use.
    defer { block.cleanse() }
    return try SecretBytes(count: count) {
      (out: UnsafeMutableRawBufferPointer) throws(CryptoError) in
      var done = 0
      var number: UInt8 = 1
      while done < count, let target = previous.baseAddress {
        let tail = info + [number]
        let first = UnsafeRawBufferPointer(start: target, count: done == 0 ? 0 : HMAC.byteCount)
        try tail.withUnsafeBufferPointer { (tail) throws(CryptoError) in
          try hmac.authenticate(first, UnsafeRawBufferPointer(tail), into: target)
        }
        let taken = min(HMAC.byteCount, count - done)
        UnsafeMutableRawBufferPointer(rebasing: out[done..<done + taken])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: previous[0..<taken]))
        done += taken
        number &+= 1
      }
    }
  }
}
