#if PostgreSQL
import CPQ
import NacreEngine

extension ServerSession {
  /// Gives a new session the settings on which this module relies.
  ///
  /// In a shared one they come with each transaction, and with each statement outside of one.
  func setUp() throws(PostgresError) {
    process = try runToEnd("SELECT pg_backend_pid()", sql: nil)
    isShared =
      switch settings.poolMode {
      // A pool makes keys of its own to cancel by, because it does not know yet whose session it will lend.
      case .detected: process != "\(PQbackendPID(handle))"
      case .session: false
      case .transaction: true
      }
    if isShared { schema = try findSchema() }
    let names = [LayoutTable.name, CommitTable.name].map { "to_regclass('\"\($0)\"')" }
    // NULL for a table that is not there, which is left out.
    let found = try lastRow(
      """
      \(isShared ? frame : "\(Self.mark); \(sessionSettings)"); SELECT concat_ws(' ', \(names.joined(separator: ", "))), \
      \(ChangeChannel.selectSchema)
      """,
      sql: nil
    )
    channel = found.last.flatMap { $0.flatMap { UInt32($0) } }
      .map { ChangeChannel(schema: $0, hasLocks: locksTables) }
    let tables = found.first?.map { $0.split(separator: " ") }
    layout.hasTable = tables?.contains { $0 == LayoutTable.name } ?? false
    hasCommitTable = tables?.contains { $0 == CommitTable.name } ?? false
    hasCleanedTokens = false
  }

  /// Marks a session of this client's own by a name, which the server refuses if another client has it there: then a pool
  /// lends the session to both.
  private static let mark = "PREPARE \"nacre_session\" AS SELECT"

  /// Gives the session the settings that can change while it is open.
  func applySettings() throws(PostgresError) {
    if !isShared { try runToEnd(Self.statements(limits + access), sql: nil) }
  }

  /// Whether the session may not write.
  var onlyReads: Bool { role == .reader || role == .inspector }

  // MARK: The settings

  private typealias Setting = (name: String, value: String)

  private static let forms: [Setting] = [
    ("standard_conforming_strings", "on"), ("timezone", "UTC"), ("datestyle", "ISO, YMD"),
    ("intervalstyle", "iso_8601"), ("bytea_output", "hex"), ("extra_float_digits", "1"),
    ("client_min_messages", "warning"), ("backslash_quote", "off"),
  ]

  private var limits: [Setting] {
    [
      ("lock_timeout", "\(max(settings.busyTimeoutMilliseconds, 1))"),
      ("statement_timeout", "\(settings.statementTimeoutMilliseconds)"),
    ] + (isDurabilitySet ? [("synchronous_commit", "on")] : [])
  }

  private var isDurabilitySet: Bool { settings.commitsDurably || syncsCommits }

  private var access: [Setting] { [("default_transaction_read_only", onlyReads ? "on" : "off")] }

  private static func statements(_ list: [Setting], isLocal: Bool = false) -> String {
    list.map { "SET \(isLocal ? "LOCAL " : "")\($0.name) = '\($0.value)'" }.joined(separator: "; ")
  }

  // After half a minute the server gives a client up whose machine or network is gone, and with it the lane; by itself it
  // would keep both for two hours. A Unix socket takes no notice of these.
  private static let keepalives: [Setting] = [
    ("tcp_keepalives_idle", "20"), ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "30000"),
  ]

  private var sessionSettings: String {
    """
    \(Self.statements(Self.forms + Self.keepalives + limits + access)); SELECT set_config('search_path', \
    coalesce(quote_ident(current_schema()) || ', pg_temp', '""'), false)
    """
  }

  // MARK: Shared sessions

  /// The settings of a transaction in a shared session, behind its BEGIN; nothing in another one.
  ///
  /// They take no snapshot, so the lock behind them still comes before the state that the transaction sees.
  var localSettings: String {
    guard isShared else { return "" }
    // Another client may have given up durability for all that come after him.
    let durability = isDurabilitySet || onlyReads ? "" : "; SET LOCAL synchronous_commit TO DEFAULT"
    return "; " + Self.statements(Self.forms + limits, isLocal: true) + durability
      + "; SET LOCAL search_path = \(path)"
  }

  /// The first schema alone, with the session's temporary tables behind it.
  ///
  /// Where there is no schema there is nothing, or a store would be made in the temporary one, and be gone with the session.
  private var path: String { schema.map { $0 + ", pg_temp" } ?? "\"\"" }

  private static let usualDurability = """
    set_config('synchronous_commit', (SELECT reset_val FROM pg_catalog.pg_settings WHERE name = 'synchronous_commit'), true)
    """

  /// The statement that gives the same settings to what is sent with it outside of a transaction, until its end.
  var frame: String {
    let access: [Setting] = onlyReads ? [("transaction_read_only", "on")] : []
    let list = Self.forms + limits + [("search_path", path)] + access
    let calls = list.map { name, value in
      "set_config('\(name)', '\(value.doubling(UInt8(ascii: "'")))', true)"
    }
    let durability = isDurabilitySet || onlyReads ? [] : [Self.usualDurability]
    return "SELECT " + (calls + durability).joined(separator: ", ")
  }
}
#endif
