import NacreCore
import NacreEngine
import NacreStore

extension Table {
  /// Reads all records one after another, in constant memory.
  /// ```swift
  /// let students = try Table<Student>().cursor(orderBy: "name")
  /// while let student = try students.next() { print(student.name) }
  /// ```
  ///
  /// - Parameter order: SQL, such as `"age DESC"`.
  /// - Returns: the cursor, before its first record.
  /// - Throws: ``NacreError``.
  public func cursor(orderBy order: String? = nil) throws -> RecordCursor<R> {
    try all.arranged(order).cursor()
  }

  /// The async twin of ``cursor(orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public func cursor(orderBy order: String? = nil) async throws -> sending RecordCursor<R> {
    try await all.arranged(order).cursor()
  }

  /// Reads the records that match a condition one after another, in constant memory.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: the values of the `?`.
  ///   - order: SQL, such as `"age DESC"`.
  /// - Returns: the cursor, before its first record.
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func cursor(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil
  ) throws -> RecordCursor<R> {
    try query(condition, arguments).arranged(order).cursor()
  }

  /// The async twin of ``cursor(where:_:orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func cursor(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil
  ) async throws -> sending RecordCursor<R> {
    try await query(condition, arguments).arranged(order).cursor()
  }
}
