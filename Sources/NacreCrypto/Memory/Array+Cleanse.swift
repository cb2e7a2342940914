extension Array where Element: BitwiseCopyable {
  /// Overwrites the elements with zeros, in a way that no optimiser removes.
  mutating func cleanse() {
    withUnsafeMutableBytes { SecureMemory.cleanse($0) }
  }
}
