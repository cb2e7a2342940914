#if PostgreSQL
package import NacreEngine

/// An error that a PostgreSQL server reports, or that libpq or this module finds.
///
/// It carries the server's SQLSTATE and message and the SQL text as it was prepared. It never carries a password, a
/// bound value, or the server's DETAIL, which quotes rows.
package struct PostgresError: Error, Sendable {
  /// The five characters by which the server names the failure; nil if it was not the server that found it.
  package let sqlState: String?
  /// The kind of failure.
  package let kind: EngineErrorKind
  /// The server's message, or this module's.
  package let message: String
  /// The SQL text that failed, with its placeholders; nil if no statement was involved.
  package let sql: String?
  /// The table and column that the server names beside the message, such as those of a violated constraint.
  let place: String?
  /// What the module above makes of the failure of a write that was sent ahead.
  package var origin: (any Error)?

  /// Makes an error of this module.
  init(_ kind: EngineErrorKind, _ message: String, sql: String? = nil) {
    self.init(sqlState: nil, kind: kind, message: message, sql: sql, place: nil)
  }

  init(sqlState: String?, kind: EngineErrorKind, message: String, sql: String?, place: String?) {
    self.sqlState = sqlState
    self.kind = kind
    self.message = message
    self.sql = sql
    self.place = place
  }

  /// The same error of a statement that would write on a connection that only reads.
  var asWriteOnReader: PostgresError {
    PostgresError(
      sqlState: sqlState,
      kind: .writeOnReader,
      message: message,
      sql: sql,
      place: place
    )
  }

  /// The error for a server that no attempt has reached, which says what each has met.
  static func all(_ failures: [PostgresError]) -> PostgresError {
    guard let last = failures.last else { return PostgresError(.cannotOpen, "there is no host") }
    var messages: [String] = []
    for failure in failures where !messages.contains(failure.message) {
      messages.append(failure.message)
    }
    return PostgresError(
      sqlState: last.sqlState,
      kind: last.kind,
      message: messages.joined(separator: "; "),
      sql: last.sql,
      place: nil
    )
  }

  /// The error for a connection whose socket or server is gone.
  static func lost(_ reason: String, sql: String? = nil) -> PostgresError {
    PostgresError(.connectionLost, reason, sql: sql)
  }
}

extension PostgresError: EngineError {
  /// The constraint that was violated.
  package var violation: ConstraintViolation? {
    guard kind == .constraint else { return nil }
    let violated: ConstraintViolation.Kind =
      switch sqlState {
      case "23505": .unique
      case "23503": .foreignKey
      case "23502": .notNull
      case "23514": .check
      default: .other
      }
    return ConstraintViolation(kind: violated, place: place)
  }

  /// Nil: the server names dependents in its DETAIL alone.
  package var dependent: String? { nil }

  /// Whether a statement names a table that does not exist (SQLSTATE 42P01).
  package func isMissing(table: String) -> Bool {
    // The server has no field for the name of a table that is not there.
    sqlState == "42P01" && message.contains("\"\(table)\"")
  }

  package func withoutTexts() -> any EngineError {
    let shown = sqlState == nil ? "the connection failed" : "the server refused the statement"
    return PostgresError(
      sqlState: sqlState,
      kind: kind,
      message: shown,
      sql: nil,
      place: place
    )
  }
}

extension PostgresError: CustomStringConvertible {
  /// The error in one line: the SQLSTATE, the message and the SQL text, without bound values.
  package var description: String {
    let head = sqlState.map { "PostgreSQL error \($0): \(message)" } ?? "PostgreSQL: \(message)"
    guard let sql else { return head }
    return "\(head) (in: \(sql))"
  }
}
#endif
