extension KeyID {
  /// A fresh id that is not in use.
  static func random(avoiding used: [KeyRecord]) throws(CryptoError) -> KeyID {
    while true {
      let bytes = try Randomness.bytes(4)
      let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if number != 0, !used.contains(where: { $0.id.rawValue == number }) {
        return KeyID(rawValue: number)
      }
    }
  }
}
