import CSQLite

extension UnsafeMutableRawBufferPointer {
  /// Overwrites the bytes with zeros before the memory is given back, in a way that no optimizer
  /// leaves out.
  func cleanse() {
    if let start = baseAddress { nacre_sqlite_cleanse(start, count) }
  }
}
