#if PostgreSQL
import CPQ
import Foundation
import NacreEngine

/// A session with a server by libpq: opens it, sends, and waits for the answers, each within a bound.
///
/// One thread at a time uses it. A session that is lost is opened anew outside of a transaction.
final class ServerSession {
  /// libpq's connection; nil while there is none.
  private(set) var handle: OpaquePointer?
  /// How often a session was opened or made to forget its statements; those of another number are gone.
  private(set) var generation = 0
  /// The layout of the database's tables.
  var layout = SessionLayout()
  /// Whether the database has the table with the tokens of commits.
  var hasCommitTable = false
  /// The channel on which commits to the session's schema are told; nil where there is no schema.
  var channel: ChangeChannel?
  /// The token by which the commits of this session's store are told; nil if they are not told.
  let storeToken: String?
  /// The statements by which transactions begin and end; nil until they are made.
  var statements: TransactionStatements?
  /// The number of tokens that the connection has left, and whether this session has deleted those of connections long
  /// gone.
  var (tokenCount, hasCleanedTokens) = (0, false)
  /// Whether the open transaction has the lock by which one connection writes at a time.
  var hasLane = false
  /// Whether the open transaction is a look by the maker of stores, which writes nothing.
  var isLook = false
  /// The connection's name in the table of tokens, which stays the same in another session.
  let identifier = UUID().uuidString
  /// Whether the session may be another one in each transaction, because a pool lends the server's sessions.
  var isShared = false
  /// The number of the server's process when the session was opened.
  var process: String?
  /// The schema of the store's tables as SQL names it; nil for none.
  var schema: String?
  /// Whether commits are on the server's disk when they return, whatever the settings are.
  var syncsCommits = false
  /// The time at which every wait ends; nil for the usual limits.
  var end: ContinuousClock.Instant?
  /// The composite type of columns that hold values of any class; 0 if the database has none.
  var anyType: UInt32 = 0
  /// Whether inserts can be swallowed, and whether foreign keys see the order of rows, as it was found under
  /// a layout.
  var ownChecks: (layout: Int64?, revision: Int, swallow: Bool, order: Bool)?
  /// The number of rows that the last statement changed, and that all did.
  var changes = 0
  var totalChanges = 0
  /// Whether a transaction was begun and neither committed nor rolled back, as far as the caller knows.
  var hasOpenTransaction = false
  /// Is told when a statement begins and when it ends.
  var trace: ((TraceEvent, _ expanded: () -> String?) -> Void)?
  /// Whether the session was closed for good.
  var isFinished = false
  let canceller = Canceller()
  let notices = Notices()
  let role: ConnectionRole
  /// What the server can't do, of what PostgreSQL can.
  let missing: EngineCapabilities
  var settings: PostgresSettings

  private let address: ServerAddress
  /// The statement whose results are still on their way.
  @exclusivity(unchecked) private var stream: RowStream?
  /// Whether a transaction was open before the statement that runs now.
  var wasInTransaction = false
  /// The rows that wait to be sent together.
  var group = WriteGroup()
  /// What was sent ahead, and not answered yet.
  var pending = PendingWrites()
  /// The number of savepoints of the open transaction.
  var depth = 0
  /// The cursors of the open transaction.
  var cursors: [OpenCursor] = []
  /// The cursor whose next rows are on their way; nil for none.
  var fetching: OpenCursor?
  /// The first write that is missing in the open transaction, which can't be committed with it.
  var missed: MissedWrite?
  /// The query whose answer comes with the beginning of a transaction, and its answer.
  var firstQuery: String? { didSet { statements = nil } }
  var firstAnswer: String?
  /// The names of statements that nobody uses any more.
  private var unused: [String] = []
  private var nameCount = 0
  /// Tells the session's names from those of other clients: a pool can lend a session in which another one has prepared
  /// statements, and a name of ours must not run one of those.
  private var mark = ""

  init(
    _ address: ServerAddress,
    _ role: ConnectionRole,
    _ settings: PostgresSettings,
    storeToken: String? = nil,
    missing: EngineCapabilities = []
  ) throws {
    self.address = address
    (self.storeToken, self.missing) = (storeToken, missing)
    self.role = role
    self.settings = settings
    try open()
  }

  deinit { close() }

  // MARK: Opening and closing

  func open() throws {
    close()
    let attempts = try address.attempts(for: settings)
    let password = settings.password
    generation += 1
    mark = String(UInt64.random(in: .min ... .max), radix: 36)
    var user = attempts.first?["user"] ?? ""
    // Nobody is asked for a password that the server does not want, or that libpq finds.
    if password == nil || password?.isAskedLast == true {
      if try open(attempts, nil) { return }
      user = PQuser(handle).map { String(cString: $0) } ?? user
      close()
    }
    guard let password else { throw unopened(Self.noPassword) }
    try password.lend(to: user) { password in
      guard try open(attempts, password) else { throw unopened(Self.noPassword) }
    }
  }

  /// Opens a session with the first host that lets it; returns false if one wants a password, and there is none.
  private func open(
    _ attempts: [[String: String]],
    _ password: UnsafePointer<CChar>?
  ) throws -> Bool {
    let deadline = end ?? ContinuousClock.now + settings.connectLimit
    var failures: [PostgresError] = []
    for (number, parameters) in attempts.enumerated() {
      // Each of those that are left gets the same share of the time.
      let share = (deadline - .now) / (attempts.count - number)
      close()
      do {
        handle = ServerAddress.withParameters(parameters, password: password) {
          PQconnectStartParams($0, $1, 0)
        }
        try finishOpening(until: .now + share)
        try setUp()
        return true
      } catch {
        if PQconnectionNeedsPassword(handle) == 1 { return false }
        failures.append(error)
        // Another host is to answer for one that does not, and not for one that refuses this client's settings.
        guard [.cannotOpen, .connectionLost].contains(error.kind) else { break }
      }
    }
    throw unopened(.all(failures))
  }

  /// Ends a session that could not be opened, and returns the error that says so.
  private func unopened(_ error: PostgresError) -> HomeError {
    close()
    return HomeError(
      error.kind == .connectionLost ? .cannotOpen : error.kind,
      address.shown,
      cause: error
    )
  }

  /// A setting that the server reports by itself.
  func parameter(_ name: String) -> String {
    PQparameterStatus(handle, name).map { String(cString: $0) } ?? ""
  }

  /// Ends the session.
  func close() {
    canceller.follow(nil)
    // It has not ended, so whoever reads on learns that rows are missing.
    stream = nil
    (group, pending) = (WriteGroup(), PendingWrites())
    (depth, missed, cursors, fetching) = (0, nil, [], nil)
    (firstAnswer, ownChecks, statements) = (nil, nil, nil)
    // The next session may find the type made anew, or another database.
    anyType = 0
    unused = []
    // libpq sends a last message, and does not wait for an answer.
    PQfinish(handle)
    handle = nil
  }

  /// Opens a session that is lost anew, unless a transaction was lost with it.
  ///
  /// - Throws: An error of kind `connectionLost`; what opening throws.
  func makeReady() throws {
    if handle != nil {
      guard canceller.hasStrayRequest, !isInTransaction else { return }
      // It would stop this user's statements, whenever it comes.
      close()
    }
    guard !isFinished else { throw PostgresError(.other, "the connection is closed") }
    guard !hasOpenTransaction else {
      throw PostgresError.lost("the connection is lost, and with it the transaction")
    }
    try open()
  }

  // MARK: State

  /// Whether a transaction is open, be it that a statement of it has failed.
  var isInTransaction: Bool {
    guard let handle else { return false }
    switch PQtransactionStatus(handle) {
    case PQTRANS_INTRANS, PQTRANS_INERROR: return true
    case PQTRANS_ACTIVE: return wasInTransaction
    default: return false
    }
  }

  /// Whether the server refuses every statement but the end of the transaction or of its savepoint.
  var hasFailed: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

  // MARK: Statements' names

  /// Returns a name that no statement of any client had.
  func makeName() -> String {
    nameCount += 1
    return "nacre_\(mark)_\(nameCount)"
  }

  /// Lets the server forget a statement, with the next ones that nobody uses.
  func drop(_ name: String, generation: Int) {
    if generation == self.generation, handle != nil, !isShared { unused.append(name) }
  }

  /// Prepares all statements anew, because the caller's own SQL has made the session forget them.
  func forgetPrepared() {
    generation += 1
    (statements, unused) = (nil, [])
  }

  private func forgetUnused() throws(PostgresError) {
    // A failure would undo the transaction.
    guard unused.count >= 32, !isInTransaction else { return }
    let text = unused.map { "DEALLOCATE \($0)" }.joined(separator: "; ")
    unused = []
    try runToEnd(text, sql: nil)
  }

  // MARK: Sending

  /// Sends a statement, whose results the caller then takes one by one.
  ///
  /// - Parameters:
  ///   - sql: The statement, for errors.
  ///   - hasRows: Whether its rows come one by one.
  ///   - isAlone: Whether nothing may be sent with it, not even the settings of a shared session.
  ///   - fits: Whether a result has the columns that are expected; nil if any will do.
  ///   - send: Calls libpq, and returns what that returns.
  /// - Returns: The results.
  /// - Throws: The engine's error, of kind `connectionLost` if the session is lost.
  func start(
    _ sql: String?,
    hasRows: Bool,
    isAlone: Bool = false,
    fits: ((OpaquePointer) -> Bool)? = nil,
    _ send: (OpaquePointer) -> Int32
  ) throws(PostgresError) -> RowStream {
    try makeIdle()
    try forgetUnused()
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    let isFramed = isFramed && !isAlone
    wasInTransaction = isInTransaction
    try canceller.admit(sql)
    if isFramed { try sendFrame(sql) }
    guard send(handle) == 1 else {
      let words = PostgresError.trimmed(PQerrorMessage(handle))
      if isFramed || PQstatus(handle) == CONNECTION_BAD { throw lose(words, sql) }
      throw PostgresError(.badStatement, words, sql: sql)
    }
    if isFramed { try takeFrame(sql) }
    // Without it, all rows would come as one result.
    guard !hasRows || PQsetSingleRowMode(handle) == 1 else {
      throw lose("the rows can't be read one by one", sql)
    }
    let stream = RowStream(isFramed: isFramed, fits)
    self.stream = stream
    try flush(sql)
    return stream
  }

  /// Returns the next row or result of a statement, which the caller frees; nil after the last.
  func next(of stream: RowStream, _ sql: String?) throws(PostgresError) -> RowStream.Item? {
    if let item = stream.takeKept() { return item }
    if stream.isUnfit { throw refuseColumns(of: stream, sql) }
    if stream.isEnded { return nil }
    guard self.stream === stream else { throw .lost("the connection was closed", sql: sql) }
    guard let result = try nextResult(sql) else {
      try end(stream)
      return nil
    }
    stream.look(at: result)
    if stream.isUnfit {
      PQclear(result)
      throw refuseColumns(of: stream, sql)
    }
    return PQresultStatus(result) == PGRES_SINGLE_TUPLE ? .row(.result(result)) : .end(result)
  }

  /// Lets the rest go of rows that can't be read, and returns the error that says so.
  private func refuseColumns(of stream: RowStream, _ sql: String?) -> PostgresError {
    stream.abandon()
    return refuseColumns(sql)
  }

  /// Returns the error for rows with other columns than the server has described.
  func refuseColumns(_ sql: String?) -> PostgresError {
    layout.prepareAnew()
    return PostgresError(
      sqlState: SQLState.changedColumns,
      kind: .badStatement,
      message: "the statement's columns have changed with its tables",
      sql: sql,
      place: nil
    )
  }

  private func end(_ stream: RowStream) throws(PostgresError) {
    stream.isEnded = true
    guard self.stream === stream else { return }
    self.stream = nil
    if stream.isFramed { try endFrame() }
  }

  /// Takes the rest of what is on its way, so that another statement can be sent.
  ///
  /// - Throws: Also the error of a write that was sent ahead.
  func makeIdle() throws(PostgresError) {
    firstAnswer = nil
    try keepFetchedRows()
    try sendGroup()
    if !pending.isEmpty { try drain() }
    guard let stream else { return }
    let deadline = answerEnd
    while let result = try nextResult(nil, until: deadline) { stream.keep(result) }
    try end(stream)
  }

  /// Whether nothing is on its way or waits to be sent.
  var isIdle: Bool { group.isEmpty && pending.isEmpty && stream == nil && fetching == nil }

  /// Lets the rest go of what is on its way; it is read and dropped when the next statement is sent.
  func abandonStream() { stream?.abandon() }

  /// Asks the server to stop the statement whose rest nobody wants, before a rollback.
  ///
  /// The server may still have more to send than anybody wants to wait for. If it does not take the request in time, the
  /// session ends, and with it the transaction.
  func stopAbandoned() {
    guard isFetching || stream?.isAbandoned ?? false else { return }
    if !canceller.cancel() { close() }
  }
}
#endif
