// Every change returns new keys with the next sequence number and a fresh MAC.

extension FileKeys {
  /// Makes a slot that lets a secret unlock this store key; it is in no header yet.
  ///
  /// - Throws: `malformedKey` or `badParameters`.
  package func makeSlot(_ slot: NewSlot) throws(CryptoError) -> FileSlot {
    FileSlot(try slot.seal(storeKey))
  }

  /// The same keys behind other slots.
  ///
  /// - Parameter slots: All slots of the next header, each from this header or from `makeSlot`.
  /// - Returns: The keys.
  /// - Throws: `headerFull`; `badParameters` if there is no slot, or two of one id.
  package func replacing(slots: [FileSlot]) throws(CryptoError) -> FileKeys {
    var fields = header
    fields.slots = slots
    return try next(fields, dataKeys: dataKeys)
  }

  /// Keys with one more, which is primary at once; the primary one before is enabled.
  ///
  /// At the limit of keys the oldest destroyed ones are left out.
  ///
  /// - Parameters:
  ///   - created: The time in milliseconds since 1970.
  ///   - others: The keys of the ring in the tables, whose ids the new key does not get.
  /// - Returns: The keys.
  /// - Throws: `headerFull`, `randomFailure` or `internalFailure`.
  package func addingPrimary(
    createdAt created: UInt64,
    avoiding others: [KeyRecord]
  ) throws(CryptoError) -> FileKeys {
    var fields = header
    for at in fields.keys.indices where fields.keys[at].state == .primary {
      fields.keys[at].state = .enabled
    }
    let key = try DataKey.random(
      storeID: storeID,
      .file,
      .xaes256GCM,
      avoiding: fields.keys + others
    )
    fields.makeRoomForKey()
    fields.keys.append(try storeKey.record(of: key, state: .primary, created: created))
    var dataKeys = dataKeys
    dataKeys[key.id] = key
    return try next(fields, dataKeys: dataKeys)
  }

  /// Keys of which one is enabled or disabled; it must not be primary.
  ///
  /// - Throws: `unknownKey`, `destroyedKey`, or `badParameters` for any other change.
  package func setting(_ id: KeyID, to state: KeyState) throws(CryptoError) -> FileKeys {
    var fields = header
    let at = try index(of: id)
    guard fields.keys[at].state != .primary, state == .enabled || state == .disabled else {
      throw .badTransition(id, fields.keys[at].state, state)
    }
    fields.keys[at].state = state
    return try next(fields, dataKeys: dataKeys)
  }

  /// Keys without one; the header keeps its id as a tombstone.
  ///
  /// - Throws: `unknownKey`, `destroyedKey`, or `badParameters` if the key is primary.
  package func destroying(_ id: KeyID) throws(CryptoError) -> FileKeys {
    var fields = header
    let at = try index(of: id)
    guard fields.keys[at].state != .primary else { throw .badTransition(id, .primary, .destroyed) }
    fields.keys[at].state = .destroyed
    fields.keys[at].wrapped = nil
    fields.keys[at].check = nil
    var dataKeys = dataKeys
    dataKeys[id] = nil
    return try next(fields, dataKeys: dataKeys)
  }

  /// The same keys under a fresh store key, beside which the former one is kept for the tables' ring.
  ///
  /// - Parameter slots: The slots of the fresh store key; no former slot opens it.
  /// - Returns: The keys.
  /// - Throws: `badParameters` while an earlier rewrap is unfinished, or without slots; `headerFull`, `malformedKey`,
  ///   `randomFailure` or `internalFailure`.
  package func rewrapped(slots: [NewSlot]) throws(CryptoError) -> FileKeys {
    guard formerStoreKey == nil else {
      throw CryptoError(.badParameters, message: "an earlier rewrap has to be finished first")
    }
    let fresh = try StoreKey.random(storeID: storeID)
    var fields = header
    fields.formerStoreKey = try fresh.wrapFormer(storeKey)
    fields.slots = []
    for slot in slots { fields.slots.append(FileSlot(try slot.seal(fresh))) }
    for at in fields.keys.indices {
      guard let key = dataKeys[fields.keys[at].id] else { continue }
      fields.keys[at].wrapped = try fresh.wrap(key)
    }
    fields.sequence += 1
    return try FileKeys(fields, storeKey: fresh, formerStoreKey: storeKey, dataKeys: dataKeys)
  }

  /// The same keys without the former store key, once the tables' ring is under the present one.
  ///
  /// - Throws: `badParameters` if no rewrap is unfinished.
  package func finishingRewrap() throws(CryptoError) -> FileKeys {
    guard formerStoreKey != nil else {
      throw CryptoError(.badParameters, message: "no rewrap is unfinished")
    }
    var fields = header
    fields.formerStoreKey = nil
    fields.sequence += 1
    return try FileKeys(fields, storeKey: storeKey, formerStoreKey: nil, dataKeys: dataKeys)
  }

  private func next(
    _ fields: FileHeader,
    dataKeys: [KeyID: DataKey]
  ) throws(CryptoError) -> FileKeys {
    var fields = fields
    // No overflow, because no header has a sequence number beyond Int64.max.
    fields.sequence += 1
    return try FileKeys(
      fields,
      storeKey: storeKey,
      formerStoreKey: formerStoreKey,
      dataKeys: dataKeys
    )
  }

  private func index(of id: KeyID) throws(CryptoError) -> Int {
    guard let at = header.keys.firstIndex(where: { $0.id == id }) else {
      throw CryptoError(.unknownKey, keyID: id, message: "the header has no key \(id)")
    }
    guard header.keys[at].state != .destroyed else {
      throw CryptoError(.destroyedKey, keyID: id, message: "file key \(id) was destroyed")
    }
    return at
  }
}

extension FileHeader {
  /// Leaves out destroyed keys, the oldest first, until there is room for one more key.
  fileprivate mutating func makeRoomForKey() {
    while keys.count >= FileHeader.limit,
      let oldest = keys.indices.filter({ keys[$0].state == .destroyed })
        .min(by: { keys[$0].created < keys[$1].created })
    {
      keys.remove(at: oldest)
    }
  }
}
