/// What a trace tells about a statement: its text with placeholders, never bound values.
public enum TraceEvent: Sendable, Equatable {
  /// A statement, or a statement that SQLite runs within it (the text then starts with `--`),
  /// is about to run.
  case statement(sql: String)
  /// A statement ran to its end or was reset, this many nanoseconds after it started.
  case profile(sql: String, nanoseconds: Int64)
}
