#if PostgreSQL
import CPQ
import NacreEngine

// Rows that are not read to their end, between which other statements run, or which are many, come from a cursor of the
// server's, some at a time (PostgreSQL's documentation, DECLARE). All rows of another statement are on their way when it
// has started, and the session would have to keep or drop them before it runs the next one. libpq makes a result of each
// of them, where the rows of a portion have one.
extension ServerSession {
  /// Declares a cursor in the open transaction, and takes its first rows by the same round trip.
  ///
  /// - Parameters:
  ///   - sql: The statement, for errors.
  ///   - count: How many rows to take at most.
  ///   - isBinary: Whether the rows' values come in their binary form.
  ///   - isWhole: Whether the rows are most likely read to their end, for which the server plans in another way.
  ///   - declare: Calls libpq to declare the cursor under a name, and returns what that returns.
  /// - Returns: The cursor and its rows, which the caller clears.
  /// - Throws: The engine's error.
  func openCursor(
    _ sql: String,
    count: Int,
    isBinary: Bool,
    isWhole: Bool,
    _ declare: (_ name: String, OpaquePointer) -> Int32
  ) throws(PostgresError) -> (OpenCursor, rows: OpaquePointer) {
    let cursor = OpenCursor(makeName(), sql, isBinary: isBinary)
    let planning = "SET LOCAL cursor_tuple_fraction = \(isWhole ? "1" : "0.1")"
    let results = try pipeline(sql, keepsRows: true) { handle in
      cursors.allSatisfy { !$0.isUnused || send("CLOSE \"\($0.name)\"", on: handle) }
        && send(planning, on: handle)
        && declare(cursor.name, handle) == 1
        && send(cursor.fetch(count), isBinary: isBinary, on: handle)
    }
    cursors.removeAll(where: \.isUnused)
    cursor.depth = depth
    cursors.append(cursor)
    return (cursor, try rows(in: results, sql))
  }

  /// Takes the next rows of a cursor, which may be on their way.
  ///
  /// - Returns: The rows, which the caller clears.
  /// - Throws: The engine's error, also if the transaction of the cursor has ended.
  func fetch(_ count: Int, from cursor: OpenCursor) throws(PostgresError) -> OpaquePointer {
    if let arrived = cursor.takeArrived() { return try arrived.get() }
    guard handle != nil else { throw .lost("the connection was closed", sql: cursor.sql) }
    guard cursors.contains(where: { $0 === cursor }), isInTransaction else {
      throw PostgresError(
        .rolledBack,
        "the transaction or savepoint in which the rows were asked for has ended",
        sql: cursor.sql
      )
    }
    if fetching !== cursor {
      try makeIdle()
      try sendFetch(count, from: cursor)
    }
    fetching = nil
    return try takeRows(cursor.sql).get()
  }

  /// Asks for the next rows of a cursor while the caller reads those before them, unless something else is under way.
  func fetchAhead(_ count: Int, from cursor: OpenCursor) throws(PostgresError) {
    guard isIdle, isInTransaction else { return }
    try sendFetch(count, from: cursor)
  }

  private func sendFetch(_ count: Int, from cursor: OpenCursor) throws(PostgresError) {
    guard let handle else { throw .lost("the connection is closed", sql: cursor.sql) }
    wasInTransaction = isInTransaction
    try canceller.admit(cursor.sql)
    guard send(cursor.fetch(count), isBinary: cursor.isBinary, on: handle) else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), cursor.sql)
    }
    fetching = cursor
    try flush(cursor.sql)
  }

  /// Takes the rows that are on their way, so that another statement can be sent.
  func keepFetchedRows() throws(PostgresError) {
    guard let cursor = fetching else { return }
    fetching = nil
    cursor.keep(try takeRows(cursor.sql))
  }

  /// Whether rows are on their way that the server has yet to find.
  var isFetching: Bool {
    guard fetching != nil, let handle else { return false }
    return PQconsumeInput(handle) == 1 && PQisBusy(handle) == 1
  }

  private func takeRows(
    _ sql: String
  ) throws(PostgresError) -> Result<OpaquePointer, PostgresError> {
    var results: [OpaquePointer] = []
    let failure: PostgresError?
    do throws(PostgresError) {
      failure = try takeResults(sql) { results.append($0) }
    } catch {
      for result in results { PQclear(result) }
      throw error
    }
    if let failure {
      for result in results { PQclear(result) }
      return .failure(noted(failure))
    }
    return .success(try rows(in: results, sql))
  }

  /// Returns the rows in the last of some results, and clears the others.
  private func rows(
    in results: [OpaquePointer],
    _ sql: String
  ) throws(PostgresError) -> OpaquePointer {
    for result in results.dropLast() { PQclear(result) }
    guard let last = results.last, PQresultStatus(last) == PGRES_TUPLES_OK else {
      results.last.map(PQclear)
      throw lose("the server has sent no rows of a cursor", sql)
    }
    return last
  }

  /// Forgets the cursors that the server has closed.
  ///
  /// - Parameter depth: The number of savepoints before the one to which the transaction goes back; nil for all cursors.
  func forgetCursors(after depth: Int?) {
    cursors.removeAll { cursor in depth.map { cursor.depth > $0 } ?? true }
  }

  /// Notes that cursors now end with the transaction around a savepoint that was released.
  func keepCursors(releasing depth: Int) {
    for cursor in cursors { cursor.depth = min(cursor.depth, depth) }
  }

  private func send(_ text: String, isBinary: Bool = false, on handle: OpaquePointer) -> Bool {
    PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, isBinary ? 1 : 0) == 1
  }
}

/// A cursor that the server keeps until the end of a transaction or savepoint.
final class OpenCursor {
  let name: String
  /// The statement, for errors.
  let sql: String
  /// Whether the rows' values come in their binary form.
  let isBinary: Bool
  /// The number of savepoints before it.
  var depth = 0
  /// Whether nobody reads it any more; it is closed when the next one is opened.
  var isUnused = false
  /// The rows that had to be taken before another statement.
  private var arrived: Result<OpaquePointer, PostgresError>?

  init(_ name: String, _ sql: String, isBinary: Bool) {
    (self.name, self.sql, self.isBinary) = (name, sql, isBinary)
  }

  deinit { if case .success(let rows) = arrived { PQclear(rows) } }

  /// The statement that returns the next rows.
  func fetch(_ count: Int) -> String { "FETCH \(count) FROM \"\(name)\"" }

  func keep(_ rows: Result<OpaquePointer, PostgresError>) { arrived = rows }

  func takeArrived() -> Result<OpaquePointer, PostgresError>? {
    defer { arrived = nil }
    return arrived
  }
}
#endif
