/// A function that SQL can call; it makes one value from a row's values.
///
/// A class, because SQLite keeps a pointer to it.
package final class ScalarFunction: Sendable {
  /// The function's name in SQL.
  package let name: String

  /// The number of arguments.
  package let argumentCount: Int32

  /// The function's code; it must always give the same result for the same arguments.
  package let body: @Sendable (FunctionArguments) -> FunctionResult

  /// Makes a function; a connection can use it after `define(_:)`.
  package init(
    _ name: String,
    argumentCount: Int32,
    _ body: @escaping @Sendable (FunctionArguments) -> FunctionResult
  ) {
    self.name = name
    self.argumentCount = argumentCount
    self.body = body
  }
}

/// The result of a function; SQLite copies the bytes.
package enum FunctionResult {
  /// SQL NULL.
  case null
  /// An INTEGER.
  case integer(Int64)
  /// A REAL.
  case real(Double)
  /// TEXT.
  case string(String)
  /// TEXT as UTF-8.
  case text(UnsafeRawBufferPointer)
  /// A BLOB.
  case blob(UnsafeRawBufferPointer)
}
