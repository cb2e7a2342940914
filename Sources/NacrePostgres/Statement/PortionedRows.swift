#if PostgreSQL
import CPQ

/// The rows of a statement from a cursor of the server's, of which it holds the portion that was sent last.
///
/// Between two portions the session is free for other statements, and rows that nobody asks for are not sent.
final class PortionedRows {
  /// The largest number of rows of a portion.
  private static let mostRows = 512
  /// The number of bytes that a portion takes, as far as the rows before it tell.
  private static let portionByteCount = 1 << 20

  private let session: ServerSession
  private let cursor: OpenCursor
  /// The portion that was sent last; nil before another one is asked for.
  private var portion: OpaquePointer?
  /// How many rows are asked for next.
  private var asked: Int
  /// Whether there are no rows after the portion.
  private var isLast = false
  @exclusivity(unchecked) private var next: Int32 = 0
  @exclusivity(unchecked) private var count: Int32 = 0

  /// Runs a statement in the session's open transaction.
  ///
  /// - Parameters:
  ///   - text: The statement.
  ///   - plan: The server's description of it.
  ///   - parameters: The values.
  ///   - session: The session.
  ///   - count: The number of rows of the first portion.
  ///   - isWhole: Whether the rows are most likely read to their end.
  /// - Throws: The engine's error.
  init(
    _ text: StatementText,
    _ plan: StatementPlan,
    _ parameters: Parameters,
    on session: ServerSession,
    first count: Int,
    isWhole: Bool
  ) throws(PostgresError) {
    (self.session, asked) = (session, count)
    let (cursor, rows) = try session.openCursor(
      text.sql,
      count: count,
      isBinary: plan.isBinary,
      isWhole: isWhole
    ) { plan.declare($0, text, parameters, on: $1) }
    self.cursor = cursor
    take(rows)
    guard plan.fits(rows) else { throw session.refuseColumns(text.sql) }
  }

  deinit {
    PQclear(portion)
    cursor.isUnused = true
  }

  /// Returns the next row, which is there until the next call; nil after the last.
  func step() throws(PostgresError) -> ServerRow? {
    if next == count { try fetch() }
    guard let portion, next < count else { return nil }
    defer { next += 1 }
    return .portion(portion, row: next)
  }

  private func fetch() throws(PostgresError) {
    guard !isLast else { return }
    PQclear(portion)
    (portion, next, count) = (nil, 0, 0)
    let rows = try session.fetch(asked, from: cursor)
    take(rows)
    if !isLast { try session.fetchAhead(asked, from: cursor) }
  }

  private func take(_ rows: OpaquePointer) {
    (portion, count) = (rows, PQntuples(rows))
    isLast = count < asked
    if !isLast { asked = Self.rowCount(after: rows) }
  }

  /// Returns how many rows to ask for after those of a portion, which has some.
  private static func rowCount(after portion: OpaquePointer) -> Int {
    let rowByteCount = PQresultMemorySize(portion) / max(Int(PQntuples(portion)), 1)
    return min(max(portionByteCount / max(rowByteCount, 1), 1), mostRows)
  }
}
#endif
