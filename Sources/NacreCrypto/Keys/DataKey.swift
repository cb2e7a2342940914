/// A data key, unwrapped.
package struct DataKey: Sendable {
  /// The key's number.
  package let id: KeyID
  /// The store it belongs to.
  package let storeID: StoreID
  /// What it is for.
  package let purpose: KeyPurpose
  /// The suite it seals with.
  package let suite: Suite
  /// The 32 bytes.
  let secret: SecretBytes

  /// The check value: HKDF-Expand(key, "nacre/kcv/1" ‖ storeID ‖ keyID u32), 32 bytes.
  func checkValue() throws(CryptoError) -> [UInt8] {
    var info = Array("nacre/kcv/1".utf8) + storeID.bytes
    info.append(bigEndian: id.rawValue)
    let value = try HKDF.expand(secret, info: info)
    // The check value lies in the file and is no secret.
    return value.withUnsafeBytes { Array($0) }
  }
}
