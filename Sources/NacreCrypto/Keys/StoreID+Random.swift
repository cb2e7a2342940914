extension StoreID {
  /// A fresh store id.
  ///
  /// - Throws: `randomFailure`.
  package static func random() throws(CryptoError) -> StoreID {
    let bytes = try Randomness.bytes(16)
    return bytes.withUnsafeBytes {
      StoreID(
        high: $0.loadUnaligned(as: UInt64.self),
        low: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
    }
  }
}
