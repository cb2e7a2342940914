/// An order of texts that SQL can name: `ORDER BY a COLLATE name`.
package struct Collation: Sendable {
  /// Its name in SQL.
  package let name: String

  /// Less than, equal to or greater than 0, as the first text comes before the second, beside it or behind it.
  package let body: @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32

  /// Makes a collation, which a connection knows once it is defined there.
  ///
  /// - Parameters:
  ///   - name: its name in SQL.
  ///   - body: compares two texts in UTF-8; always the same way, and any three of them consistently.
  package init(
    _ name: String,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32
  ) {
    self.name = name
    self.body = body
  }
}
