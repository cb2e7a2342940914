package import NacreEngine

// Reading with the caller's own SQL. In a sealed property's column, SQL sees the envelope, not the
// value.

extension Database {
  /// Reads all rows of one statement, each as its values in order.
  ///
  /// ``rows(_:_:)-(_,((any QueryArgument)?)...)`` returns the columns' names, too.
  ///
  /// - Throws: ``NacreError``, also if the number of arguments differs from the number of
  ///   parameters.
  public func query(_ sql: String, _ arguments: (any QueryArgument)?...) throws -> [[Value]] {
    try rows(SQLArguments(sql, arguments)).map(\.values)
  }

  /// Reads all rows of one statement.
  ///
  /// - Parameters:
  ///   - sql: One statement with `?` for each argument.
  ///   - arguments: The values of the `?`.
  /// - Returns: The rows.
  /// - Throws: ``NacreError``, also if the number of arguments differs from the number of
  ///   parameters.
  public func rows(_ sql: String, _ arguments: (any QueryArgument)?...) throws -> [Row] {
    try rows(SQLArguments(sql, arguments))
  }

  /// Reads all rows of one statement with named arguments.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func rows(_ sql: String, _ arguments: NamedArguments) throws -> [Row] {
    try rows(SQLArguments(sql, arguments))
  }

  /// Reads the rows of one statement one after another, in constant memory, inside this `read` or
  /// `write`.
  ///
  /// - Parameters:
  ///   - sql: One statement with `?` for each argument.
  ///   - arguments: The values of the `?`.
  /// - Returns: The cursor, before its first row.
  /// - Throws: ``NacreError``, also if the number of arguments differs from the number of
  ///   parameters.
  public func cursor(_ sql: String, _ arguments: (any QueryArgument)?...) throws -> RowCursor {
    try NacreError.wrapping { try RowCursor(self, SQLArguments(sql, arguments)) }
  }

  /// Reads the rows of one statement with named arguments one after another.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func cursor(_ sql: String, _ arguments: NamedArguments) throws -> RowCursor {
    try NacreError.wrapping { try RowCursor(self, SQLArguments(sql, arguments)) }
  }

  /// Reads the single value that a statement returns; nil if there is no row or the value is NULL.
  /// ```swift
  /// let count = try store.read { try $0.value("SELECT count(*) FROM Car", as: Int.self) }
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One statement with one column; only its first row is read.
  ///   - arguments: The values of the `?`.
  ///   - type: The value's type.
  /// - Returns: The value.
  /// - Throws: ``NacreError``, also if there is more than one column.
  public func value<T: StorableValue>(
    _ sql: String,
    _ arguments: (any QueryArgument)?...,
    as type: T.Type = Value.self
  ) throws -> T? {
    try value(SQLArguments(sql, arguments))
  }

  /// Reads the single value that a statement with named arguments returns; nil if there is no row
  /// or the value is NULL.
  ///
  /// - Throws: ``NacreError``, also if there is more than one column.
  public func value<T: StorableValue>(
    _ sql: String,
    _ arguments: NamedArguments,
    as type: T.Type = Value.self
  ) throws -> T? {
    try value(SQLArguments(sql, arguments))
  }

  /// Reads the rows of one statement into values of a type, each property from the column of its
  /// name.
  ///
  /// It reads a date, URL, UUID, decimal or other ``StorableValue`` as it reads an entity's
  /// property, an enum by its raw value, and any other `Codable` type from JSON. An optional
  /// property may have no column. A type that is not a struct, such as `Int`, is read from the only
  /// column.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - sql: One statement with `?` for each argument.
  ///   - arguments: The values of the `?`.
  /// - Returns: A value for each row.
  /// - Throws: ``NacreError``, which names a column that is missing or holds something else.
  public func decode<T: Decodable>(
    _ type: T.Type,
    _ sql: String,
    _ arguments: (any QueryArgument)?...
  ) throws -> [T] {
    try decode(SQLArguments(sql, arguments))
  }

  /// Reads the rows of one statement with named arguments into values of a type.
  ///
  /// - Throws: ``NacreError``, which names a column that is missing or holds something else.
  public func decode<T: Decodable>(
    _ type: T.Type,
    _ sql: String,
    _ arguments: NamedArguments
  ) throws -> [T] {
    try decode(SQLArguments(sql, arguments))
  }

  /// Runs one statement with named arguments.
  ///
  /// - Returns: How many rows it changed.
  /// - Throws: ``NacreError``, also if an argument is missing.
  @discardableResult
  public func execute(_ sql: String, _ arguments: NamedArguments) throws -> Int {
    try execute(SQLArguments(sql, arguments))
  }

  // MARK: - Reading

  func rows(_ sql: SQLArguments) throws -> [Row] {
    var rows: [Row] = []
    try eachRow(sql) { rows.append($0) }
    return rows
  }

  func eachRow(_ sql: SQLArguments, _ body: (Row) throws -> Void) throws {
    try NacreError.wrapping {
      var names: ColumnNames?
      try guardingSealed(sql.text) {
        try each(sql.text, sql.values) { statement in
          let known = names ?? statement.columnNames
          names = known
          try body(statement.row(known))
        }
      }
    }
  }

  private func value<T: StorableValue>(_ sql: SQLArguments) throws -> T? {
    try NacreError.wrapping {
      try guardingSealed(sql.text) { () throws -> T? in
        let statement = try bound(sql.text, sql.values)
        defer { statement.reset() }
        let hasRow = try statement.step()
        guard statement.columnCount == 1 else {
          throw NacreError(
            .badStatement,
            detail:
              "one value was asked for, and the statement has "
              + statement.columnCount.counted("column")
          )
        }
        guard hasRow, !statement.isNull(at: 0) else { return nil }
        return try T(storedValue: statement.value(at: 0))
      }
    }
  }

  private func decode<T: Decodable>(_ sql: SQLArguments) throws -> [T] {
    var values: [T] = []
    try eachRow(sql) { values.append(try $0.decoded()) }
    return values
  }
}
