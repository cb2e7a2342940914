public import NacreStore

/// A statement with the arguments for its `?`, for those who say what to run instead of running it.
public struct SQLStatement: ExpressibleByStringLiteral {
  /// The statement's text.
  public let sql: String
  /// The arguments, one for each parameter.
  public let arguments: [(any QueryArgument)?]
  /// Whether a migration's hook may read sealed cells by it, to copy them as they are.
  public private(set) var copiesSealedCells = false
  /// The change of rows that is made in place of SQL.
  fileprivate var rowChange: RowChange?

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

  /// Makes what shows a closure every row of an entity, its sealed values opened, and stores what it sets: for a hook that
  /// makes other properties of a sealed one, which SQL can't; see ``Database/changeRows(of:_:)``.
  ///
  /// The class's new properties can be set in it, and those read that the class no longer has.
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
  ///   - change: gets each row; what it throws ends the migration, and all of it is taken back.
  /// - Returns: the statement, whose `sql` is empty.
  public static func changingRows(
    of entity: String,
    _ change: @escaping (inout OpenedRow) throws -> Void
  ) -> SQLStatement {
    SQLStatement(change: RowChange(entity: entity, change: change))
  }

  private init(
    sql: String = "",
    arguments: [(any QueryArgument)?] = [],
    copiesSealedCells: Bool = false,
    change: RowChange? = nil
  ) {
    self.sql = sql
    self.arguments = arguments
    self.copiesSealedCells = copiesSealedCells
    rowChange = change
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
        try count + run(statement)
      }
    }
  }

  /// Runs one of the statements of others.
  ///
  /// - Returns: how many rows it changed.
  package func run(_ statement: SQLStatement) throws -> Int {
    if let change = statement.rowChange { return try changeRows(of: change.entity, change.change) }
    let run = { try self.execute(SQLArguments(statement.sql, statement.arguments)) }
    return try statement.copiesSealedCells ? copyingSealedCells(run) : run()
  }
}

/// A closure that gets each row of an entity.
fileprivate struct RowChange {
  let entity: String
  let change: (inout OpenedRow) throws -> Void
}
