import NacreEngine
import NacreSQLite
import NacreStore

/// A cursor that reads records one after another, in memory that does not grow with their number.
///
/// Like an ``EntityCursor``, it sees one state of the store from its first row to its last. It
/// keeps a reader of its own until it reaches its end, is closed or is released.
public final class RecordCursor<R: Record> {
  private let rows: BatchReader<R, RecordPlan<R>>

  init(_ store: Store, _ request: RecordRequest, _ schema: RecordSchema<R>) throws {
    rows = try BatchReader(store) { database in
      let plan = try database.entities.plan(for: schema)
      try plan.row.verify(request.terms, request.arguments)
      let statement = try database.connection.prepare(plan.row.sql.select(request.terms))
      try statement.bindAll(request.arguments)
      return (statement, plan)
    } making: { _, statement, plan, limit in
      try plan.records(statement, limit: limit)
    }
  }

  /// Returns the next record, or nil after the last.
  ///
  /// - Throws: ``NacreError``; the cursor is closed then.
  public func next() throws -> R? { try rows.next() }

  /// Gives the reader back.
  ///
  /// A second call does nothing.
  public func close() { rows.close() }
}

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
    let schema = try schema
    return try RecordCursor(store, schema.request(nil, [], order, nil, nil), schema)
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
    let schema = try schema
    return try RecordCursor(store, schema.request(condition, arguments, order, nil, nil), schema)
  }

  /// Reads the records that match a condition with named arguments one after another.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func cursor(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil
  ) throws -> RecordCursor<R> {
    let schema = try schema
    let request = schema.request(try schema.condition(condition, arguments), order, nil, nil)
    return try RecordCursor(store, request, schema)
  }
}
