import NacreEngine

/// The steps by which SQLite runs a statement (sqlite.org/eqp.html).
enum QueryPlan {
  /// Returns the steps of a statement's plan, indented by their depth.
  ///
  /// The result is empty if there is no plan, for example for a table that the running transaction
  /// has created, and on a server, which has another word for it. It uses a connection of its own, because the connection that ran the statement
  /// must not be used while it reports.
  static func lines(_ sql: String, in home: any EngineHome) -> [String] {
    guard !home.capabilities.contains(.onServer) else { return [] }
    var depths: [Int64: Int] = [:]
    var lines: [String] = []
    do {
      let connection = try home.connect(.reader)
      let plan = try connection.prepare("EXPLAIN QUERY PLAN " + sql, persistent: false)
      while try plan.step() {
        let depth = (depths[plan.int64(at: 1)] ?? -1) + 1
        depths[plan.int64(at: 0)] = depth
        lines.append(String(repeating: "  ", count: depth) + plan.text(at: 3))
      }
    } catch {
      // A log entry must not fail, because the statement itself succeeded.
      return []
    }
    return lines
  }
}
