import CSQLite
import NacreEngine

/// Receives SQLite's trace callbacks for one connection and turns them into events.
final class TraceSink {
  private let handler: (TraceEvent, _ expanded: () -> String?) -> Void
  // SQLite's own profile counts whole milliseconds, so most statements would take 0.
  private var starts: [UInt: ContinuousClock.Instant] = [:]

  init(_ handler: @escaping (TraceEvent, _ expanded: () -> String?) -> Void) {
    self.handler = handler
  }

  func install(on connection: OpaquePointer) {
    let mask = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE)
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      connection,
      mask,
      { event, context, statement, detail in
        guard let context, let statement else { return 0 }
        let sink = Unmanaged<TraceSink>.fromOpaque(context).takeUnretainedValue()
        if event == UInt32(SQLITE_TRACE_STMT) {
          sink.began(OpaquePointer(statement), text: detail)
        } else {
          sink.finished(OpaquePointer(statement))
        }
        return 0
      },
      context
    )
  }

  static func remove(from connection: OpaquePointer) {
    sqlite3_trace_v2(connection, 0, nil, nil)
  }

  private func began(_ statement: OpaquePointer, text: UnsafeMutableRawPointer?) {
    guard let text else { return }
    let key = UInt(bitPattern: statement)
    // SQLite announces a trigger under the statement that fired it, whose start is already noted.
    if starts[key] == nil { starts[key] = .now }
    let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
    handler(.statement(sql: sql)) { nil }
  }

  private func finished(_ statement: OpaquePointer) {
    guard let start = starts.removeValue(forKey: UInt(bitPattern: statement)) else { return }
    let nanoseconds = (ContinuousClock.now - start).nanoseconds
    // sqlite3_sql is the unexpanded text; sqlite3_expanded_sql would show bound values.
    let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
    handler(.profile(sql: sql, nanoseconds: nanoseconds)) {
      guard let expanded = sqlite3_expanded_sql(statement) else { return nil }
      defer { sqlite3_free(expanded) }
      return String(cString: expanded)
    }
  }
}
