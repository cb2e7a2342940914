import NacreCore

extension StatementRun {
  /// Refuses a statement with parameters that no reference binds: they shift those of the references.
  ///
  /// - Parameters:
  ///   - statement: the statement.
  ///   - count: how many references it has.
  ///   - areNamed: whether it may have parameters with names or numbers, which come with values that are parts of the
  ///     SQL; a number may be that of another parameter.
  /// - Throws: the refusal of other parameters than the statement's references.
  func checkParameters(of statement: Statement, count: Int, areNamed: Bool = false) throws {
    let hasNames =
      areNamed && (0..<count).contains { statement.parameterName(at: Int32($0 + 1)) != nil }
    if statement.parameterCount == count && !hasNames { return }
    throw NacreError.dao(
      .badStatement,
      "its SQL has \(statement.parameterCount) parameters for \(count) references",
      advice: "Write #{name} for each value; ?, :name, @name and $name stand in quotes alone."
    )
  }
}
