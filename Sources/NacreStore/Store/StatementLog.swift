import Foundation
public import Logging
import NacreSQLite
import Synchronization

/// Which statements are written to a log of swift-log's, and how.
///
/// Sealed values are ciphertext when they reach a statement, and even so they are logged as `‹sealed›`.
/// ```swift
/// options.log = StatementLog(Logger(label: "garage"))
/// options.log?.slowThreshold = 0.1
/// ```
public struct StatementLog: Sendable {
  /// Where the log goes.
  public var logger: Logger
  /// The level of every statement; nil logs only slow ones.
  public var level: Logger.Level?
  /// Whether the statements' arguments are logged: those of plain properties as they are.
  public var showsArguments = false
  /// From how many seconds on a statement is logged as slow, at level `warning` and with its query plan; nil is never.
  public var slowThreshold: Double?

  /// Logs every statement, without arguments.
  ///
  /// - Parameters:
  ///   - logger: where the log goes.
  ///   - level: the level of every statement; nil logs only slow ones.
  public init(_ logger: Logger, level: Logger.Level? = .debug) {
    self.logger = logger
    self.level = level
  }
}

extension StatementLog {
  /// Logs a statement that came to its end.
  ///
  /// - Parameters:
  ///   - sql: its text with placeholders.
  ///   - seconds: how long it took.
  ///   - expanded: its text with its arguments.
  ///   - plan: how SQLite goes about it, a line a step.
  func write(_ sql: String, _ seconds: Double, _ expanded: () -> String?, _ plan: () -> [String]) {
    let isSlow = slowThreshold.map { seconds >= $0 } ?? false
    guard let level = isSlow ? .warning : level, logger.logLevel <= level else { return }
    var metadata: Logger.Metadata = ["milliseconds": "\((seconds * 1e6).rounded() / 1e3)"]
    if isSlow { metadata["plan"] = .array(plan().map { .string($0) }) }
    let text = showsArguments ? expanded().map(Self.hidingBlobs) ?? sql : sql
    logger.log(level: level, "\(isSlow ? "slow: " : "")\(text)", metadata: metadata)
  }

  /// A statement without the bytes in it: an identifier is shown as such, an envelope as sealed, the rest by its length.
  static func hidingBlobs(_ sql: String) -> String {
    sql.replacing(/'(?:[^']|'')*'|x'([0-9a-fA-F]*)'/) { match in
      guard let digits = match.1 else { return String(match.0) }
      let bytes = digits.count / 2
      if bytes == 16 {
        let text = digits.uppercased()
        let parts = [(0, 8), (8, 4), (12, 4), (16, 4), (20, 12)].map { start, count in
          text.dropFirst(start).prefix(count)
        }
        return parts.joined(separator: "-")
      }
      // Suite, key id, nonce, a type at least, and the tag (Vectors/FORMAT.md).
      let isEnvelope = bytes > 33 && (digits.hasPrefix("01") || digits.hasPrefix("02"))
      return isEnvelope ? "‹sealed›" : "‹\(bytes) bytes›"
    }
  }
}

extension Store {
  /// Whether, and how, statements are logged from now on; ``StoreOptions/log`` at first.
  ///
  /// A transaction that runs goes on as it was.
  public var log: StatementLog? {
    get { settings.log }
    set { settings.log = newValue }
  }

  /// Reports a connection's statements to whoever wants them.
  func trace(_ connection: Connection) {
    let (trace, log) = (options.trace, settings.log)
    if trace == nil && log == nil { return connection.setTrace(nil) }
    connection.setStatementTrace { [path] event, expanded in
      trace?(event)
      guard case .profile(let sql, let nanoseconds) = event, let log else { return }
      log.write(sql, Double(nanoseconds) / 1e9, expanded) { QueryPlan.lines(sql, storeAt: path) }
    }
  }
}
