extension PreparedStatement {
  /// Reads a number of rows, limited to how many a table can have.
  package func rowCount(at index: Int32) -> Int { Int(int64(at: index).asRowCount) }
}

extension Int64 {
  /// The number, limited to how many rows a table can have.
  ///
  /// An adversary who writes to the file or runs the server can make a count any number, and sums must not overflow.
  package var asRowCount: Int64 { Swift.min(Swift.max(self, 0), 1 << 53) }
}
