#if PostgreSQL
import CPQ
import Foundation
import NacreEngine

/// A statement of this module's own.
final class OwnStatement {
  let sql: String
  /// Its values as texts.
  var values: [String] = []
  /// Its name, once it is prepared.
  var name: String?

  init(_ sql: String) { self.sql = sql }
}

/// The statements by which a session's transactions begin and end.
///
/// To parse and to plan them takes the server as long as to run them, and meanwhile nobody else writes. So a session of
/// this client's own prepares them once. A shared session has no prepared statements.
struct TransactionStatements {
  let begin: OwnStatement
  let lane: OwnStatement?
  let question: OwnStatement
  let leaveToken: OwnStatement?
  /// The statements behind the token.
  let ending: [OwnStatement]

  var all: [OwnStatement] { [begin, lane, question, leaveToken].compactMap(\.self) + ending }
}

extension ServerSession {
  /// Returns the statements of the next transaction of a session of this client's own, which are prepared.
  func makeStatements() throws(PostgresError) -> TransactionStatements {
    if let statements { return statements }
    let made = TransactionStatements(
      begin: OwnStatement(beginning),
      lane: onlyReads ? nil : OwnStatement(lane),
      question: OwnStatement(question),
      leaveToken: onlyReads || !hasCommitTable ? nil : OwnStatement(leaveToken),
      ending: ending.map { OwnStatement($0) }
    )
    try prepare(made.all)
    statements = made
    return made
  }

  /// Returns the last number that a sequence gave in this session; nil if none did, and outside of a transaction.
  ///
  /// Without one the server fails the query, so a savepoint keeps the transaction.
  func lastSequenceNumber() -> Int64? {
    guard isInTransaction, !hasFailed else { return nil }
    let savepoint = "SAVEPOINT nacre_sequence"
    if let number = try? runToEnd("\(savepoint); SELECT lastval(); RELEASE \(savepoint)", sql: nil)
    {
      return Int64(number)
    }
    if hasFailed { _ = try? runToEnd("ROLLBACK TO \(savepoint); RELEASE \(savepoint)", sql: nil) }
    return nil
  }

  private func prepare(_ statements: [OwnStatement]) throws(PostgresError) {
    for statement in statements { statement.name = makeName() }
    let results = try pipeline(nil) { handle in
      statements.allSatisfy { PQsendPrepare(handle, $0.name, $0.sql, 0, nil) == 1 }
    }
    for result in results { PQclear(result) }
  }

  /// Runs statements that are sent together, and returns all values of the last row.
  ///
  /// - Throws: The error of the first that failed.
  func lastRow(of statements: [OwnStatement]) throws(PostgresError) -> [String?] {
    try enterPipeline(nil)
    var answer: [String?] = []
    let failure = try drain(before: statements) { if let row = Self.row(of: $0) { answer = row } }
    if let failure { throw noted(LaneTable.explained(failure)) }
    return answer
  }

  /// Sends a statement in a pipeline.
  func send(_ statement: OwnStatement) throws(PostgresError) {
    guard let handle else { throw .lost("the connection is closed", sql: statement.sql) }
    let copies = statement.values.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let values = copies.map { UnsafePointer($0) }
    let count = Int32(values.count)
    let isSent =
      if let name = statement.name {
        PQsendQueryPrepared(handle, name, count, values, nil, nil, 0)
      } else {
        PQsendQueryParams(handle, statement.sql, count, nil, values, nil, nil, 0)
      }
    guard isSent == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), statement.sql)
    }
  }
}
#endif
