extension BinaryInteger {
  /// Returns the number and its noun, for a message: `1 value`, `2 values`.
  ///
  /// - Parameters:
  ///   - one: The noun in the singular.
  ///   - many: The noun in the plural; nil if it only gets an “s”.
  /// - Returns: The number and the noun.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}
