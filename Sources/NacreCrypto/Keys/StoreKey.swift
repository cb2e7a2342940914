/// The key that wraps the data keys of one store, with the keys derived from it.
struct StoreKey: Sendable {
  let storeID: StoreID
  let secret: SecretBytes
  let wrapKey: SecretBytes
  let ringMACKey: SecretBytes
  let journalMACKey: SecretBytes
  let catalogMACKey: SecretBytes

  /// Derives the keys from a store key's 32 bytes.
  init(_ secret: SecretBytes, storeID: StoreID) throws(CryptoError) {
    guard secret.count == 32 else { throw .malformed(secret) }
    self.storeID = storeID
    self.secret = secret
    let salt = storeID.bytes
    wrapKey = try HKDF.derive(secret, salt: salt, info: Array("nacre/wrap/1".utf8))
    ringMACKey = try HKDF.derive(secret, salt: salt, info: Array("nacre/ring-mac/1".utf8))
    journalMACKey = try HKDF.derive(secret, salt: salt, info: Array("nacre/journal/1".utf8))
    catalogMACKey = try HKDF.derive(secret, salt: salt, info: Array("nacre/catalog/1".utf8))
  }

  /// A fresh store key.
  static func random(storeID: StoreID) throws(CryptoError) -> StoreKey {
    try StoreKey(try SecretBytes(random: 32), storeID: storeID)
  }

  /// Wraps a data key into 72 bytes.
  func wrap(_ key: DataKey) throws(CryptoError) -> [UInt8] {
    try XAES.seal(
      key.secret,
      key: wrapKey,
      aad: associatedData(key.id, key.purpose, key.suite)
    )
  }

  /// Unwraps a data key and compares its check value.
  ///
  /// - Throws: `ringTampered` if the key does not unwrap or the check value differs.
  func unwrap(_ record: KeyRecord) throws(CryptoError) -> DataKey {
    let aad = associatedData(record.id, record.purpose, record.suite)
    guard let wrapped = record.wrapped, wrapped.count == KeyRecord.wrappedByteCount,
      let secret = try XAES.open(wrapped, key: wrapKey, aad: aad)
    else {
      throw CryptoError(
        .ringTampered,
        keyID: record.id,
        message: "a key of the ring does not unwrap"
      )
    }
    let key = DataKey(
      id: record.id,
      storeID: storeID,
      purpose: record.purpose,
      suite: record.suite,
      secret: secret
    )
    guard let check = record.check, SecureMemory.equal(check, try key.checkValue()) else {
      throw CryptoError(
        .ringTampered,
        keyID: record.id,
        message: "the key does not match its check value"
      )
    }
    return key
  }

  /// The key of the anchor's MAC; it is derived only when needed, which is rare.
  func anchorKey() throws(CryptoError) -> SecretBytes {
    try HKDF.derive(secret, salt: storeID.bytes, info: Array("nacre/anchor/1".utf8))
  }

  /// The key of a sealed file's header's MAC; it is derived only when needed, which is rare.
  func headerMACKey() throws(CryptoError) -> SecretBytes {
    try HKDF.derive(secret, salt: storeID.bytes, info: Array("nacre/header/1".utf8))
  }

  /// The ring's MAC.
  func mac(_ record: RingRecord) throws(CryptoError) -> [UInt8] {
    try HMAC(key: ringMACKey).authenticate(record.macMessage())
  }

  func associatedData(_ id: KeyID, _ purpose: KeyPurpose, _ suite: Suite) -> [UInt8] {
    var aad = Array("nacre/key/1".utf8) + storeID.bytes
    aad.append(bigEndian: id.rawValue)
    aad.append(purpose.rawValue)
    aad.append(suite.rawValue)
    return aad
  }
}
