/// Seals pages under the primary file key, and opens those of every file key whose state allows it.
///
/// Not thread-safe; use one per open file. `nonce[0..<12]`, and with it the subkey, serves for one lock and at most 2^16
/// seals; `nonce[12..<24]` is fresh for each seal. Any reader of XAES-256-GCM can open the result.
package final class PageCipher {
  /// How many bytes at the end of a page the seal takes: the checksum's, tag, nonce, key id and zeros.
  package static let trailerByteCount = 64
  /// The size of a mark: tag, nonce and key id.
  package static let markByteCount = 16 + 24 + 4
  /// The maximum number of seals under one nonce prefix.
  package static let prefixLimit = 1 << 16

  // Unchecked, because the one thread that has the cipher looks these up at every page.

  /// The keys in use.
  @exclusivity(unchecked) package private(set) var keys: FileKeys

  private let pool = RandomPool()
  private let fork = ForkGeneration.shared
  private let aad: PageAssociatedData
  private let cache = SubkeyCache()
  private let prefix = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 4)
  /// How often `fork` had been called when the prefix was drawn.
  @exclusivity(unchecked) private var generation: UInt64
  /// How many seals the prefix can still serve.
  @exclusivity(unchecked) private var left = 0
  @exclusivity(unchecked) private var sealing: (schedule: XAESKey, gcm: GCMSealing)?
  /// How many bytes of a page are sealed; its trailer follows them.
  private let bodyByteCount: Int

  /// The key that a page names at its end.
  ///
  /// - Parameter trailer: The page's last 64 bytes.
  /// - Returns: The key's id; nil if no page that was sealed ends like that.
  package static func keyID(inTrailer trailer: [UInt8]) -> KeyID? {
    guard trailer.count == trailerByteCount, trailer[52...].allSatisfy({ $0 == 0 }) else {
      return nil
    }
    let id = trailer[48..<52].reduce(0) { $0 << 8 | UInt32($1) }
    return id == 0 ? nil : KeyID(rawValue: id)
  }

  /// Makes a cipher for one open file.
  package init(keys: FileKeys) {
    self.keys = keys
    aad = PageAssociatedData(keys.storeID)
    generation = fork.value
    bodyByteCount = keys.pageByteCount - PageCipher.trailerByteCount
  }

  deinit { prefix.deallocate() }

  /// Switches to other keys of the same file; a key that was disabled meanwhile no longer opens.
  ///
  /// - Throws: `badParameters` for the keys of another file.
  package func adopt(_ keys: FileKeys) throws(CryptoError) {
    if keys === self.keys { return }
    guard keys.storeID == self.keys.storeID, keys.pageByteCount == self.keys.pageByteCount else {
      throw CryptoError(.badParameters, message: "the keys belong to another file")
    }
    self.keys = keys
    cache.removeAll()
    sealing = nil
    left = 0
  }

  /// Ends the use of the nonce prefix; the next seal draws a new one.
  package func beginLock() { left = 0 }
}

// MARK: - Sealing

extension PageCipher {
  /// Seals a page.
  ///
  /// - Parameters:
  ///   - page: The whole page; its last 64 bytes are not read.
  ///   - number: The page's number, from 1.
  ///   - place: Where the page will lie.
  ///   - checksum: Eight bytes that are sealed with it, as a big-endian number.
  ///   - sealed: Receives as many bytes as the page has; may be the same memory as `page`.
  /// - Throws: `badParameters` for buffers of another size, `randomFailure` or `internalFailure`.
  package func seal(
    _ page: UnsafeRawBufferPointer,
    number: UInt32,
    at place: SealedPlace,
    checksum: UInt64,
    into sealed: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) {
    let (page, out) = try pages(page, sealed)
    let gcm = try prepareSealing()
    let trailer = out + bodyByteCount
    let id = keys.primaryID.rawValue
    var more = checksum.bigEndian
    aad.set(keyID: id, page: number, place)
    // The nonce is written only after the page is read, because both can be the same memory.
    var nonce: (UInt64, UInt32) = (0, 0)
    try drawNonce(into: &nonce)
    try withUnsafeBytes(of: &more) { (more) throws(CryptoError) in
      try withUnsafeBytes(of: &nonce) { (nonce) throws(CryptoError) in
        guard let more = more.baseAddress, let nonce = nonce.baseAddress else { return }
        try gcm.sealPage(
          page,
          count: Int32(truncatingIfNeeded: bodyByteCount),
          more: more,
          nonce: nonce,
          aad: aad.bytes,
          into: out
        )
        write(nonce, id, to: trailer + 8 + 16)
      }
    }
    (trailer + 52).initializeMemory(as: UInt8.self, repeating: 0, count: 12)
  }

  /// Authenticates the header of a log or journal.
  ///
  /// - Parameters:
  ///   - header: Which header it is.
  ///   - bytes: All that the mark covers.
  /// - Returns: `tag[16] ‖ nonce[24] ‖ keyID`.
  /// - Throws: `randomFailure` or `internalFailure`.
  package func mark(_ header: MarkedHeader, _ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    let gcm = try prepareSealing()
    let id = keys.primaryID.rawValue
    let aad = associatedData(header, id, bytes)
    var nonce: (UInt64, UInt32) = (0, 0)
    try drawNonce(into: &nonce)
    var mark = [UInt8](repeating: 0, count: PageCipher.markByteCount)
    try mark.withUnsafeMutableBufferPointer { (mark) throws(CryptoError) in
      try aad.withUnsafeBufferPointer { (aad) throws(CryptoError) in
        try withUnsafeBytes(of: &nonce) { (nonce) throws(CryptoError) in
          guard let out = UnsafeMutableRawBufferPointer(mark).baseAddress,
            let nonce = nonce.baseAddress
          else { return }
          let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
          try gcm.seal(nothing, nonce: nonce, aad: UnsafeRawBufferPointer(aad), into: out)
          write(nonce, id, to: out + 16)
        }
      }
    }
    return mark
  }

  /// The context that seals, under a prefix that may serve once more.
  @inline(__always)
  private func prepareSealing() throws(CryptoError) -> GCMSealing {
    if left > 0, generation == fork.value, let sealing { return sealing.gcm }
    return try renewPrefix()
  }

  @inline(never)
  private func renewPrefix() throws(CryptoError) -> GCMSealing {
    // No prefix serves until the draw has succeeded.
    left = 0
    let ready: (schedule: XAESKey, gcm: GCMSealing)
    if let sealing {
      ready = sealing
    } else {
      ready = (try XAESKey(keys.primary.secret), try GCMSealing())
      sealing = ready
    }
    generation = fork.value
    try Randomness.fillFromSystem(prefix)
    guard let start = UnsafeRawBufferPointer(prefix).baseAddress else { return ready.gcm }
    try ready.schedule.rekey(ready.gcm, prefix: start)
    left = PageCipher.prefixLimit
    return ready.gcm
  }

  /// Draws the second half of a nonce, and counts the seal; a failed seal counts too.
  @inline(__always)
  private func drawNonce(into nonce: inout (UInt64, UInt32)) throws(CryptoError) {
    left -= 1
    try withUnsafeMutableBytes(of: &nonce) { (nonce) throws(CryptoError) in
      guard let start = nonce.baseAddress else { return }
      try pool.write12(to: start)
    }
  }

  /// Writes the whole nonce and the key's id.
  @inline(__always)
  private func write(_ nonce: UnsafeRawPointer, _ id: UInt32, to target: UnsafeMutableRawPointer) {
    if let prefix = prefix.baseAddress { target.copyMemory(from: prefix, byteCount: 12) }
    (target + 12).copyMemory(from: nonce, byteCount: 12)
    target.store(bigEndian: id, at: 24)
  }
}

// MARK: - Opening

extension PageCipher {
  /// Opens a sealed page.
  ///
  /// - Parameters:
  ///   - sealed: The page as it lies in the file.
  ///   - number: The number under which it was sealed.
  ///   - place: Where it lies.
  ///   - page: Receives as many bytes, of which the last 64 are zero; all are zero unless the page opens. It may be the
  ///     same memory as `sealed`.
  /// - Returns: The eight bytes that were sealed with the page, as a big-endian number.
  /// - Throws: `authenticationFailed`, `unknownKey`, `disabledKey`, `destroyedKey`; `badParameters` for buffers of
  ///   another size; `internalFailure`.
  package func open(
    _ sealed: UnsafeRawBufferPointer,
    number: UInt32,
    at place: SealedPlace,
    into page: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) -> UInt64 {
    do throws(CryptoError) {
      let (sealed, target) = try pages(sealed, page)
      let trailer = sealed + bodyByteCount
      let id = trailer.bigEndian32(at: 48)
      guard id != 0, trailer.hasZeros12(at: 52) else { throw .notAuthenticPage(number, id) }
      let gcm = try cache.context(id, prefix: trailer + 24, of: keys)
      aad.set(keyID: id, page: number, place)
      var more: UInt64 = 0
      let isAuthentic = try withUnsafeMutableBytes(of: &more) { (more) throws(CryptoError) in
        guard let more = more.baseAddress else { return false }
        return try GCMOpening.openPage(
          sealed,
          by: gcm,
          count: Int32(truncatingIfNeeded: bodyByteCount),
          nonce: trailer + 36,
          aad: aad.bytes,
          into: target,
          more: more
        )
      }
      guard isAuthentic else { throw .notAuthenticPage(number, id) }
      (target + bodyByteCount).initializeMemory(
        as: UInt8.self,
        repeating: 0,
        count: PageCipher.trailerByteCount
      )
      return UInt64(bigEndian: more)
    } catch {
      SecureMemory.cleanse(page)
      throw error
    }
  }

  /// Whether a sealed page names the primary key; whether it opens is another question.
  package func isUnderPrimary(_ sealed: UnsafeRawBufferPointer) -> Bool {
    guard sealed.count == keys.pageByteCount, let start = sealed.baseAddress else { return false }
    return start.bigEndian32(at: bodyByteCount + 48) == keys.primaryID.rawValue
  }

  /// Checks the mark of a header.
  ///
  /// - Parameters:
  ///   - header: Which header it is.
  ///   - bytes: All that the mark covers.
  ///   - mark: What `mark` returned.
  /// - Throws: The same errors as for a page.
  package func check(
    _ header: MarkedHeader,
    _ bytes: [UInt8],
    mark: [UInt8]
  ) throws(CryptoError) {
    let isAuthentic = try mark.withUnsafeBufferPointer { (mark) throws(CryptoError) in
      guard let start = UnsafeRawBufferPointer(mark).baseAddress,
        mark.count == PageCipher.markByteCount
      else { return false }
      let id = start.bigEndian32(at: 40)
      guard id != 0 else { return false }
      let gcm = try cache.context(id, prefix: start + 16, of: keys)
      let aad = associatedData(header, id, bytes)
      return try aad.withUnsafeBufferPointer { (aad) throws(CryptoError) in
        var nothing: UInt8 = 0
        return try GCMOpening.open(
          UnsafeRawBufferPointer(start: start, count: 16),
          by: gcm,
          nonce: start + 28,
          aad: UnsafeRawBufferPointer(aad),
          into: &nothing
        )
      }
    }
    guard isAuthentic else {
      throw CryptoError(
        .authenticationFailed,
        message: "the header of the \(header) was altered, or belongs to another store"
      )
    }
  }

  func associatedData(_ header: MarkedHeader, _ id: UInt32, _ bytes: [UInt8]) -> [UInt8] {
    var aad = Array(header.label.utf8) + keys.storeID.bytes
    aad.append(bigEndian: id)
    aad.append(Suite.xaes256GCM.rawValue)
    return aad + bytes
  }

  /// The addresses of two buffers of a page's size.
  @inline(__always)
  private func pages(
    _ source: UnsafeRawBufferPointer,
    _ target: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) -> (UnsafeRawPointer, UnsafeMutableRawPointer) {
    guard source.count == keys.pageByteCount, target.count == keys.pageByteCount,
      let source = source.baseAddress, let target = target.baseAddress
    else {
      throw CryptoError(
        .badParameters,
        message: "a page has \(keys.pageByteCount) bytes, not \(source.count) or \(target.count)"
      )
    }
    return (source, target)
  }
}

extension UnsafeRawPointer {
  /// Whether the 12 bytes at an offset are zero.
  @inline(__always)
  fileprivate func hasZeros12(at offset: Int) -> Bool {
    bigEndian64(at: offset) == 0 && bigEndian32(at: offset + 8) == 0
  }
}

extension CryptoError {
  fileprivate static func notAuthenticPage(_ number: UInt32, _ id: UInt32) -> CryptoError {
    CryptoError(
      .authenticationFailed,
      keyID: id == 0 ? nil : KeyID(rawValue: id),
      message: "page \(number) was altered, or belongs to another place or store"
    )
  }
}
