extension Range<Int> {
  /// How many of the numbers a test is true of.
  func count(_ test: (Int) throws -> Bool) rethrows -> Int {
    try reduce(0) { try $0 + (test($1) ? 1 : 0) }
  }
}
