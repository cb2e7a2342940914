/// A statement with the arguments for its `?`, which a hook returns instead of running it.
public struct SQLStatement: ExpressibleByStringLiteral {
  /// The statement's text.
  public let sql: String
  /// The arguments, one for each parameter.
  public let arguments: [(any StorableValue)?]

  /// Makes a statement.
  ///
  /// - Parameters:
  ///   - sql: one statement.
  ///   - arguments: one for each of its parameters.
  public init(_ sql: String, _ arguments: (any StorableValue)?...) {
    self.sql = sql
    self.arguments = arguments
  }

  /// Makes a statement without arguments.
  public init(stringLiteral sql: String) {
    self.sql = sql
    arguments = []
  }
}
