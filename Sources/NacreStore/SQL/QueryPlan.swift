import NacreSQLite

/// How SQLite goes about a statement (sqlite.org/eqp.html).
enum QueryPlan {
  /// The steps of a statement's plan, indented by their depth; empty where it can't be had, as for a table that the
  /// running transaction has made.
  ///
  /// On a connection of its own, for the one that ran the statement may not be used while it reports.
  static func lines(_ sql: String, storeAt path: String) -> [String] {
    var depths: [Int64: Int] = [:]
    var lines: [String] = []
    do {
      let connection = try Connection(path: path, mode: .readOnly)
      try connection.define(DecimalFunctions.collation)
      let plan = try connection.prepare("EXPLAIN QUERY PLAN " + sql, persistent: false)
      while try plan.step() {
        let depth = (depths[plan.int64(at: 1)] ?? -1) + 1
        depths[plan.int64(at: 0)] = depth
        lines.append(String(repeating: "  ", count: depth) + plan.text(at: 3))
      }
    } catch {
      // A log entry is no place to fail: the statement itself went well.
      return []
    }
    return lines
  }
}
