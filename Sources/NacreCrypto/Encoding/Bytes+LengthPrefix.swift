extension [UInt8] {
  /// Appends `LP(x)`: a 2-byte length and then the UTF-8 of a name.
  ///
  /// - Throws: `lengthTooLarge` if the name has more than 65,535 bytes.
  mutating func append(lengthPrefixed name: String) throws(CryptoError) {
    guard let length = UInt16(exactly: name.utf8.count) else { throw .tooLong(name.utf8.count) }
    append(bigEndian: length)
    append(contentsOf: name.utf8)
  }
}
