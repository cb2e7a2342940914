/// A function that SQL can call: one value from a row's values.
package struct ScalarFunction: Sendable {
  /// Its name in SQL.
  package let name: String

  /// How many arguments it takes.
  package let argumentCount: Int32

  /// What it does; the same arguments always give the same result.
  package let body: @Sendable (FunctionArguments) -> FunctionResult

  /// Makes a function, which a connection knows once it is defined there.
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

/// What a function gives back; bytes are copied.
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
