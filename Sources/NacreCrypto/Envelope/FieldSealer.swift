/// Seals values under the primary key of a ring, or under the primary key of one suite.
///
/// Not thread-safe; use one per write session and suite. Suite 1 keeps `nonce[0..<12]`, and with it the subkey, for one
/// transaction and at most 2^16 values; `nonce[12..<24]` is fresh for each value. Any reader of XAES-256-GCM can open
/// the result.
package final class FieldSealer {
  /// The maximum number of values under one nonce prefix; it keeps the collision bound near 2^-41 at 2^40 values.
  package static let prefixLimit: UInt64 = 1 << 16
  /// How many seals of suite 2 are reserved at a time.
  package static let reservationBlock: UInt64 = 1 << 16

  /// The ring whose primary key seals.
  package private(set) var ring: KeyRing

  private let pool: RandomPool
  private let wantedSuite: Suite?
  private let reserveSeals: SealReservation?
  private let aad = AssociatedData()
  private let prefix = UnsafeMutableRawPointer.allocate(byteCount: 12, alignment: 4)
  private var key: DataKey?
  private var schedule: XAESKey?
  private var sealing: GCMSealing? {
    didSet { gcm = sealing?.context }
  }
  /// The context of `sealing`, by which every value is sealed without counting a reference.
  private var gcm: OpaquePointer?
  private var suite = Suite.xaes256GCM
  private var keyID = KeyID(rawValue: 0)
  /// How many values can still be sealed before `renew`: under this prefix, or in this block.
  private var left: UInt64 = 0

  /// Makes a sealer for a ring.
  ///
  /// - Parameters:
  ///   - ring: The unlocked ring.
  ///   - pool: The session's random bytes.
  ///   - suite: The suite whose primary key seals, or nil for the lowest suite that has one.
  ///   - reserveSeals: Reserves seals; required if the primary key is of suite 2.
  package init(
    ring: KeyRing,
    pool: RandomPool,
    suite: Suite? = nil,
    reserveSeals: SealReservation? = nil
  ) {
    self.ring = ring
    self.pool = pool
    wantedSuite = suite
    self.reserveSeals = reserveSeals
  }

  deinit { prefix.deallocate() }

  /// The number of bytes of an envelope under the present primary key.
  ///
  /// - Throws: `noPrimaryKey`.
  @inline(__always)
  package func envelopeByteCount(payloadByteCount: Int) throws(CryptoError) -> Int {
    if key == nil { try takeKey() }
    return suite.overheadByteCount + payloadByteCount
  }

  /// Ends the use of the nonce prefix; the next value draws a new one.
  package func beginTransaction() {
    if suite == .xaes256GCM { left = 0 }
  }

  /// Switches to another snapshot of the ring.
  package func adopt(_ ring: KeyRing) {
    if ring === self.ring { return }
    self.ring = ring
    // Seals reserved for a key of suite 2 stay valid as long as that key is primary.
    if suite == .aes256GCM, ring.primaryID(.field, suite: wantedSuite) == keyID,
      ring.storeID == key?.storeID
    {
      return
    }
    key = nil
    schedule = nil
    sealing = nil
    left = 0
  }

  /// Reserves a block of seals now if less than half a block is left; does nothing for suite 1.
  ///
  /// Call it before a write transaction begins, so that the reservation commits on its own and survives the
  /// transaction's rollback.
  ///
  /// - Throws: `sealLimitReached`, `reservationFailed` or `noPrimaryKey`.
  package func reserveAhead() throws(CryptoError) {
    if key == nil { try takeKey() }
    if suite == .aes256GCM, left < FieldSealer.reservationBlock / 2 {
      try prepareRandomNonces()
      try reserveBlock()
    }
  }

  /// Drops the rest of a reserved block, because its reservation was undone.
  ///
  /// No count would include a seal that used the rest.
  ///
  /// - Parameter id: The key for which the block was reserved.
  /// - Returns: How many seals were left; 0 for suite 1 and for any other key.
  package func dropReservation(of id: KeyID) -> UInt64 {
    guard suite == .aes256GCM, keyID == id else { return 0 }
    defer { left = 0 }
    return left
  }

  /// Seals a payload and writes the whole envelope.
  ///
  /// - Parameters:
  ///   - payload: `type ‖ value`.
  ///   - context: The property.
  ///   - objectID: The row.
  ///   - out: Receives the envelope; at least `envelopeByteCount` bytes.
  /// - Returns: The number of bytes written.
  /// - Throws: `noPrimaryKey`, `sealLimitReached`, `reservationFailed`, `lengthTooLarge`, `badParameters` if `out` is
  ///   too small, `randomFailure` or `internalFailure`.
  package func seal(
    _ payload: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    into out: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) -> Int {
    if left == 0 { try renew() }
    guard let gcm, payload.count <= Int(Int32.max) else { throw .tooLong(payload.count) }
    let count = suite.overheadByteCount + payload.count
    guard let base = out.baseAddress, out.count >= count else { throw Self.outTooSmall }
    base.storeBytes(of: suite.rawValue, as: UInt8.self)
    base.store(bigEndian: keyID.rawValue, at: 1)
    var nonce = base + 5
    if suite == .xaes256GCM {
      nonce.copyMemory(from: prefix, byteCount: 12)
      nonce += 12
    }
    // A failed seal counts too, because the count must never go back.
    left -= 1
    try pool.write12(to: nonce)
    aad.set(context, objectID: objectID)
    try GCMSealing.seal(payload, by: gcm, nonce: nonce, aad: aad.bytes, into: nonce + 12)
    return count
  }

  /// Seals a payload into a buffer.
  ///
  /// - Returns: The envelope, valid until the buffer is used again or freed.
  /// - Throws: The same errors.
  func seal(
    _ payload: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    into scratch: ScratchBuffer
  ) throws(CryptoError) -> UnsafeRawBufferPointer {
    let count = try envelopeByteCount(payloadByteCount: payload.count)
    let out = try scratch.reserve(count)
    _ = try seal(payload, context: context, objectID: objectID, into: out)
    return UnsafeRawBufferPointer(out)
  }

  @inline(never)
  private func renew() throws(CryptoError) {
    if key == nil { try takeKey() }
    guard let key else { return }
    switch suite {
    case .xaes256GCM:
      if schedule == nil { schedule = try XAESKey(key.secret) }
      if sealing == nil { sealing = try GCMSealing() }
      guard let schedule, let sealing else { return }
      try pool.write12(to: prefix)
      try schedule.rekey(sealing, prefix: prefix)
      left = FieldSealer.prefixLimit
    case .aes256GCM:
      try prepareRandomNonces()
      try reserveBlock()
    }
  }

  /// Gives the data key itself to a context, for suite 2.
  private func prepareRandomNonces() throws(CryptoError) {
    guard sealing == nil, let key else { return }
    let fresh = try GCMSealing()
    try fresh.setKey(key.secret)
    sealing = fresh
  }

  private func takeKey() throws(CryptoError) {
    let primary = try ring.primary(.field, suite: wantedSuite)
    key = primary
    suite = primary.suite
    keyID = primary.id
    aad.set(suite: suite, keyID: keyID)
    left = 0
  }

  private func reserveBlock() throws(CryptoError) {
    guard let reserveSeals else {
      throw CryptoError(
        .reservationFailed,
        keyID: keyID,
        message: "nothing counts the seals of this key"
      )
    }
    let granted: UInt64
    do {
      granted = try reserveSeals(keyID, FieldSealer.reservationBlock)
    } catch {
      throw CryptoError(
        .reservationFailed,
        keyID: keyID,
        message: "the count of seals could not be reserved",
        cause: error
      )
    }
    guard granted > 0 || left > 0 else {
      throw CryptoError(
        .sealLimitReached,
        keyID: keyID,
        message: "the key has sealed as often as its suite allows: rotate it"
      )
    }
    // Never take more than was asked for, so that the limit holds even if the count goes wrong.
    left += min(granted, FieldSealer.reservationBlock)
  }

  private static var outTooSmall: CryptoError {
    CryptoError(.badParameters, message: "the buffer has no room for the envelope")
  }
}
