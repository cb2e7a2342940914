internal import COpenSSL

extension GCMSealing {
  /// Seals the first `count` bytes of a page and eight more; `out` must hold 24 bytes more than `count`.
  ///
  /// - Parameters:
  ///   - page: The page; `out` may be the same memory.
  ///   - count: A multiple of 16.
  ///   - more: The eight bytes.
  ///   - nonce: 12 bytes.
  ///   - aad: The associated data.
  ///   - out: Receives the ciphertext and the tag.
  /// - Throws: `internalFailure`.
  @inline(__always)
  func sealPage(
    _ page: UnsafeRawPointer,
    count: Int32,
    more: UnsafeRawPointer,
    nonce: UnsafeRawPointer,
    aad: UnsafeRawBufferPointer,
    into out: UnsafeMutableRawPointer
  ) throws(CryptoError) {
    let status = nacre_page_seal(
      context,
      nonce.octets,
      aad.octets,
      Int32(truncatingIfNeeded: aad.count),
      page.octets,
      count,
      more.octets,
      out.octets
    )
    try Libcrypto.check(status, "sealing a page")
  }
}

extension GCMOpening {
  /// Opens what `GCMSealing.sealPage` sealed, by the context of an object that the caller holds.
  ///
  /// Unless the tag is right, `page` and `more` hold bytes that nobody authenticated: the caller overwrites them.
  ///
  /// - Parameters:
  ///   - sealed: The ciphertext and the tag.
  ///   - context: The context.
  ///   - count: How many bytes of the page were sealed.
  ///   - nonce: 12 bytes.
  ///   - aad: The associated data.
  ///   - page: Receives the page; may be the same memory as `sealed`.
  ///   - more: Receives the eight bytes.
  /// - Returns: Whether the tag is right.
  /// - Throws: `internalFailure`.
  @inline(__always)
  static func openPage(
    _ sealed: UnsafeRawPointer,
    by context: OpaquePointer,
    count: Int32,
    nonce: UnsafeRawPointer,
    aad: UnsafeRawBufferPointer,
    into page: UnsafeMutableRawPointer,
    more: UnsafeMutableRawPointer
  ) throws(CryptoError) -> Bool {
    let status = nacre_page_open(
      context,
      nonce.octets,
      aad.octets,
      Int32(truncatingIfNeeded: aad.count),
      sealed.octets,
      count,
      page.octets,
      more.octets
    )
    if status == 0 { throw Libcrypto.failure("opening a page") }
    return status == 1
  }
}
