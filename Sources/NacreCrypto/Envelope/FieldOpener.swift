/// Opens values that were sealed under any key of a ring whose state allows opening.
///
/// Not thread-safe; use one per session. A small cache of (keyID, nonce prefix) → context saves the subkey schedule,
/// because all values of one write transaction share a prefix.
package final class FieldOpener {
  /// The number of cached contexts; a power of two.
  private static let slotCount = 16

  /// The ring whose keys open the values.
  package private(set) var ring: KeyRing

  private struct Tag: Equatable {
    /// keyID and the first 4 bytes of the prefix, then its other 8, in the order of the envelope.
    var first: UInt64
    var second: UInt64
    // No key has the id 0.
    static let none = Tag(first: 0, second: 0)
  }

  private let tags = UnsafeMutablePointer<Tag>.allocate(capacity: FieldOpener.slotCount)
  // Unchecked, because the one thread that has the session looks these up at every value.
  @exclusivity(unchecked) private var contexts: [GCMOpening] = []
  private var schedules: [KeyID: XAESKey] = [:]
  @exclusivity(unchecked) private var last = 0
  /// The context of the last slot's object, by which values are opened without counting a reference; nil if there is
  /// none.
  @exclusivity(unchecked) private var context: OpaquePointer?
  private var victim = 0
  private let aad = AssociatedData()

  /// Makes an opener for a ring.
  package init(ring: KeyRing) {
    self.ring = ring
    tags.initialize(repeating: .none, count: FieldOpener.slotCount)
  }

  deinit { tags.deallocate() }

  /// Switches to another snapshot of the ring; a key that was disabled meanwhile no longer opens.
  package func adopt(_ ring: KeyRing) {
    if ring === self.ring { return }
    self.ring = ring
    tags.update(repeating: .none, count: FieldOpener.slotCount)
    // The contexts hold the keys of the old snapshot.
    contexts = []
    schedules = [:]
    last = 0
    context = nil
    victim = 0
  }

  /// Opens an envelope.
  ///
  /// - Parameters:
  ///   - envelope: The content of the column.
  ///   - context: The property.
  ///   - objectID: The row.
  ///   - out: Receives the payload; all zero unless the call succeeds.
  /// - Returns: The number of bytes of the payload.
  /// - Throws: `notAnEnvelope`, `unsupportedSuite`, `unknownKey`, `disabledKey`, `destroyedKey`,
  ///   `authenticationFailed`, `badParameters` if `out` is too small, or `internalFailure`.
  package func open(
    _ envelope: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    into out: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) -> Int {
    let header = try EnvelopeHeader.parse(envelope)
    guard let start = envelope.baseAddress, let target = out.baseAddress,
      out.count >= header.ciphertextByteCount
    else {
      throw CryptoError(.badParameters, message: "the buffer has no room for the payload")
    }
    let gcm = try gcm(for: header, at: start)
    aad.set(suite: header.suite, keyID: header.keyID)
    aad.set(context, objectID: objectID)
    let nonceEnd = header.nonceRange.upperBound
    let sealed = UnsafeRawBufferPointer(start: start + nonceEnd, count: envelope.count - nonceEnd)
    let nonce = start + (nonceEnd - 12)
    guard try GCMOpening.open(sealed, by: gcm, nonce: nonce, aad: aad.bytes, into: target) else {
      throw .notAuthentic(header.keyID)
    }
    return header.ciphertextByteCount
  }

  @inline(__always)
  private func gcm(
    for header: EnvelopeHeader,
    at start: UnsafeRawPointer
  ) throws(CryptoError) -> OpaquePointer {
    let tag = tag(of: header, at: start)
    if tags[last] == tag, let context { return context }
    for slot in 0..<contexts.count where tags[slot] == tag { return use(slot) }
    return try admit(header, tag: tag, at: start)
  }

  /// The context of a slot, which the next value is looked for in first.
  private func use(_ slot: Int) -> OpaquePointer {
    let found = contexts[slot].context
    last = slot
    context = found
    return found
  }

  @inline(__always)
  private func tag(of header: EnvelopeHeader, at start: UnsafeRawPointer) -> Tag {
    switch header.suite {
    case .xaes256GCM: Tag(first: start.bigEndian64(at: 1), second: start.bigEndian64(at: 9))
    case .aes256GCM: Tag(first: UInt64(header.keyID.rawValue) << 32, second: .max)
    }
  }

  @inline(never)
  private func admit(
    _ header: EnvelopeHeader,
    tag: Tag,
    at start: UnsafeRawPointer
  ) throws(CryptoError) -> OpaquePointer {
    let key = try ring.key(for: header.keyID)
    guard key.purpose == .field, key.suite == header.suite else {
      throw .notAuthentic(header.keyID)
    }
    let slot = victim
    if slot == contexts.count { contexts.append(try GCMOpening()) }
    // If this context fails to take its key, the cache must not find it again.
    tags[slot] = .none
    switch header.suite {
    case .xaes256GCM: try schedule(of: key).rekey(contexts[slot], prefix: start + 5)
    case .aes256GCM: try contexts[slot].setKey(key.secret)
    }
    tags[slot] = tag
    victim = (slot + 1) % FieldOpener.slotCount
    return use(slot)
  }

  private func schedule(of key: DataKey) throws(CryptoError) -> XAESKey {
    if let schedule = schedules[key.id] { return schedule }
    let schedule = try XAESKey(key.secret)
    schedules[key.id] = schedule
    return schedule
  }
}

extension CryptoError {
  /// `authenticationFailed`, whichever part did not match.
  static func notAuthentic(_ keyID: KeyID) -> CryptoError {
    CryptoError(
      .authenticationFailed,
      keyID: keyID,
      message: "the value was altered, or belongs to another row, property, entity or store"
    )
  }
}
