import NacreEngine

extension SQLiteDialect {
  package func begins(_ cell: String, ofType type: String, with bytes: [UInt8]) -> String {
    // Ranges compare only the first bytes and call no function. The column's own collation could treat different letters
    // as equal, and may be one that this connection does not know.
    let cell = cell + " COLLATE \(byteCollation)"
    let (low, high) = (blob(bytes), blob(Self.following(bytes)))
    let (lowText, highText) = ("CAST(\(low) AS TEXT)", "CAST(\(high) AS TEXT)")
    // Numbers sort before texts, and texts before blobs. Both orders of the conditions find the same cells; each fails
    // early for cells of the type for which the column is declared.
    if ["INTEGER", "REAL"].contains(type.uppercased()) {
      return "(\(cell) >= \(lowText) AND \(cell) < \(high) "
        + "AND (\(cell) < \(highText) OR \(cell) >= \(low)))"
    }
    return "((\(cell) < \(highText) AND \(cell) >= \(lowText)) "
      + "OR (\(cell) >= \(low) AND \(cell) < \(high)))"
  }

  /// Returns the next greater number of the same number of bytes.
  private static func following(_ bytes: [UInt8]) -> [UInt8] {
    var next = bytes
    for index in next.indices.reversed() {
      next[index] &+= 1
      if next[index] != 0 { break }
    }
    return next
  }
}
