/// The unlocked keys of one store, as a snapshot that never changes.
///
/// A change makes another ring with the next generation. The store key wraps the data keys. The slots, which say who
/// may unlock the store key, are stored beside the ring.
package final class KeyRing: Sendable {
  /// The store.
  package let storeID: StoreID
  /// A number that grows with every change; it has two parts (Vectors/FORMAT.md), and a change of the ring raises the
  /// lower one.
  package let generation: UInt64
  /// The keys' records, by id.
  package let keys: [KeyRecord]

  let storeKey: StoreKey
  let dataKeys: [KeyID: DataKey]
  private let mac: [UInt8]

  /// Makes a ring from its records and computes their MAC.
  init(
    storeKey: StoreKey,
    generation: UInt64,
    keys: [KeyRecord],
    dataKeys: [KeyID: DataKey]
  ) throws(CryptoError) {
    storeID = storeKey.storeID
    self.generation = generation
    self.keys = keys.sorted { $0.id.rawValue < $1.id.rawValue }
    self.storeKey = storeKey
    self.dataKeys = dataKeys
    mac = try storeKey.mac(
      RingRecord(storeID: storeID, generation: generation, mac: [], keys: keys)
    )
  }

  /// Makes a new ring of generation 1 with a primary key for each purpose.
  ///
  /// - Parameters:
  ///   - storeID: The store, from `StoreID.random()`.
  ///   - created: The time in milliseconds since 1970.
  ///   - suite: The suite with which the field key seals.
  /// - Returns: The ring; write its `record()` and at least one slot to the file.
  /// - Throws: `randomFailure` or `internalFailure`.
  package static func create(
    storeID: StoreID,
    createdAt created: UInt64,
    suite: Suite = .xaes256GCM
  ) throws(CryptoError) -> KeyRing {
    try create(under: StoreKey.random(storeID: storeID), createdAt: created, suite: suite)
  }

  /// Makes a new ring of generation 1 under a store key.
  ///
  /// - Parameters:
  ///   - storeKey: The store key.
  ///   - created: The time in milliseconds since 1970.
  ///   - suite: The suite with which the field key seals.
  ///   - others: Keys outside of the ring, whose ids no key of the ring gets.
  /// - Returns: The ring.
  /// - Throws: `randomFailure` or `internalFailure`.
  static func create(
    under storeKey: StoreKey,
    createdAt created: UInt64,
    suite: Suite,
    avoiding others: [KeyRecord] = []
  ) throws(CryptoError) -> KeyRing {
    var keys: [KeyRecord] = []
    var dataKeys: [KeyID: DataKey] = [:]
    for purpose in KeyPurpose.ofRing {
      let key = try DataKey.random(
        storeID: storeKey.storeID,
        purpose,
        suite,
        avoiding: keys + others
      )
      keys.append(try storeKey.record(of: key, state: .primary, created: created))
      dataKeys[key.id] = key
    }
    return try KeyRing(storeKey: storeKey, generation: 1, keys: keys, dataKeys: dataKeys)
  }

  /// Unlocks the ring in the file.
  ///
  /// It verifies the MAC before it believes anything in the ring.
  ///
  /// - Throws: `wrongSecret`, `ringTampered`, `badParameters`, or `malformedKey` for a raw secret of any length but 32
  ///   bytes.
  package static func unlock(
    _ record: RingRecord,
    slots: [SlotRecord],
    with secret: SlotSecret
  ) throws(CryptoError) -> KeyRing {
    let storeKey = try Slot.open(slots, storeID: record.storeID, with: secret)
    return try KeyRing(verifying: record, storeKey: storeKey)
  }

  /// Loads a newer generation of the same ring that another connection wrote to the file.
  ///
  /// - Throws: `ringTampered` for another store, an older generation, or a wrong MAC. The MAC is wrong after
  ///   `rewrapped`; the ring must then be unlocked again.
  package func reloading(_ record: RingRecord) throws(CryptoError) -> KeyRing {
    guard record.storeID == storeID else { throw .tampered("the ring belongs to another store") }
    guard record.generation >= generation else {
      throw .tampered("the ring in the file is older than the one already seen")
    }
    return try KeyRing(verifying: record, storeKey: storeKey)
  }

  /// Verifies a record, then unwraps its keys.
  convenience init(
    verifying record: RingRecord,
    storeKey: StoreKey
  ) throws(CryptoError) {
    // Check the lengths first, because the MAC's message is unambiguous only for records of the right shape.
    guard record.keys.allSatisfy(\.isWellFormed),
      record.keys.allSatisfy({ KeyPurpose.ofRing.contains($0.purpose) }),
      Set(record.keys.map(\.id)).count == record.keys.count,
      SecureMemory.equal(record.mac, try storeKey.mac(record))
    else { throw .tampered("the key ring was altered outside Nacre") }
    var dataKeys: [KeyID: DataKey] = [:]
    for key in record.keys where key.state != .destroyed {
      dataKeys[key.id] = try storeKey.unwrap(key)
    }
    try self.init(
      storeKey: storeKey,
      generation: record.generation,
      keys: record.keys,
      dataKeys: dataKeys
    )
  }

  /// The record to write to the file.
  package func record() -> RingRecord {
    RingRecord(storeID: storeID, generation: generation, mac: mac, keys: keys)
  }

  /// Makes a slot that lets a secret unlock this ring's store key.
  ///
  /// - Parameters:
  ///   - id: The slot's number.
  ///   - secret: 32 raw bytes, or a passphrase.
  ///   - scryptN: The cost for a passphrase, a power of two from 2^14 to 2^20.
  /// - Returns: The slot; write it beside the ring.
  /// - Throws: `malformedKey` or `badParameters`.
  package func makeSlot(
    id: UInt32,
    secret: SlotSecret,
    scryptN: UInt64 = 1 << 17
  ) throws(CryptoError) -> SlotRecord {
    try Slot.seal(storeKey, id: id, secret: secret, scryptN: scryptN)
  }
}

// MARK: - Asking for keys

extension KeyRing {
  /// The id of the primary key of a purpose.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the key.
  ///   - suite: The suite with which the key seals, or nil for the lowest suite that has a primary key.
  /// - Returns: The id, or nil if there is no such key.
  package func primaryID(_ purpose: KeyPurpose, suite: Suite? = nil) -> KeyID? {
    primaries(purpose).first { suite == nil || $0.suite == suite }?.id
  }

  /// The primary key of a purpose.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the key.
  ///   - suite: The suite with which the key seals, or nil for the lowest suite that has a primary key.
  /// - Returns: The key.
  /// - Throws: `noPrimaryKey`.
  package func primary(
    _ purpose: KeyPurpose,
    suite: Suite? = nil
  ) throws(CryptoError) -> DataKey {
    guard let id = primaryID(purpose, suite: suite), let key = dataKeys[id] else {
      let wanted = suite.map { " of suite \($0.rawValue)" } ?? ""
      throw CryptoError(.noPrimaryKey, message: "the ring has no primary \(purpose) key\(wanted)")
    }
    return key
  }

  /// The primary keys of a purpose, the lowest suite first.
  private func primaries(_ purpose: KeyPurpose) -> [KeyRecord] {
    keys.filter { $0.purpose == purpose && $0.state == .primary }
      .sorted { $0.suite.rawValue < $1.suite.rawValue }
  }

  /// A key's record, or nil if the ring has no such key.
  package func record(of id: KeyID) -> KeyRecord? {
    keys.first { $0.id == id }
  }

  /// The key with an id; throws if it may not open.
  ///
  /// - Throws: `unknownKey`, `disabledKey` or `destroyedKey`.
  package func key(for id: KeyID) throws(CryptoError) -> DataKey {
    switch record(of: id)?.state {
    case .disabled:
      throw CryptoError(.disabledKey, keyID: id, message: "key \(id) is disabled")
    case .destroyed:
      throw CryptoError(.destroyedKey, keyID: id, message: "key \(id) was destroyed")
    case .pending, .primary, .enabled, nil:
      break
    }
    guard let key = dataKeys[id] else {
      throw CryptoError(.unknownKey, keyID: id, message: "the ring has no key \(id)")
    }
    return key
  }

  /// The keys of a purpose that may open, the primary ones first.
  package func openingKeys(_ purpose: KeyPurpose) -> [DataKey] {
    let others = keys.filter {
      $0.purpose == purpose && $0.state.opens && $0.state != .primary
    }
    return (primaries(purpose) + others).compactMap { dataKeys[$0.id] }
  }
}

extension KeyState {
  /// Whether a key in this state may open.
  package var opens: Bool { self == .pending || self == .primary || self == .enabled }
}

extension DataKey {
  /// A fresh key whose id is not in use.
  static func random(
    storeID: StoreID,
    _ purpose: KeyPurpose,
    _ suite: Suite,
    avoiding used: [KeyRecord]
  ) throws(CryptoError) -> DataKey {
    DataKey(
      id: try KeyID.random(avoiding: used),
      storeID: storeID,
      purpose: purpose,
      suite: suite,
      secret: try SecretBytes(random: 32)
    )
  }
}

extension StoreKey {
  /// The record of a data key: wrapped, with its check value.
  func record(
    of key: DataKey,
    state: KeyState,
    created: UInt64
  ) throws(CryptoError) -> KeyRecord {
    KeyRecord(
      id: key.id,
      purpose: key.purpose,
      suite: key.suite,
      state: state,
      created: created,
      wrapped: try wrap(key),
      check: try key.checkValue()
    )
  }
}
