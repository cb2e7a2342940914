/// A slot to be made for a secret.
package struct NewSlot: Sendable {
  /// The slot's number.
  package var id: UInt32
  /// 32 raw bytes, or a passphrase.
  package var secret: SlotSecret
  /// The cost for a passphrase, a power of two from 2^14 to 2^20.
  package var scryptN: UInt64

  package init(id: UInt32, secret: SlotSecret, scryptN: UInt64 = 1 << 17) {
    self.id = id
    self.secret = secret
    self.scryptN = scryptN
  }

  /// Seals a store key for the secret.
  func seal(_ storeKey: StoreKey) throws(CryptoError) -> SlotRecord {
    try Slot.seal(storeKey, id: id, secret: secret, scryptN: scryptN)
  }
}
