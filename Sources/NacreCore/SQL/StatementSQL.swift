import NacreEngine

/// What is made of a statement of the caller's own.
enum StatementSQL {
  /// Returns a SELECT of the number of rows that a statement has, with the same parameters.
  ///
  /// The line break ends a comment in which the statement's own text may end.
  static func count(_ sql: String, _ dialect: any Dialect) -> String {
    var statement = Substring(sql)
    while let last = statement.last, last == ";" || last.isWhitespace { statement.removeLast() }
    return "SELECT count(*) FROM (\(statement)\n)" + dialect.subqueryName
  }
}
