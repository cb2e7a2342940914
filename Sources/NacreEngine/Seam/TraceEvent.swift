/// An event of a trace; it has the statement's text with placeholders, never bound values.
public enum TraceEvent: Sendable, Equatable {
  /// A statement is about to run, or a statement that SQLite runs within it (the text then starts with `--`).
  case statement(sql: String)
  /// A statement ran to its end or was reset, this many nanoseconds after it started.
  case profile(sql: String, nanoseconds: Int64)
}
