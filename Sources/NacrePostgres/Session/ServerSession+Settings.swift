#if PostgreSQL
import NacreEngine

extension ServerSession {
  /// Gives a new session the settings on which this module relies, by one message.
  func setUp() throws(PostgresError) {
    try runToEnd(
      """
      SET standard_conforming_strings = on; SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; \
      SET intervalstyle = 'iso_8601'; SET bytea_output = 'hex'; SET extra_float_digits = 1; \
      SET client_min_messages = 'warning'; SET backslash_quote = 'off'; \
      SELECT set_config('search_path', \
      coalesce(quote_ident(current_schema()), '""') || ', pg_temp', false); \(limits)
      """,
      sql: nil
    )
    let names = [LayoutTable.name, CommitTable.name].map { "to_regclass('\"\($0)\"')" }
    // NULL for a table that is not there, which is left out.
    let tables = try runToEnd(
      "SELECT concat_ws(' ', \(names.joined(separator: ", ")))",
      sql: nil
    )?.split(separator: " ")
    hasLayoutTable = tables?.contains { $0 == LayoutTable.name } ?? false
    hasCommitTable = tables?.contains { $0 == CommitTable.name } ?? false
    isTokenPrepared = false
  }

  /// Gives the session the settings that can change while it is open.
  func applySettings() throws(PostgresError) { try runToEnd(limits, sql: nil) }

  /// Whether the session may not write.
  var onlyReads: Bool { role == .reader || role == .inspector }

  private var limits: String {
    return """
      SET lock_timeout = \(max(settings.busyTimeoutMilliseconds, 1)); \
      SET statement_timeout = \(settings.statementTimeoutMilliseconds); \
      SET default_transaction_read_only = \(onlyReads ? "on" : "off")\
      \(settings.commitsDurably || syncsCommits ? "; SET synchronous_commit = on" : "")
      """
  }
}
#endif
