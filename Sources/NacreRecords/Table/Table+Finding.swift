import NacreCore
import NacreEngine
import NacreStore

extension Table {
  /// Finds records with the caller's own SQL, and returns the other columns of each row with them.
  ///
  /// As in ``fetch(sql:_:)-(String,_)``, columns fill the properties whose columns have their names.
  /// ```swift
  /// let found = try students.find(
  ///   sql: "SELECT s.*, t.name AS t_name FROM Student s JOIN Teacher t ON t.ID = s.teacher"
  /// )
  /// print(found[0].name, found[0]["t_name"])
  /// ```
  ///
  /// - Parameters:
  ///   - sql: one statement with `?` for each argument.
  ///   - arguments: the values of the `?`.
  /// - Returns: the records in the order of the rows.
  /// - Throws: ``NacreError``.
  public func find(sql: String, _ arguments: (any QueryArgument)?...) throws -> [Found<R>] {
    let sql = try SQLArguments(sql, arguments)
    return try read { try $0.find(sql, $1) }
  }

  /// Finds records as ``find(sql:_:)-(String,_)`` does, without blocking the caller's thread.
  ///
  /// - Throws: ``NacreError``.
  public func find(
    sql: String,
    _ arguments: (any QueryArgument)?...
  ) async throws -> sending [Found<R>] {
    let sql = try SQLArguments(sql, arguments)
    return try await readFresh { try $0.find(sql, $1) }
  }
}

extension Record {
  /// Finds records of the type's own table in the current store, as
  /// ``Table/find(sql:_:)-(String,_)`` does.
  ///
  /// - Parameters:
  ///   - sql: one statement with `?` for each argument.
  ///   - arguments: the values of the `?`.
  /// - Returns: the records in the order of the rows.
  /// - Throws: ``NacreError``.
  public static func find(
    sql: String,
    _ arguments: (any QueryArgument)?...
  ) throws -> [Found<Self>] {
    let sql = try SQLArguments(sql, arguments)
    return try Table<Self>().read { try $0.find(sql, $1) }
  }

  /// Finds records as ``find(sql:_:)-(String,_)`` does, without blocking the caller's thread.
  ///
  /// - Throws: ``NacreError``.
  public static func find(
    sql: String,
    _ arguments: (any QueryArgument)?...
  ) async throws -> sending [Found<Self>] {
    let sql = try SQLArguments(sql, arguments)
    return try await Table<Self>().readFresh { try $0.find(sql, $1) }
  }
}
