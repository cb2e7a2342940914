// Every change returns a new ring with the next generation and a fresh MAC.
//
//   pending ──promoting──▶ primary ──promoting another──▶ enabled ◀──setting──▶ disabled
//      │                       └─────────retiring────────────▲                      │
//      │                                                     │                      │
//      └───────────────────────destroying────────────────────┴──────────────────────┘
//                                   ▼
//                               destroyed

extension KeyRing {
  /// A ring with one more key, fresh and pending.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the key.
  ///   - suite: The suite with which the key seals.
  ///   - created: The time in milliseconds since 1970.
  ///   - others: Keys outside of the ring, such as those of a sealed file's header, whose ids it does not get.
  /// - Returns: The ring and the new key's id.
  /// - Throws: `randomFailure` or `internalFailure`; `badParameters` for a purpose that no key of the ring has.
  package func adding(
    _ purpose: KeyPurpose,
    suite: Suite = .xaes256GCM,
    createdAt created: UInt64,
    avoiding others: [KeyRecord] = []
  ) throws(CryptoError) -> (ring: KeyRing, id: KeyID) {
    guard KeyPurpose.ofRing.contains(purpose) else {
      throw CryptoError(.badParameters, message: "the ring holds no \(purpose) keys")
    }
    let key = try DataKey.random(storeID: storeID, purpose, suite, avoiding: keys + others)
    let record = try storeKey.record(of: key, state: .pending, created: created)
    var dataKeys = dataKeys
    dataKeys[key.id] = key
    return (try next(keys: keys + [record], dataKeys: dataKeys), key.id)
  }

  /// A ring that makes a pending or enabled key primary, and the former primary key enabled.
  ///
  /// A field key replaces the primary key of its suite; primary keys of other suites stay. An index key replaces the
  /// primary index key of any suite, because its suite seals nothing.
  ///
  /// - Throws: `unknownKey`, `disabledKey`, `destroyedKey`, or `badParameters` if the key is primary already.
  package func promoting(_ id: KeyID) throws(CryptoError) -> KeyRing {
    let promoted = try key(for: id)
    var keys = keys
    for at in keys.indices {
      if keys[at].id == id {
        guard keys[at].state != .primary else { throw .badTransition(id, .primary, .primary) }
        keys[at].state = .primary
      } else if keys[at].state == .primary, keys[at].purpose == promoted.purpose,
        promoted.purpose == .index || keys[at].suite == promoted.suite
      {
        keys[at].state = .enabled
      }
    }
    return try next(keys: keys, dataKeys: dataKeys)
  }

  /// A ring that makes a primary key enabled, without a successor of the same suite.
  ///
  /// - Throws: `unknownKey`, `destroyedKey`, or `badParameters` if the key is not primary or no other primary key of
  ///   its purpose would remain.
  package func retiring(_ id: KeyID) throws(CryptoError) -> KeyRing {
    var keys = keys
    let at = try index(of: id, in: keys)
    let hasOther = keys.contains {
      $0.id != id && $0.purpose == keys[at].purpose && $0.state == .primary
    }
    guard keys[at].state == .primary, hasOther else {
      throw .badTransition(id, keys[at].state, .enabled)
    }
    keys[at].state = .enabled
    return try next(keys: keys, dataKeys: dataKeys)
  }

  /// A ring that makes a key enabled or disabled; the key must not be primary.
  ///
  /// - Throws: `unknownKey`, `destroyedKey`, or `badParameters` for any other change.
  package func setting(_ id: KeyID, to state: KeyState) throws(CryptoError) -> KeyRing {
    var keys = keys
    let at = try index(of: id, in: keys)
    guard keys[at].state != .primary, state == .enabled || state == .disabled else {
      throw .badTransition(id, keys[at].state, state)
    }
    keys[at].state = state
    return try next(keys: keys, dataKeys: dataKeys)
  }

  /// A ring without a key; it keeps the key's id as a tombstone.
  ///
  /// - Throws: `unknownKey`, `destroyedKey`, or `badParameters` if the key is primary.
  package func destroying(_ id: KeyID) throws(CryptoError) -> KeyRing {
    var keys = keys
    let at = try index(of: id, in: keys)
    guard keys[at].state != .primary else { throw .badTransition(id, .primary, .destroyed) }
    keys[at].state = .destroyed
    keys[at].wrapped = nil
    keys[at].check = nil
    var dataKeys = dataKeys
    dataKeys[id] = nil
    return try next(keys: keys, dataKeys: dataKeys)
  }

  /// A ring with a fresh store key, which wraps every data key again.
  ///
  /// No older slot opens it, so make new slots from the result with `makeSlot`.
  ///
  /// - Throws: `randomFailure` or `internalFailure`.
  package func rewrapped() throws(CryptoError) -> KeyRing {
    try rewrapped(under: StoreKey.random(storeID: storeID))
  }

  /// A ring under another store key of the same store, which wraps every data key again.
  func rewrapped(under fresh: StoreKey) throws(CryptoError) -> KeyRing {
    var keys = keys
    for at in keys.indices {
      guard let key = dataKeys[keys[at].id] else { continue }
      keys[at].wrapped = try fresh.wrap(key)
    }
    return try KeyRing(
      storeKey: fresh,
      generation: generation &+ 1,
      keys: keys,
      dataKeys: dataKeys
    )
  }

  /// The numbers of the slots with which a secret unlocks this very ring.
  ///
  /// Unlike unlocking, it tries every slot of the secret's kind. A slot that holds another store key does not count.
  ///
  /// - Throws: `wrongSecret` if there is no such slot; the errors of `unlock` if no slot could be tried.
  package func slots(
    _ slots: [SlotRecord],
    openedBy secret: SlotSecret
  ) throws(CryptoError) -> Set<UInt32> {
    var opened: Set<UInt32> = []
    try Slot.openEach(slots, storeID: storeID, with: secret) { slot, key in
      if key.secret.matches(storeKey.secret) { opened.insert(slot.id) }
      return true
    }
    guard !opened.isEmpty else { throw .wrongSecret }
    return opened
  }

  /// The same ring with the next generation, so that its followers read everything again.
  ///
  /// - Throws: `internalFailure`.
  package func renumbered() throws(CryptoError) -> KeyRing {
    try next(keys: keys, dataKeys: dataKeys)
  }

  private func next(
    keys: [KeyRecord],
    dataKeys: [KeyID: DataKey]
  ) throws(CryptoError) -> KeyRing {
    try KeyRing(storeKey: storeKey, generation: generation &+ 1, keys: keys, dataKeys: dataKeys)
  }

  private func index(of id: KeyID, in keys: [KeyRecord]) throws(CryptoError) -> Int {
    guard let at = keys.firstIndex(where: { $0.id == id }) else {
      throw CryptoError(.unknownKey, keyID: id, message: "the ring has no key \(id)")
    }
    guard keys[at].state != .destroyed else {
      throw CryptoError(.destroyedKey, keyID: id, message: "key \(id) was destroyed")
    }
    return at
  }
}

extension CryptoError {
  static func badTransition(
    _ id: KeyID,
    _ from: KeyState,
    _ to: KeyState
  ) -> CryptoError {
    CryptoError(.badParameters, keyID: id, message: "a key cannot go from \(from) to \(to)")
  }
}
