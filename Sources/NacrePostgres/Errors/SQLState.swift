#if PostgreSQL
import NacreEngine

/// The meaning of the server's codes (PostgreSQL's documentation, appendix A).
enum SQLState {
  /// Returns the kind of failure.
  static func kind(of state: String) -> EngineErrorKind {
    kinds[state] ?? kindsOfClasses[String(state.prefix(2))] ?? .other
  }

  /// Whether a message of this code is known to quote names and statements alone.
  ///
  /// Messages on data, and those of the application's own functions, can quote values.
  static func isMessageShown(of state: String) -> Bool {
    shownClasses.contains(String(state.prefix(2)))
  }

  /// The code for a prepared statement that the session does not have (invalid_sql_statement_name).
  static let unknownStatement = "26000"

  /// The code for a division by zero (division_by_zero).
  static let divisionByZero = "22012"

  /// The code for a prepared statement that would return other columns than before (feature_not_supported).
  static let changedColumns = "0A000"
  /// The code for what a server can't do (feature_not_supported).
  static let notSupported = "0A000"

  /// Whether a server, such as a standby, tells nothing of commits (read_only_sql_transaction, feature_not_supported).
  static func refusesListening(_ state: String?) -> Bool {
    state == "25006" || state == notSupported
  }

  /// Whether the server no longer has the plan of a prepared statement, and would make it anew.
  static func asksForPreparing(_ state: String?) -> Bool {
    // It can be unknown after a DEALLOCATE, or in a pool of connections.
    state == changedColumns || state == unknownStatement
  }

  /// Whether a statement's name is taken (duplicate_prepared_statement), which a session of one client can't meet.
  static func isSharedSession(_ state: String?) -> Bool { state == "42P05" }

  /// Whether a warning of this code can be about a commit's wait for a standby (warning, admin_shutdown).
  static func canDoubtCommit(_ state: String?) -> Bool { state == "01000" || state == "57P01" }

  private static let shownClasses: Set = [
    "08", "0A", "23", "25", "26", "28", "2B", "2D", "3B", "3D", "3F", "40", "42", "53", "54", "55",
    "57", "58",
  ]

  private static let kinds: [String: EngineErrorKind] = [
    "40001": .conflict,
    "40P01": .deadlock,
    "55P03": .busy,
    "57014": .timedOut,
    // An idle transaction or session was ended, and the connection with it.
    "25P03": .connectionLost,
    "57P05": .connectionLost,
    "57P01": .connectionLost,
    "57P02": .connectionLost,
    "57P03": .cannotOpen,
    "53100": .full,
    "53300": .cannotOpen,
    "25006": .readOnly,
    "42501": .notPermitted,
    "25P02": .rolledBack,
    "22003": .overflow,
    "54000": .tooLarge,
    "58030": .inputOutput,
    "XX001": .corrupt,
    "XX002": .corrupt,
  ]

  private static let kindsOfClasses: [String: EngineErrorKind] = [
    "08": .connectionLost,
    "0A": .badStatement,
    "22": .badStatement,
    "23": .constraint,
    "26": .badStatement,
    "28": .cannotOpen,
    "3D": .cannotOpen,
    // There is no schema of that name.
    "3F": .cannotOpen,
    "42": .badStatement,
    // Too many columns or arguments, or a statement that is too complex.
    "54": .badStatement,
  ]
}
#endif
