#if PostgreSQL
import CPQ
import Foundation
import NacreEngine

// A COMMIT whose answer is lost may have run, may be running, or may never have arrived. These say which:
// (1) The message of the COMMIT leaves a token of the transaction's own, so the token is there if and only if what the
//     transaction has written is stored.
// (2) The transaction has the lane until the server has ended it, whoever still runs its COMMIT. Whoever has the lane
//     after it sees how it ended, and nothing changes that any more.
// (3) A row with a token is replaced by its own connection alone, which waits here. Others delete only rows that are
//     older than any wait.
// (4) Whoever finds the token changes its row and commits that, so what was found is as durable as an answered commit,
//     also where the server answers before it writes, or waits for a standby.
// (5) A server whose wait for a standby is cancelled warns, and says COMMIT nevertheless. So nobody stops a COMMIT that is
//     sent by itself, and after the warning the token is looked for, which waits anew. Where the COMMIT goes behind writes,
//     a stop undoes them or, if it comes during the wait, leads to the warning.
// The server's own word, pg_xact_status, holds on that server alone: a standby that has taken over may lack the commit.
extension ServerSession {
  /// Commits, after the check of all constraints.
  ///
  /// If the answer is lost, another session looks whether the transaction is stored.
  ///
  /// - Throws: The server's error, after which the transaction is open; that of a write that is missing in it; one of kind
  ///   `connectionLost` if nothing is stored; one of kind `commitUnknown` if nobody can tell in time.
  func commit() throws(PostgresError) {
    // A COMMIT behind an update that finds no row would end the transaction without it.
    let isSure = try pendingWritesAreSure()
    let isBehind = isSure && !pending.isEmpty
    if !isBehind { try makeIdle() }
    guard let handle else { throw .lost("the connection is lost, and with it the transaction") }
    guard !hasFailed else {
      throw PostgresError(
        .rolledBack,
        "a statement of the transaction has failed, so the server can only roll it back"
      )
    }
    if let missed { throw missed.error() }
    try canceller.admit(nil)
    let token = hasLane && hasCommitTable ? makeToken() : nil
    notices.doubtsCommit = false
    var (isSaved, isCommitted) = (false, false)
    var failure: PostgresError?
    do throws(PostgresError) {
      let statements = commitStatements(leaving: token)
      let take = { (result: OpaquePointer) in
        switch PQcmdStatus(result).map({ String(cString: $0) }) {
        case "SAVEPOINT": isSaved = true
        case "COMMIT": isCommitted = true
        default: break
        }
      }
      if isBehind {
        failure = try drain(before: statements, take)
      } else {
        failure = try canceller.holding { () throws(PostgresError) in
          try enterPipeline(nil)
          return try drain(before: statements, take)
        }
      }
    } catch {
      // A write before the COMMIT has failed, and the transaction with it.
      if isBehind, self.handle != nil, PQstatus(handle) != CONNECTION_BAD { throw error }
      failure = error
    }
    if isCommitted, notices.doubtsCommit {
      close()
      return try findCommit(token, Self.endedWait)
    }
    if self.handle == nil || PQstatus(handle) == CONNECTION_BAD {
      close()
      if isCommitted { return }
      let reason = failure?.message ?? "no answer"
      return try findCommit(token, "the connection was lost during the commit: \(reason)")
    }
    if isCommitted { return }
    // If the server refused a statement before the savepoint, the whole transaction is undone next. A savepoint of an
    // earlier try to commit would give back a transaction without what was written since.
    if hasFailed, isSaved { _ = try? runToEnd("ROLLBACK TO SAVEPOINT nacre_commit", sql: nil) }
    throw failure ?? PostgresError(.rolledBack, "the server has rolled the transaction back")
  }

  private static let endedWait = "the commit's wait for a standby was cancelled"

  /// Returns the statements that end the open transaction.
  ///
  /// The token comes before the savepoint, because a write behind one takes the server a number of its own.
  private func commitStatements(leaving token: String?) -> [OwnStatement] {
    if isLook { return [OwnStatement("COMMIT")] }
    guard !onlyReads else { return statements?.ending ?? ending.map { OwnStatement($0) } }
    var own: [OwnStatement] = []
    if layout.changeCount > 0, layout.hasTable {
      own.append(OwnStatement(LayoutTable.raise(by: layout.changeCount)))
    }
    if let token {
      if !hasCleanedTokens { own.append(OwnStatement(CommitTable.clean)) }
      hasCleanedTokens = true
      let leave = statements?.leaveToken ?? OwnStatement(leaveToken)
      leave.values = [identifier, token]
      own.append(leave)
    } else if let telling {
      let isChanged = "pg_current_xact_id_if_assigned() IS NOT NULL"
      own.append(OwnStatement("SELECT \(telling) WHERE \(isChanged)"))
    }
    return own + (statements?.ending ?? ending.map { OwnStatement($0) })
  }

  /// The statements that end a transaction, behind the one that leaves a token.
  ///
  /// After a failed check the savepoint gives back a transaction in which the reason can be looked for.
  var ending: [String] {
    if onlyReads { return ["COMMIT"] }
    let check = missing.contains(.defersReferences) ? [] : ["SET CONSTRAINTS ALL IMMEDIATE"]
    return ["SAVEPOINT nacre_commit"] + check + ["COMMIT"]
  }

  private var telling: String? { storeToken.flatMap { channel?.tell($0) } }

  /// The statement that leaves a token.
  var leaveToken: String { CommitTable.leave(telling: telling) }

  /// Returns a token that the connection has not left yet; others have rows of their own.
  private func makeToken() -> String {
    tokenCount += 1
    let digits = String(tokenCount, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count))
      + digits
  }

  private static let here = "quote_ident(current_schema())::regnamespace"
  /// Selects whether a table of the store has a trigger or a rule of somebody's own, and whether a foreign key from one
  /// table to another is checked at the end of each statement.
  private static let ownChecks = """
    SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid \
    WHERE NOT t.tgisinternal AND c.relnamespace = \(here)) \
    OR EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.relkind IN ('r', 'p') AND c.relhasrules \
    AND c.relnamespace = \(here)), \
    EXISTS (SELECT 1 FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid \
    JOIN pg_catalog.pg_class f ON f.oid = k.confrelid WHERE k.contype = 'f' AND NOT k.condeferred \
    AND c.oid <> f.oid AND c.relnamespace = \(here) AND f.relnamespace = \(here))
    """

  /// Whether a trigger or a rule of the application's own could let an insert end without a row and without an error.
  ///
  /// It is asked once for a session and a layout, and again after each change of tables that the session makes, also
  /// within a transaction. If somebody makes one later by other means than this store, a swallowed insert is reported when
  /// the rest of its transaction is stored.
  func canSwallowInserts() throws(PostgresError) -> Bool { try findOwnChecks().swallow }

  /// Whether a row of one table may have to be written before a row of another, because a foreign key is checked at the
  /// end of each statement: Nacre's own are deferred where the server can do that, the application's own need not be.
  func checksOrder() throws(PostgresError) -> Bool {
    if missing.contains(.defersReferences) { return true }
    return try findOwnChecks().order
  }

  private func findOwnChecks() throws(PostgresError) -> (swallow: Bool, order: Bool) {
    // The session's own number never falls again, so no change that was rolled back has the number of another one.
    if let known = ownChecks, known.layout == layout.numberAtBeginning,
      known.revision == layout.revision
    {
      return (known.swallow, known.order)
    }
    let answer = try lastRow(Self.ownChecks, sql: nil)
    let (swallow, order) = (answer.first != "f", answer.last != "f")
    ownChecks = (layout.numberAtBeginning, layout.revision, swallow, order)
    return (swallow, order)
  }

  /// Returns if a transaction is stored whose COMMIT got no answer, or one that is not to be relied on.
  ///
  /// - Throws: An error of kind `connectionLost` if it is not stored, and one of kind `commitUnknown` if nobody can tell
  ///   before the times to connect and to wait for a lock are over.
  private func findCommit(_ token: String?, _ reason: String) throws(PostgresError) {
    if onlyReads || isLook { throw .lost(reason) }
    var obstacle =
      "the store has no table nacre_commit, or the transaction did not have the turn to write"
    if let token {
      end = .now + settings.connectLimit + .milliseconds(settings.busyTimeoutMilliseconds)
      defer { end = nil }
      switch canceller.holding({ look(for: token) }) {
      case .success(true): return
      case .success(false): throw .lost("\(reason); nothing is stored")
      case .failure(let error): obstacle = error.message
      }
    }
    throw PostgresError(
      .commitUnknown,
      "\(reason); the outcome can't be found: \(obstacle)"
    )
  }

  /// Looks in other sessions for a token, until one of them can tell or the time is over.
  private func look(for token: String) -> Result<Bool, PostgresError> {
    var pause = 0.01
    while true {
      do {
        try open()
        let look = """
          BEGIN ISOLATION LEVEL READ COMMITTED\(localSettings); \(lane); \
          \(CommitTable.look(for: token, of: identifier)); COMMIT
          """
        notices.doubtsCommit = false
        let isFound = try runToEnd(look, sql: nil) != nil
        guard !notices.doubtsCommit else { throw PostgresError(.commitUnknown, Self.endedWait) }
        return .success(isFound)
      } catch {
        // The server may be starting again, or the transaction still be running.
        close()
        if let end, end > .now + .seconds(pause) {
          Thread.sleep(forTimeInterval: pause)
          pause = min(pause * 2, 1)
          continue
        }
        return .failure(
          error as? PostgresError ?? (error as? HomeError)?.cause as? PostgresError
            ?? .lost("the server can't be reached")
        )
      }
    }
  }
}
#endif
