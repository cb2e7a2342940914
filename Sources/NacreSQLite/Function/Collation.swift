/// An order of texts that SQL can name, as in `ORDER BY a COLLATE name`.
///
/// A class, because SQLite keeps a pointer to it.
package final class Collation: Sendable {
  /// The collation's name in SQL.
  package let name: String

  /// Returns less than, equal to or greater than 0 if the first text comes before, equals or comes after the second.
  package let body: @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32

  /// Makes a collation; a connection can use it after `define(_:)`.
  ///
  /// - Parameters:
  ///   - name: The collation's name in SQL.
  ///   - body: Compares two texts in UTF-8. It must always give the same result, and be consistent for any three texts.
  package init(
    _ name: String,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32
  ) {
    self.name = name
    self.body = body
  }
}
