package import NacreEngine

// The other requirements are met by the methods as they stand.
extension Connection: EngineConnection {
  @_disfavoredOverload
  package func prepare(_ sql: String, persistent: Bool) throws -> any PreparedStatement {
    let statement: Statement = try prepare(sql, persistent: persistent)
    return statement
  }

  @_disfavoredOverload
  package func cached(_ sql: String) throws -> any PreparedStatement {
    let statement: Statement = try cached(sql)
    return statement
  }

  /// Nil: a cancelled task leaves the statement of a file running.
  package var stopper: (any StatementStopper)? { nil }
}
