import NacreCore

extension StatementRun {
  /// Refuses a statement with parameters that no reference binds, because they shift the references' parameters.
  ///
  /// - Parameters:
  ///   - statement: the statement.
  ///   - count: how many references it has.
  ///   - areNamed: whether spliced values may have brought parameters with names or numbers; a number may be that of
  ///     another parameter.
  /// - Throws: ``NacreError`` with code `badStatement` if its parameters are not just those of its references.
  func checkParameters(of statement: any PreparedStatement, count: Int, areNamed: Bool = false)
    throws
  {
    let hasNames =
      areNamed && (0..<count).contains { statement.parameterName(at: Int32($0 + 1)) != nil }
    if statement.parameterCount == count && !hasNames { return }
    throw NacreError.dao(
      .badStatement,
      "its SQL has \(statement.parameterCount.counted("parameter")) for "
        + count.counted("reference"),
      advice: "Write #{name} for each value; ?, :name, @name and $name can stand only in quotes."
    )
  }
}
