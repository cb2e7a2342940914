/// The unlocked keys of one sealed file, as a snapshot that never changes.
///
/// A change makes another snapshot with the next sequence number. The store key wraps the file keys, and the key ring in
/// the file's tables.
package final class FileKeys: Sendable {
  /// The header, with its MAC; `header.encode()` gives the bytes of each of its two copies.
  package let header: FileHeader
  /// The key under which pages are sealed.
  let primary: DataKey

  let storeKey: StoreKey
  let formerStoreKey: StoreKey?
  let dataKeys: [KeyID: DataKey]

  /// The store.
  package var storeID: StoreID { header.storeID }
  /// The size of a page.
  package var pageByteCount: Int { header.pageByteCount }
  /// The number of the header's changes.
  package var sequence: UInt64 { header.sequence }
  /// The id of the key under which pages are sealed.
  package var primaryID: KeyID { primary.id }
  /// The keys that were primary before and still open; their pages are to be sealed anew.
  package var formerIDs: [KeyID] { header.keys.filter { $0.state == .enabled }.map(\.id) }
  /// Whether pages may still be under a former key.
  package var isRekeyUnfinished: Bool { !formerIDs.isEmpty }
  /// Whether a rewrap was begun whose end no header has noted yet.
  package var isRewrapUnfinished: Bool { formerStoreKey != nil }

  /// Makes a snapshot from a header's fields, and computes the header's MAC.
  init(
    _ fields: FileHeader,
    storeKey: StoreKey,
    formerStoreKey: StoreKey?,
    dataKeys: [KeyID: DataKey]
  ) throws(CryptoError) {
    var header = fields
    header.slots.sort { $0.id < $1.id }
    header.keys.sort { $0.id.rawValue < $1.id.rawValue }
    try header.checkLimits()
    guard let primary = header.keys.first(where: { $0.state == .primary }),
      let key = dataKeys[primary.id]
    else { throw CryptoError(.noPrimaryKey, message: "the header has no primary key") }
    header.mac = try storeKey.mac(header)
    self.header = header
    self.primary = key
    self.storeKey = storeKey
    self.formerStoreKey = formerStoreKey
    self.dataKeys = dataKeys
  }

  /// Makes the keys of a new sealed file: a store key, a slot for it, and a primary file key.
  ///
  /// - Parameters:
  ///   - storeID: The store, from `StoreID.random()`.
  ///   - pageByteCount: The size of a page.
  ///   - created: The time in milliseconds since 1970.
  ///   - slot: The slot that unlocks the store key.
  /// - Returns: The keys; write their header to the file.
  /// - Throws: `randomFailure`, `internalFailure`, `badParameters`, or `malformedKey` for a raw secret of any length but
  ///   32 bytes.
  package static func create(
    storeID: StoreID,
    pageByteCount: Int,
    createdAt created: UInt64,
    slot: NewSlot
  ) throws(CryptoError) -> FileKeys {
    let storeKey = try StoreKey.random(storeID: storeID)
    let key = try DataKey.random(storeID: storeID, .file, .xaes256GCM, avoiding: [])
    let fields = FileHeader(
      storeID: storeID,
      pageByteCount: pageByteCount,
      sequence: 1,
      slots: [FileSlot(try slot.seal(storeKey))],
      keys: [try storeKey.record(of: key, state: .primary, created: created)]
    )
    return try FileKeys(fields, storeKey: storeKey, formerStoreKey: nil, dataKeys: [key.id: key])
  }

  /// Unlocks a header.
  ///
  /// It verifies the MAC before it believes anything but the slots.
  ///
  /// - Parameters:
  ///   - header: The header, from `FileHeader.read`.
  ///   - secret: The secret.
  ///   - id: The one slot on which the secret is tried, or nil for all.
  /// - Returns: The keys.
  /// - Throws: `wrongSecret`, `slotsNotTried`, `badParameters`, `headerTampered`, or `malformedKey` for a raw secret of
  ///   any length but 32 bytes.
  package static func unlock(
    _ header: FileHeader,
    with secret: SlotSecret,
    slot id: UInt32? = nil
  ) throws(CryptoError) -> FileKeys {
    let slots = header.slots.filter { id == nil || $0.id == id }.compactMap(\.record)
    let storeKey = try Slot.open(slots, storeID: header.storeID, with: secret)
    return try FileKeys(verifying: header, storeKey: storeKey)
  }

  /// Verifies a header, then unwraps its keys.
  convenience init(verifying header: FileHeader, storeKey: StoreKey) throws(CryptoError) {
    guard header.isWellFormed, SecureMemory.equal(header.mac, try storeKey.mac(header)) else {
      throw .badHeader("its MAC is wrong")
    }
    var dataKeys: [KeyID: DataKey] = [:]
    for key in header.keys where key.state != .destroyed {
      do throws(CryptoError) {
        dataKeys[key.id] = try storeKey.unwrap(key)
      } catch {
        guard error.code == .ringTampered else { throw error }
        throw .badHeader("key \(key.id) does not unwrap")
      }
    }
    try self.init(
      header,
      storeKey: storeKey,
      formerStoreKey: header.formerStoreKey.map { (wrapped) throws(CryptoError) in
        try storeKey.unwrapFormer(wrapped)
      },
      dataKeys: dataKeys
    )
  }
}

// MARK: - Following

extension FileKeys {
  /// Whether a header carries the MAC of this store key; after a rewrap it does not.
  ///
  /// - Throws: `internalFailure`.
  package func hasMade(_ other: FileHeader) throws(CryptoError) -> Bool {
    guard other.storeID == storeID, other.isWellFormed else { return false }
    return SecureMemory.equal(other.mac, try storeKey.mac(other))
  }

  /// Loads a newer header of the same file and under the same store key.
  ///
  /// - Throws: `headerTampered` for another file, an older header, another one of the same sequence number, or a wrong
  ///   MAC. The MAC is wrong after a rewrap; the secret must then be given again.
  package func reloading(_ newer: FileHeader) throws(CryptoError) -> FileKeys {
    try checkSuccessor(newer)
    return try FileKeys(verifying: newer, storeKey: storeKey)
  }

  /// Loads a newer header of the same file that is under a new store key.
  ///
  /// - Throws: `wrongSecret` if the secret was not kept; otherwise the errors of `unlock` and of `reloading`.
  package func reloading(
    _ newer: FileHeader,
    with secret: SlotSecret,
    slot id: UInt32? = nil
  ) throws(CryptoError) -> FileKeys {
    try checkSuccessor(newer)
    return try FileKeys.unlock(newer, with: secret, slot: id)
  }

  /// Throws if this header is older than the pages, which note the least acceptable sequence number.
  ///
  /// - Parameter least: The row `headerSequence` of `nacre_store`.
  /// - Throws: `headerTampered`.
  package func check(leastSequence least: Int64) throws(CryptoError) {
    guard least >= 1, sequence >= UInt64(least) else {
      throw .badHeader("it is older than the pages")
    }
  }

  /// Throws unless a header can come after this one.
  private func checkSuccessor(_ newer: FileHeader) throws(CryptoError) {
    guard newer.storeID == storeID, newer.pageByteCount == pageByteCount else {
      throw .badHeader("it belongs to another file")
    }
    guard newer.sequence > sequence || newer == header else {
      throw .badHeader("it is older than one already seen")
    }
  }
}

// MARK: - Asking for keys

extension FileKeys {
  /// The key with an id; throws if it may not open.
  ///
  /// - Throws: `unknownKey`, `disabledKey` or `destroyedKey`.
  func key(for id: KeyID) throws(CryptoError) -> DataKey {
    switch header.keys.first(where: { $0.id == id })?.state {
    case .disabled:
      throw CryptoError(.disabledKey, keyID: id, message: "file key \(id) is disabled")
    case .destroyed:
      throw CryptoError(.destroyedKey, keyID: id, message: "file key \(id) was destroyed")
    case .pending, .primary, .enabled, nil:
      break
    }
    guard let key = dataKeys[id] else {
      throw CryptoError(.unknownKey, keyID: id, message: "the header has no key \(id)")
    }
    return key
  }

  /// The numbers of the slots with which a secret unlocks these very keys.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - id: The one slot on which the secret is tried, or nil for all.
  /// - Returns: The slots' numbers.
  /// - Throws: `wrongSecret` if there is no such slot; the errors of `unlock` if no slot could be tried.
  package func slots(
    openedBy secret: SlotSecret,
    slot id: UInt32? = nil
  ) throws(CryptoError) -> Set<UInt32> {
    var opened: Set<UInt32> = []
    let slots = header.slots.filter { id == nil || $0.id == id }.compactMap(\.record)
    try Slot.openEach(slots, storeID: storeID, with: secret) { slot, key in
      if key.secret.matches(storeKey.secret) { opened.insert(slot.id) }
      return true
    }
    guard !opened.isEmpty else { throw .wrongSecret }
    return opened
  }
}

extension StoreKey {
  /// The header's MAC.
  func mac(_ header: FileHeader) throws(CryptoError) -> [UInt8] {
    try HMAC(key: headerMACKey()).authenticate(header.macMessage())
  }

  /// Wraps the store key before this one into 72 bytes.
  func wrapFormer(_ former: StoreKey) throws(CryptoError) -> [UInt8] {
    try XAES.seal(former.secret, key: wrapKey, aad: formerAssociatedData)
  }

  /// Unwraps the store key before this one.
  ///
  /// - Throws: `headerTampered`.
  func unwrapFormer(_ wrapped: [UInt8]) throws(CryptoError) -> StoreKey {
    guard let secret = try XAES.open(wrapped, key: wrapKey, aad: formerAssociatedData) else {
      throw .badHeader("the former store key does not unwrap")
    }
    return try StoreKey(secret, storeID: storeID)
  }

  var formerAssociatedData: [UInt8] { Array("nacre/former/1".utf8) + storeID.bytes }
}
