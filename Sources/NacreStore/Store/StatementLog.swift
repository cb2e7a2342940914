import Foundation
public import Logging
import NacreEngine
import Synchronization

/// Which statements are written to a swift-log logger, and how.
///
/// Sealed values reach a statement as ciphertext only, and the log shows even that as `‹sealed›`.
/// ```swift
/// options.log = StatementLog(Logger(label: "garage"))
/// options.log?.slowThreshold = 0.1
/// ```
public struct StatementLog: Sendable {
  /// The logger that gets the entries.
  public var logger: Logger
  /// The level of every statement; nil logs only slow ones.
  public var level: Logger.Level?
  /// Whether the statements' arguments are logged; those of plain properties appear as they are.
  public var showsArguments = false
  /// The duration in seconds from which a statement is logged as slow; nil to log none as slow.
  ///
  /// A slow statement is logged at level `warning` and with its query plan.
  public var slowThreshold: Double?

  /// Creates a log of every statement, without arguments.
  ///
  /// - Parameters:
  ///   - logger: The logger that gets the entries.
  ///   - level: The level of every statement; nil logs only slow ones.
  public init(_ logger: Logger, level: Logger.Level? = .debug) {
    self.logger = logger
    self.level = level
  }
}

extension StatementLog {
  /// Logs a statement that has finished.
  ///
  /// - Parameters:
  ///   - sql: The statement's text with placeholders.
  ///   - seconds: How long it took.
  ///   - expanded: Returns its text with its arguments.
  ///   - plan: Returns its query plan, one line for each step.
  func write(_ sql: String, _ seconds: Double, _ expanded: () -> String?, _ plan: () -> [String]) {
    let isSlow = slowThreshold.map { seconds >= $0 } ?? false
    guard let level = isSlow ? .warning : level, logger.logLevel <= level else { return }
    var metadata: Logger.Metadata = ["milliseconds": "\((seconds * 1e6).rounded() / 1e3)"]
    if isSlow { metadata["plan"] = .array(plan().map { .string($0) }) }
    let text = showsArguments ? expanded().map(Self.hidingBlobs) ?? sql : sql
    logger.log(level: level, "\(isSlow ? "slow: " : "")\(text)", metadata: metadata)
  }

  /// Replaces the blobs in a statement's text.
  ///
  /// A blob of 16 bytes is shown as an identifier, an envelope as sealed, any other blob by its
  /// length.
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
      // An envelope has a suite, a key id, a nonce, at least a type, and the tag
      // (Vectors/FORMAT.md).
      let isEnvelope = bytes > 33 && (digits.hasPrefix("01") || digits.hasPrefix("02"))
      return isEnvelope ? "‹sealed›" : "‹\(bytes.counted("byte"))›"
    }
  }
}

extension Store {
  /// Whether and how statements are logged from now on; at first this is ``StoreOptions/log``.
  ///
  /// A running transaction keeps its former log.
  public var log: StatementLog? {
    get { settings.log }
    set { settings.log = newValue }
  }

  /// Reports a connection's statements to the trace handler and the log, if there are any.
  func trace(_ connection: any EngineConnection) {
    let (trace, log) = (options.trace, settings.log)
    if trace == nil && log == nil { return connection.setStatementTrace(nil) }
    connection.setStatementTrace { [engine] event, expanded in
      trace?(event)
      guard case .profile(let sql, let nanoseconds) = event, let log else { return }
      log.write(sql, Double(nanoseconds) / 1e9, expanded) { QueryPlan.lines(sql, in: engine) }
    }
  }
}
