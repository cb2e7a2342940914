/// A data key in the form of the file.
package struct KeyRecord: Sendable, Equatable {
  /// `nonce[24] ‖ ciphertext[32] ‖ tag[16]`.
  package static let wrappedByteCount = 72
  /// The length of a check value.
  package static let checkByteCount = 32

  /// The key's number.
  package var id: KeyID
  /// The purpose of the key.
  package var purpose: KeyPurpose
  /// The suite with which the key seals.
  package var suite: Suite
  /// The key's state, which decides whether it seals and opens.
  package var state: KeyState
  /// The time at which the key was made, in milliseconds since 1970.
  package var created: UInt64
  /// The key wrapped by the store key, 72 bytes, or nil if the key was destroyed.
  package var wrapped: [UInt8]?
  /// The check value, 32 bytes, or nil if the key was destroyed.
  package var check: [UInt8]?
}

extension KeyRecord {
  /// Makes a record from the numbers of a row.
  ///
  /// - Throws: `ringTampered` if a number is impossible in format 1.
  package init(
    id: Int64,
    purpose: Int64,
    suite: Int64,
    state: Int64,
    created: Int64,
    wrapped: [UInt8]?,
    check: [UInt8]?
  ) throws(CryptoError) {
    guard let id = UInt32(exactly: id), id != 0,
      let purpose = UInt8(exactly: purpose).flatMap(KeyPurpose.init(rawValue:)),
      KeyPurpose.ofRing.contains(purpose),
      let suite = UInt8(exactly: suite).flatMap(Suite.init(rawValue:)),
      let state = UInt8(exactly: state).flatMap(KeyState.init(rawValue:)),
      let created = UInt64(exactly: created)
    else { throw .tampered("a row of the key ring holds an impossible number") }
    self.init(
      id: KeyID(rawValue: id),
      purpose: purpose,
      suite: suite,
      state: state,
      created: created,
      wrapped: wrapped,
      check: check
    )
  }

  /// Whether the lengths fit the state.
  var isWellFormed: Bool {
    if state == .destroyed { return wrapped == nil && check == nil }
    return wrapped?.count == KeyRecord.wrappedByteCount && check?.count == KeyRecord.checkByteCount
  }
}

/// A key ring in the form of the file; believe it only after checking its MAC.
package struct RingRecord: Sendable, Equatable {
  /// The store.
  package var storeID: StoreID
  /// A number that grows with every change; it has two parts (Vectors/FORMAT.md), and a change of the ring raises the
  /// lower one.
  package var generation: UInt64
  /// HMAC-SHA-256 over the whole ring, 32 bytes.
  package var mac: [UInt8]
  /// The keys, by id.
  package var keys: [KeyRecord]

  package init(storeID: StoreID, generation: UInt64, mac: [UInt8], keys: [KeyRecord]) {
    self.storeID = storeID
    self.generation = generation
    self.mac = mac
    self.keys = keys
  }

  /// The bytes that the MAC covers.
  func macMessage() -> [UInt8] {
    var message = Array("nacre/ring/1".utf8) + storeID.bytes
    message.append(bigEndian: generation)
    for key in keys.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      message.append(bigEndian: key.id.rawValue)
      message.append(key.purpose.rawValue)
      message.append(key.suite.rawValue)
      message.append(key.state.rawValue)
      message.append(bigEndian: key.created)
      message.append(contentsOf: key.wrapped ?? [])
      message.append(contentsOf: key.check ?? [])
    }
    return message
  }
}

extension CryptoError {
  /// `ringTampered` with a message that says what was found.
  static func tampered(_ message: String) -> CryptoError {
    CryptoError(.ringTampered, message: message)
  }
}
