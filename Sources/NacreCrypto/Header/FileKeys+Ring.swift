// The key ring of fields and indexes is in the tables, inside of the sealed pages, and under the header's store key.

extension FileKeys {
  /// The keys of a new sealed file for the tables of a store that has its ring already.
  ///
  /// - Parameters:
  ///   - ring: The ring, whose store key wraps the fresh file key.
  ///   - pageByteCount: The size of a page.
  ///   - created: The time in milliseconds since 1970.
  ///   - slots: The slots of the ring's store key.
  /// - Returns: The keys; write their header to the file.
  /// - Throws: `headerFull`, or `badParameters` for slots that a header can't hold; `randomFailure`, `internalFailure`.
  package static func create(
    for ring: KeyRing,
    pageByteCount: Int,
    createdAt created: UInt64,
    slots: [FileSlot]
  ) throws(CryptoError) -> FileKeys {
    let key = try DataKey.random(
      storeID: ring.storeID,
      .file,
      .xaes256GCM,
      avoiding: ring.keys
    )
    let fields = FileHeader(
      storeID: ring.storeID,
      pageByteCount: pageByteCount,
      sequence: 1,
      slots: slots,
      keys: [try ring.storeKey.record(of: key, state: .primary, created: created)]
    )
    return try FileKeys(
      fields,
      storeKey: ring.storeKey,
      formerStoreKey: nil,
      dataKeys: [key.id: key]
    )
  }

  /// Makes the tables' ring, of generation 1, under the header's store key; no slot is needed for it.
  ///
  /// - Parameters:
  ///   - created: The time in milliseconds since 1970.
  ///   - suite: The suite with which the field key seals.
  /// - Returns: The ring; write its `record()` to the tables.
  /// - Throws: `randomFailure` or `internalFailure`.
  package func makeRing(
    createdAt created: UInt64,
    suite: Suite = .xaes256GCM
  ) throws(CryptoError) -> KeyRing {
    try KeyRing.create(
      under: storeKey,
      createdAt: created,
      suite: suite,
      avoiding: header.keys
    )
  }

  /// Opens the tables' ring with the header's store key, or with the former one while a rewrap is unfinished.
  ///
  /// - Throws: `ringTampered`, also if a key of the ring has the id of a key of the header.
  package func openRing(_ record: RingRecord) throws(CryptoError) -> KeyRing {
    guard record.storeID == storeID else { throw .tampered("the ring belongs to another store") }
    let ring: KeyRing
    do throws(CryptoError) {
      ring = try KeyRing(verifying: record, storeKey: storeKey)
    } catch {
      guard error.code == .ringTampered, let formerStoreKey else { throw error }
      ring = try KeyRing(verifying: record, storeKey: formerStoreKey)
    }
    guard Set(ring.keys.map(\.id)).isDisjoint(with: header.keys.map(\.id)) else {
      throw .tampered("a key of the ring has the id of a key of the file's header")
    }
    return ring
  }

  /// Whether the tables' ring is under the header's present store key, not under the former one.
  package func hasStoreKey(of ring: KeyRing) -> Bool {
    storeID == ring.storeID && storeKey.secret.matches(ring.storeKey.secret)
  }

  /// The tables' ring under the header's present store key, of the next generation.
  ///
  /// - Parameter ring: The ring, which is under the former store key.
  /// - Returns: The ring.
  /// - Throws: `badParameters` for the ring of another store; `internalFailure`.
  package func rewrapping(_ ring: KeyRing) throws(CryptoError) -> KeyRing {
    guard ring.storeID == storeID else {
      throw CryptoError(.badParameters, message: "the ring belongs to another store")
    }
    return try ring.rewrapped(under: storeKey)
  }
}
