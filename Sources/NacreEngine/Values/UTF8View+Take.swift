extension Substring.UTF8View {
  /// Takes the first byte away if it is one of the marks.
  ///
  /// - Returns: whether it was.
  mutating func take(_ marks: StaticString) -> Bool {
    guard let first, marks.withUTF8Buffer({ $0.contains(first) }) else { return false }
    self = dropFirst()
    return true
  }
}
