import NacreEngine

// Statements with `Value` arguments, for the catalog and for the caller's own SQL.

extension EngineConnection {
  /// Returns a cached statement with all of its parameters bound.
  package func bound(_ sql: String, _ arguments: [Value]) throws -> any PreparedStatement {
    let statement = try cached(sql)
    try statement.bindAll(arguments)
    return statement
  }

  /// Runs a statement to its end.
  package func run(_ sql: String, _ arguments: [Value]) throws {
    try bound(sql, arguments).run()
  }

  /// Passes each row of a statement to `body`.
  package func each(
    _ sql: String,
    _ arguments: [Value],
    _ body: (any PreparedStatement) throws -> Void
  ) throws {
    let statement = try bound(sql, arguments)
    defer { statement.reset() }
    while try statement.step() { try body(statement) }
  }

  /// Returns what `read` makes of each row of a statement.
  func rows<T>(
    _ sql: String,
    _ arguments: [Value] = [],
    _ read: (any PreparedStatement) throws -> T
  ) throws -> [T] {
    var rows: [T] = []
    try each(sql, arguments) { rows.append(try read($0)) }
    return rows
  }

  /// Returns the first column of the first row, or nil if there is no row.
  package func scalar(_ sql: String, _ arguments: [Value] = []) throws -> Value? {
    let statement = try bound(sql, arguments)
    defer { statement.reset() }
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// Returns the first column of all rows as text; NULL becomes an empty text.
  package func texts(_ sql: String, _ arguments: [Value] = []) throws -> [String] {
    try rows(sql, arguments) { $0.text(at: 0) }
  }
}

extension PreparedStatement {
  /// Binds one argument to each parameter.
  package func bindAll(_ arguments: [Value]) throws {
    guard Int(parameterCount) == arguments.count else {
      throw NacreError(
        .badStatement,
        detail: parameterCount.counted("parameter") + " and " + arguments.count.counted("argument")
      )
    }
    for (index, value) in arguments.enumerated() { try bind(value, at: Int32(index + 1)) }
  }
}
