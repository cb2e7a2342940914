/// Rows of a table that refer to rows of another which do not exist.
package struct DanglingReferences: Sendable {
  /// The table that refers.
  package let table: String
  /// The table to which it refers.
  package let target: String
  /// How many rows do so.
  package let count: Int64

  package init(table: String, target: String, count: Int64) {
    self.table = table
    self.target = target
    self.count = count
  }
}
