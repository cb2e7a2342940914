#if PostgreSQL
import CPQ
import Foundation
import NacreEngine

extension PostgresError {
  /// Reads the error of a result.
  ///
  /// - Parameters:
  ///   - result: A result of the server, or one that libpq made for a lost connection.
  ///   - sql: The text that failed.
  ///   - isInterrupted: Whether this process has asked the server to cancel the statement.
  init(result: OpaquePointer, sql: String?, isInterrupted: Bool = false) {
    guard let state = Self.field(.sqlState, of: result) else {
      // libpq's own words, for example on a socket that is gone; they hold no values.
      let words = Self.trimmed(PQresultErrorMessage(result))
      self = .lost(words.isEmpty ? "the connection to the server is lost" : words, sql: sql)
      return
    }
    let message = Self.field(.message, of: result) ?? ""
    var kind = SQLState.kind(of: state)
    if kind == .timedOut, isInterrupted { kind = .interrupted }
    // The words of an application's function or trigger can quote any value, under any code.
    let isShown = SQLState.isMessageShown(of: state) && Self.field(.context, of: result) == nil
    self.init(
      sqlState: state,
      kind: kind,
      message: isShown ? message : Self.hiddenMessage,
      sql: sql,
      place: Self.place(of: result)
    )
  }

  private static let hiddenMessage = """
    the server refused a value or a function's call; its own words, which can quote values, are in the server's log
    """

  /// Returns the column of a violated constraint as `table.column`.
  ///
  /// The server names the column of some constraints. Of the others it names the constraint, and an index of Nacre's own
  /// is named after its table and its column. The columns of a primary key stand in the details, before their values.
  private static func place(of result: OpaquePointer) -> String? {
    guard let table = field(.table, of: result) else { return nil }
    if let column = field(.column, of: result) { return "\(table).\(column)" }
    guard let constraint = field(.constraint, of: result) else { return nil }
    if constraint.hasPrefix(table + "__") {
      return "\(table).\(constraint.dropFirst(table.count + 2))"
    }
    guard constraint == table + "_pkey" else { return nil }
    return keyColumn(in: field(.detail, of: result) ?? "").map { "\(table).\($0)" }
  }

  /// Returns the one column of `Key (column)=(value) already exists`, in any language; nil for several columns.
  private static func keyColumn(in detail: String) -> String? {
    guard let end = detail.range(of: ")=("), let start = detail.firstIndex(of: "("),
      start < end.lowerBound
    else { return nil }
    let name = detail[detail.index(after: start)..<end.lowerBound]
    guard !name.contains(",") else { return nil }
    guard name.hasPrefix("\""), name.count > 2 else { return String(name) }
    return String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }

  /// Returns libpq's own message in one line; libpq ends lines, and begins one for each host that it tried.
  static func trimmed(_ message: UnsafePointer<CChar>?) -> String {
    let lines = message.map { String(cString: $0) }?.split(whereSeparator: \.isNewline) ?? []
    return lines.map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: " ")
  }

  /// The fields of an error, by libpq's letters: `PG_DIAG_SQLSTATE` and so on, which Swift does not import.
  private enum Field: UInt8 {
    case sqlState = 0x43
    case message = 0x4d
    case table = 0x74
    case column = 0x63
    case constraint = 0x6e
    case detail = 0x44
    case severity = 0x56
    case context = 0x57
  }

  /// Whether a notice can say that a commit is on the server's own disk alone, because the wait for its standby has ended
  /// early.
  ///
  /// The server gives it the code of a mere warning, or that of its own end. A warning of an application's function has
  /// that function as its context.
  static func isDoubtOfCommit(_ notice: OpaquePointer) -> Bool {
    guard field(.severity, of: notice) == "WARNING", field(.context, of: notice) == nil else {
      return false
    }
    return SQLState.canDoubtCommit(field(.sqlState, of: notice))
  }

  private static func field(_ field: Field, of result: OpaquePointer) -> String? {
    PQresultErrorField(result, Int32(field.rawValue)).map { String(cString: $0) }
  }
}
#endif
