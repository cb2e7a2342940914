public import NacreEngine
public import NacreStore

/// A statement with the arguments for its `?`, for code that returns statements instead of running
/// them.
public struct SQLStatement: ExpressibleByStringLiteral {
  /// The statement's text.
  public let sql: String
  /// The arguments, one for each parameter.
  public private(set) var arguments: [(any QueryArgument)?] = []
  /// Whether the statement may read sealed cells in a migration's hook, to copy them as they are.
  public private(set) var copiesSealedCells = false
  /// The entity whose rows change instead of SQL that runs, and what is called with each row.
  fileprivate var rowChange: (entity: String, change: (inout OpenedRow) throws -> Void)?

  /// Makes a statement.
  ///
  /// - Parameters:
  ///   - sql: one statement.
  ///   - arguments: one for each of its parameters.
  public init(_ sql: String, _ arguments: (any QueryArgument)?...) {
    self.sql = sql
    self.arguments = arguments
  }

  /// Makes a statement that may copy the cells of sealed properties as they are.
  ///
  /// In a hook, any other statement that reads such cells is refused; see
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
    var statement = SQLStatement(stringLiteral: sql)
    statement.arguments = arguments
    statement.copiesSealedCells = true
    return statement
  }

  /// Makes a statement that calls a closure with every row of an entity, its sealed values opened,
  /// and stores what the closure sets.
  ///
  /// Use it in a hook that derives other properties from a sealed one, which SQL can't do; see
  /// ``Database/changeRows(of:_:)``.
  ///
  /// The closure can set the class's new properties, and read those that the class no longer has.
  /// ```swift
  /// static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
  ///   [
  ///     .changingRows(of: "Member") { row in
  ///       let words = try row.value("name", as: String.self).split(separator: " ")
  ///       try row.set("first", to: words.first.map { String($0) })
  ///       try row.set("last", to: words.last.map { String($0) })
  ///     }
  ///   ]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - entity: the entity's name.
  ///   - change: called with each row; if it throws, the migration ends and is undone.
  /// - Returns: the statement, whose `sql` is empty.
  public static func changingRows(
    of entity: String,
    _ change: @escaping (inout OpenedRow) throws -> Void
  ) -> SQLStatement {
    var statement: SQLStatement = ""
    statement.rowChange = (entity, change)
    return statement
  }

  /// Makes a statement without arguments.
  public init(stringLiteral sql: String) { self.sql = sql }
}

extension Database {
  /// Runs statements one after another, all or none, in a transaction, or in a savepoint if one is
  /// open.
  ///
  /// - Parameter statements: the statements with their arguments.
  /// - Returns: how many rows they changed.
  /// - Throws: ``NacreError``; then none of them has changed anything.
  @discardableResult
  public func execute(_ statements: [SQLStatement]) throws -> Int {
    try transaction(.immediate) { _ in
      try statements.reduce(0) { count, statement in
        try count + run(statement)
      }
    }
  }

  /// Runs a statement.
  ///
  /// - Returns: how many rows it changed.
  package func run(_ statement: SQLStatement) throws -> Int {
    if let change = statement.rowChange { return try changeRows(of: change.entity, change.change) }
    let run = { try self.execute(SQLArguments(statement.sql, statement.arguments)) }
    return try statement.copiesSealedCells ? copyingSealedCells(run) : run()
  }
}
