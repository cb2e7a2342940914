/// A data key, unwrapped.
package struct DataKey: Sendable {
  /// The key's number.
  package let id: KeyID
  /// The store to which the key belongs.
  package let storeID: StoreID
  /// The purpose of the key.
  package let purpose: KeyPurpose
  /// The suite with which the key seals.
  package let suite: Suite
  /// The 32 bytes.
  let secret: SecretBytes

  /// The check value: HKDF-Expand(key, "nacre/kcv/1" ‖ storeID ‖ keyID u32), 32 bytes.
  func checkValue() throws(CryptoError) -> [UInt8] {
    var info = Array("nacre/kcv/1".utf8) + storeID.bytes
    info.append(bigEndian: id.rawValue)
    let value = try HKDF.expand(secret, info: info)
    // The check value is stored in the file and is not secret.
    return value.withUnsafeBytes { Array($0) }
  }
}
