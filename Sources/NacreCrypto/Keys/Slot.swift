/// The secret with which an application unlocks a ring.
package enum SlotSecret: Sendable {
  /// Exactly 32 bytes of full entropy: from a key file, the environment, a command or a KMS.
  case raw(SecretBytes)
  /// A passphrase in UTF-8, stretched by scrypt.
  case passphrase(SecretBytes)

  /// The kind of slot that the secret opens.
  package var kind: SlotRecord.Kind {
    switch self {
    case .raw: .secret
    case .passphrase: .passphrase
    }
  }
}

/// A slot in the form of the file: the store key, sealed under one secret.
package struct SlotRecord: Sendable, Equatable {
  /// The kind of secret, with its name in the file.
  package enum Kind: String, Sendable, CaseIterable {
    case secret
    case passphrase
  }

  /// The slot's number.
  package var id: UInt32
  /// The kind of secret.
  package var kind: Kind
  /// Empty for a secret; JSON for a passphrase.
  package var parameters: String
  /// The store key under the slot key, 72 bytes.
  package var sealed: [UInt8]

  package init(id: UInt32, kind: Kind, parameters: String, sealed: [UInt8]) {
    self.id = id
    self.kind = kind
    self.parameters = parameters
    self.sealed = sealed
  }
}

extension SlotRecord {
  /// Whether the parameters and the length allow some secret to open the slot.
  package var isWellFormed: Bool {
    guard sealed.count == KeyRecord.wrappedByteCount else { return false }
    return switch kind {
    case .secret: parameters.isEmpty
    case .passphrase: (try? ScryptParameters(json: parameters)) != nil
    }
  }
}

/// Seals and opens store keys in slots.
enum Slot {
  /// The limit on the work for one passphrase, as the sum of the slots' N.
  ///
  /// It allows 64 slots of a writer's 2^17, about half a minute. Nothing authenticates a slot, so a file can hold any
  /// number of the most expensive ones.
  static let scryptBudget: UInt64 = 1 << 23

  /// Seals a store key for a secret.
  ///
  /// - Throws: `malformedKey` for a raw secret of any length but 32 bytes, `badParameters` for an N that is not a power
  ///   of two from 2^14 to 2^20.
  static func seal(
    _ storeKey: StoreKey,
    id: UInt32,
    secret: SlotSecret,
    scryptN: UInt64
  ) throws(CryptoError) -> SlotRecord {
    var parameters = ""
    let slotKey: SecretBytes
    switch secret {
    case .raw(let raw):
      slotKey = try rawSlotKey(raw, storeID: storeKey.storeID)
    case .passphrase(let passphrase):
      let scrypt = try ScryptParameters(n: scryptN, salt: try Randomness.bytes(32))
      parameters = scrypt.json
      slotKey = try scrypt.derive(passphrase)
    }
    let sealed = try XAES.seal(
      storeKey.secret,
      key: slotKey,
      aad: associatedData(storeKey.storeID, id)
    )
    return SlotRecord(id: id, kind: secret.kind, parameters: parameters, sealed: sealed)
  }

  /// Returns the store key from the first slot that opens.
  ///
  /// - Throws: If no slot opens: `slotsNotTried` if the slots together ask for too much work, else `badParameters` if
  ///   one could not be tried, else `wrongSecret`; `malformedKey` for a raw secret of any length but 32 bytes.
  static func open(
    _ slots: [SlotRecord],
    storeID: StoreID,
    with secret: SlotSecret,
    budget: UInt64 = scryptBudget
  ) throws(CryptoError) -> StoreKey {
    var found: StoreKey?
    try openEach(slots, storeID: storeID, with: secret, budget: budget) { _, storeKey in
      found = storeKey
      return false
    }
    // `openEach` throws if no slot opens, so this guard does not fail.
    guard let found else { throw .wrongSecret }
    return found
  }

  /// Opens one slot after the other until `body` returns false.
  ///
  /// - Throws: The same errors as ``open(_:storeID:with:budget:)``; a slot that could not be tried is skipped if
  ///   another one opens.
  static func openEach(
    _ slots: [SlotRecord],
    storeID: StoreID,
    with secret: SlotSecret,
    budget: UInt64 = scryptBudget,
    _ body: (SlotRecord, StoreKey) -> Bool
  ) throws(CryptoError) {
    var (hasOpened, budget) = (false, budget)
    var untried: CryptoError?
    // Check the length first, so that no passphrase is stretched for nothing.
    for slot in slots
    where slot.kind == secret.kind && slot.sealed.count == KeyRecord.wrappedByteCount {
      let slotKey: SecretBytes
      do throws(CryptoError) {
        slotKey = try self.slotKey(slot, storeID: storeID, secret: secret, budget: &budget)
      } catch {
        // Keep `slotsNotTried`, because its reader can do something about slots that were not tried.
        if untried?.code == .slotsNotTried { continue }
        untried = error
        continue
      }
      let aad = associatedData(storeID, slot.id)
      guard let opened = try XAES.open(slot.sealed, key: slotKey, aad: aad) else { continue }
      hasOpened = true
      guard body(slot, try StoreKey(opened, storeID: storeID)) else { return }
    }
    guard hasOpened else { throw untried ?? .wrongSecret }
  }

  private static func slotKey(
    _ slot: SlotRecord,
    storeID: StoreID,
    secret: SlotSecret,
    budget: inout UInt64
  ) throws(CryptoError) -> SecretBytes {
    switch secret {
    case .raw(let raw):
      return try rawSlotKey(raw, storeID: storeID)
    case .passphrase(let passphrase):
      let scrypt = try ScryptParameters(json: slot.parameters)
      guard scrypt.n <= budget else { throw .tooMuchWork }
      budget -= scrypt.n
      return try scrypt.derive(passphrase)
    }
  }

  static func rawSlotKey(
    _ raw: SecretBytes,
    storeID: StoreID
  ) throws(CryptoError) -> SecretBytes {
    guard raw.count == 32 else { throw .malformed(raw) }
    return try HKDF.derive(raw, salt: storeID.bytes, info: Array("nacre/slot-key/1".utf8))
  }

  static func associatedData(_ storeID: StoreID, _ id: UInt32) -> [UInt8] {
    var aad = Array("nacre/slot/1".utf8) + storeID.bytes
    aad.append(bigEndian: id)
    return aad
  }
}

extension CryptoError {
  static var wrongSecret: CryptoError {
    CryptoError(.wrongSecret, message: "no slot of this store opens with the given secret")
  }

  fileprivate static var tooMuchWork: CryptoError {
    CryptoError(
      .slotsNotTried,
      message: "trying the passphrase on all slots would take too much work"
    )
  }
}
