/// A statement with the arguments for its `?`, for those who say what to run instead of running it.
public struct SQLStatement: ExpressibleByStringLiteral {
  /// The statement's text.
  public let sql: String
  /// The arguments, one for each parameter.
  public let arguments: [(any QueryArgument)?]
  /// Whether a migration's hook may read sealed cells by it, to copy them as they are.
  public private(set) var copiesSealedCells = false

  /// Makes a statement.
  ///
  /// - Parameters:
  ///   - sql: one statement.
  ///   - arguments: one for each of its parameters.
  public init(_ sql: String, _ arguments: (any QueryArgument)?...) {
    self.sql = sql
    self.arguments = arguments
  }

  /// Makes a statement that copies the cells of sealed properties as they are, which in a hook is refused otherwise; see
  /// ``Database/copyingSealedCells(_:)``.
  ///
  /// - Parameters:
  ///   - sql: one statement.
  ///   - arguments: one for each of its parameters.
  /// - Returns: the statement.
  public static func copyingSealedCells(
    _ sql: String,
    _ arguments: (any QueryArgument)?...
  ) -> SQLStatement {
    SQLStatement(sql: sql, arguments: arguments, copiesSealedCells: true)
  }

  private init(sql: String, arguments: [(any QueryArgument)?], copiesSealedCells: Bool) {
    self.sql = sql
    self.arguments = arguments
    self.copiesSealedCells = copiesSealedCells
  }

  /// Makes a statement without arguments.
  public init(stringLiteral sql: String) {
    self.sql = sql
    arguments = []
  }
}

extension Database {
  /// Runs statements one after another, in a savepoint: all of them, or none.
  ///
  /// - Parameter statements: the statements with their arguments.
  /// - Returns: how many rows they changed.
  /// - Throws: ``NacreError``; then none of them has run.
  @discardableResult
  public func execute(_ statements: [SQLStatement]) throws -> Int {
    try transaction(.immediate) { _ in
      try statements.reduce(0) { count, statement in
        try copyingSealedCells(if: statement.copiesSealedCells) {
          try count + execute(SQLArguments(statement.sql, statement.arguments))
        }
      }
    }
  }
}
