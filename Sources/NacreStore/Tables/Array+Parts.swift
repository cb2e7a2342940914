extension Array {
  /// Returns the elements in parts of that size; the last part may be smaller.
  func parts(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(dropFirst($0).prefix(size)) }
  }
}
