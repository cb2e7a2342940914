/// A session on a key ring: sealers and an opener that keep their contexts.
///
/// Not thread-safe.
package final class RingSession: CryptSession {
  /// The sealer for the ring's primary key of the lowest suite.
  package let sealer: FieldSealer
  private var sealers: [Suite: FieldSealer] = [:]
  private let pool: RandomPool
  private let reserveSeals: SealReservation?
  /// The opener for every key of the ring that may open.
  package let opener: FieldOpener

  /// Makes a session on a ring.
  ///
  /// - Parameters:
  ///   - ring: The unlocked ring.
  ///   - pool: The session's random bytes; a new pool by default.
  ///   - reserveSeals: Reserves seals for the key with the given id; required if a primary key is of suite 2.
  package init(
    ring: KeyRing,
    pool: RandomPool = RandomPool(),
    reserveSeals: SealReservation? = nil
  ) {
    self.pool = pool
    self.reserveSeals = reserveSeals
    sealer = FieldSealer(ring: ring, pool: pool, reserveSeals: reserveSeals)
    opener = FieldOpener(ring: ring)
  }

  /// The snapshot of the ring in use.
  package var ring: KeyRing { sealer.ring }

  /// Switches to another snapshot of the ring.
  package func adopt(_ ring: KeyRing) {
    sealer.adopt(ring)
    for sealer in sealers.values { sealer.adopt(ring) }
    opener.adopt(ring)
  }

  /// The sealer for a suite's primary key, or for that of the lowest suite if the suite is nil.
  package func sealer(for suite: Suite?) -> FieldSealer {
    guard let suite else { return sealer }
    if let sealer = sealers[suite] { return sealer }
    let made = FieldSealer(ring: ring, pool: pool, suite: suite, reserveSeals: reserveSeals)
    sealers[suite] = made
    return made
  }

  package func beginTransaction() {
    sealer.beginTransaction()
    for sealer in sealers.values { sealer.beginTransaction() }
  }

  /// Drops the rest of the reserved blocks of all sealers, because their reservation was undone.
  ///
  /// - Parameter id: The key for which the blocks were reserved.
  /// - Returns: How many seals were left.
  package func dropReservation(of id: KeyID) -> UInt64 {
    ([sealer] + sealers.values).reduce(0) { $0 + $1.dropReservation(of: id) }
  }

  package func seal(
    _ payload: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    suite: Suite? = nil,
    into scratch: ScratchBuffer
  ) throws -> UnsafeRawBufferPointer {
    // The common sealer is passed as the constant that it is, without counting the reference.
    if suite == nil {
      return try sealer.seal(payload, context: context, objectID: objectID, into: scratch)
    }
    return try sealer(for: suite)
      .seal(payload, context: context, objectID: objectID, into: scratch)
  }

  package func open(
    _ sealed: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    into scratch: ScratchBuffer
  ) throws -> UnsafeRawBufferPointer {
    let out = try scratch.reserve(sealed.count)
    let count = try opener.open(sealed, context: context, objectID: objectID, into: out)
    return UnsafeRawBufferPointer(rebasing: out[0..<count])
  }
}
