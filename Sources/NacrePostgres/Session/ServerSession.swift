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
  /// How often the session was opened; statements that were prepared under another number are gone.
  private(set) var generation = 0
  /// Rises with each change of tables that this session makes or learns of, after which statements are prepared anew.
  var layout = 0
  /// The number of statements of the open transaction that may have changed tables.
  var layoutChanges = 0
  /// Whether the database has the table with the layout's number.
  var hasLayoutTable = false
  /// The layout's number when the open transaction began; nil if it is not known.
  var layoutAtBeginning: Int64?
  /// The composite type of columns that hold values of any class; 0 if the database has none.
  var anyType: UInt32 = 0
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
  let role: ConnectionRole
  var settings: PostgresSettings

  private let address: ServerAddress
  /// The statement whose results are still on their way.
  private var stream: RowStream?
  /// Whether a transaction was open before the statement that runs now.
  private var wasInTransaction = false
  /// The names of statements that nobody uses any more.
  private var unused: [String] = []
  private var nameCount = 0

  init(_ address: ServerAddress, _ role: ConnectionRole, _ settings: PostgresSettings) throws {
    self.address = address
    self.role = role
    self.settings = settings
    try open()
  }

  deinit { close() }

  // MARK: Opening and closing

  private func open() throws {
    close()
    generation += 1
    let deadline = ContinuousClock.now + settings.connectLimit
    let parameters = try address.parameters(for: settings)
    do {
      handle = ServerAddress.withParameters(parameters) { PQconnectStartParams($0, $1, 0) }
      try finishOpening(until: deadline)
      try setUp()
    } catch {
      close()
      throw HomeError(
        error.kind == .connectionLost ? .cannotOpen : error.kind,
        address.shown,
        cause: error
      )
    }
  }

  private func finishOpening(until deadline: ContinuousClock.Instant) throws(PostgresError) {
    guard let handle, PQstatus(handle) != CONNECTION_BAD else { throw unopened() }
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    var wanted = PGRES_POLLING_WRITING
    while wanted != PGRES_POLLING_OK {
      guard wanted != PGRES_POLLING_FAILED else { throw unopened() }
      let events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard try wait(for: Int16(events), until: deadline) else {
        throw PostgresError(.cannotOpen, "the server did not answer in \(settings.connectLimit)")
      }
      wanted = PQconnectPoll(handle)
    }
    try Self.check(version: PQserverVersion(handle), encoding: parameter("server_encoding"))
    guard PQsetnonblocking(handle, 1) == 0 else { throw unopened() }
    canceller.follow(handle)
  }

  /// Throws if a server can't hold stores.
  ///
  /// - Parameters:
  ///   - version: The server's version, as libpq writes it: 140002 for 14.2.
  ///   - encoding: The encoding of the database's texts.
  /// - Throws: The engine's error, of kind `cannotOpen`.
  static func check(version: Int32, encoding: String) throws(PostgresError) {
    guard version >= 140_000 else {
      throw PostgresError(
        .cannotOpen,
        "the server has PostgreSQL \(version / 10_000), and a store needs 14 or later"
      )
    }
    guard encoding == "UTF8" else {
      throw PostgresError(
        .cannotOpen,
        "the database has the encoding \(encoding), and a store needs UTF8"
      )
    }
  }

  private func unopened() -> PostgresError {
    PostgresError(.cannotOpen, PostgresError.trimmed(PQerrorMessage(handle)))
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
    unused = []
    // libpq sends a last message, and does not wait for an answer.
    PQfinish(handle)
    handle = nil
  }

  /// Opens a session that is lost anew, unless a transaction was lost with it.
  ///
  /// - Throws: An error of kind `connectionLost`; what opening throws.
  func makeReady() throws {
    if handle != nil { return }
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

  /// Returns a name that no statement of this process had.
  func makeName() -> String {
    nameCount += 1
    return "nacre_\(nameCount)"
  }

  /// Lets the server forget a statement, with the next ones that nobody uses.
  func drop(_ name: String, generation: Int) {
    if generation == self.generation, handle != nil { unused.append(name) }
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
  ///   - send: Calls libpq, and returns what that returns.
  /// - Returns: The results.
  /// - Throws: The engine's error, of kind `connectionLost` if the session is lost.
  func start(
    _ sql: String?,
    hasRows: Bool,
    _ send: (OpaquePointer) -> Int32
  ) throws(PostgresError) -> RowStream {
    try makeIdle()
    try forgetUnused()
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    wasInTransaction = isInTransaction
    _ = canceller.takeCancelled()
    guard send(handle) == 1 else {
      let words = PostgresError.trimmed(PQerrorMessage(handle))
      if PQstatus(handle) == CONNECTION_BAD { throw lose(words, sql) }
      throw PostgresError(.badStatement, words, sql: sql)
    }
    if hasRows { PQsetSingleRowMode(handle) }
    let stream = RowStream()
    self.stream = stream
    try flush(sql)
    return stream
  }

  /// Returns the next row or result of a statement, which the caller frees; nil after the last.
  func next(of stream: RowStream, _ sql: String?) throws(PostgresError) -> RowStream.Item? {
    if let item = stream.takeKept() { return item }
    if stream.isEnded { return nil }
    guard self.stream === stream else { throw .lost("the connection was closed", sql: sql) }
    guard let result = try nextResult(sql) else {
      end(stream)
      return nil
    }
    return PQresultStatus(result) == PGRES_SINGLE_TUPLE ? .row(.result(result)) : .end(result)
  }

  private func end(_ stream: RowStream) {
    stream.isEnded = true
    if self.stream === stream { self.stream = nil }
  }

  /// Takes the rest of what is on its way, so that another statement can be sent.
  func makeIdle() throws(PostgresError) {
    guard let stream else { return }
    while let result = try nextResult(nil) { stream.keep(result) }
    end(stream)
  }

  /// Lets the rest go of what is on its way; it is read and dropped when the next statement is sent.
  func abandonStream() { stream?.abandon() }

  /// Asks the server to stop the statement whose rest nobody wants, before a rollback.
  ///
  /// What it would still send can be more than anybody wants to wait for.
  func stopAbandoned() {
    guard let stream, stream.isAbandoned else { return }
    canceller.cancel()
    _ = canceller.takeCancelled()
  }

  /// Runs statements of this module's own by one message.
  ///
  /// - Parameters:
  ///   - text: The statements.
  ///   - sql: The text for errors; nil for none.
  /// - Returns: The text of the last value that a SELECT among them returned.
  /// - Throws: The engine's error.
  @discardableResult
  func runToEnd(_ text: String, sql: String?) throws(PostgresError) -> String? {
    // Not `start`, which calls this.
    try makeIdle()
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    wasInTransaction = isInTransaction
    guard PQsendQuery(handle, text) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql)
    }
    try flush(sql)
    var (answer, failure): (String?, PostgresError?)
    while let result = try nextResult(sql) {
      if PQresultStatus(result) == PGRES_FATAL_ERROR {
        if failure == nil { failure = error(of: result, sql) }
      } else if PQntuples(result) == 1, PQgetisnull(result, 0, 0) == 0 {
        answer = PQgetvalue(result, 0, 0).map { String(cString: $0) }
      }
      PQclear(result)
    }
    if let failure { throw noted(failure) }
    return answer
  }

  /// Reads the error of a result.
  func error(of result: OpaquePointer, _ sql: String?) -> PostgresError {
    let error = PostgresError(result: result, sql: sql, isInterrupted: canceller.takeCancelled())
    return onlyReads && error.sqlState == "25006" ? error.asWriteOnReader : error
  }

  /// Returns an error of the server, after the session was given up if it ended with it.
  func noted(_ error: PostgresError) -> PostgresError {
    if PQstatus(handle) == CONNECTION_BAD || error.kind == .connectionLost { close() }
    return error
  }

  /// Counts the rows that a statement has inserted, changed or deleted.
  func note(changesOf result: OpaquePointer) {
    guard let tag = PQcmdStatus(result).map({ String(cString: $0) }),
      ["INSERT ", "UPDATE ", "DELETE ", "MERGE "].contains(where: tag.hasPrefix),
      let count = PQcmdTuples(result).flatMap({ Int(String(cString: $0)) })
    else { return }
    changes = count
    totalChanges += count
  }

  // MARK: Waiting

  /// Returns the next result; nil if the server is done with what was sent.
  func nextResult(_ sql: String?) throws(PostgresError) -> OpaquePointer? {
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    if PQisBusy(handle) != 0 {
      let deadline = ContinuousClock.now + settings.answerLimit
      while PQisBusy(handle) != 0 {
        guard try wait(for: Int16(POLLIN), until: deadline) else {
          throw lose("the server did not answer in \(settings.answerLimit)", sql)
        }
        guard PQconsumeInput(handle) == 1 else {
          // The server may have said why it ends the session.
          if PQisBusy(handle) == 0 { break }
          throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql)
        }
      }
    }
    return PQgetResult(handle)
  }

  /// Waits until all that was sent is on its way.
  func flush(_ sql: String?) throws(PostgresError) {
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    var deadline: ContinuousClock.Instant?
    while true {
      let left = PQflush(handle)
      if left == 0 { return }
      // What the server has sent before it ended the session is read by `nextResult`.
      if left < 0 { return }
      let end = deadline ?? ContinuousClock.now + settings.answerLimit
      deadline = end
      guard try wait(for: Int16(POLLIN | POLLOUT), until: end) else {
        throw lose("the server took nothing in \(settings.answerLimit)", sql)
      }
      guard PQconsumeInput(handle) == 1 else { return }
    }
  }

  /// Gives the session up, and returns the error that says so.
  private func lose(_ words: String, _ sql: String?) -> PostgresError {
    close()
    return .lost(words.isEmpty ? "the connection to the server is lost" : words, sql: sql)
  }

  /// Waits until the socket is ready; returns false if it is not in time.
  private func wait(
    for events: Int16,
    until deadline: ContinuousClock.Instant
  ) throws(PostgresError) -> Bool {
    while true {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return false }
      var socket = pollfd(fd: PQsocket(handle), events: events, revents: 0)
      guard socket.fd >= 0 else { throw lose("the connection has no socket", nil) }
      // Rounded up, so that it does not spin through the last millisecond.
      let (seconds, attoseconds) = left.components
      let milliseconds = min(seconds, 86_400) * 1000 + attoseconds / 1_000_000_000_000_000 + 1
      let count = poll(&socket, 1, Int32(milliseconds))
      if count > 0 { return true }
      if count < 0, errno != EINTR { throw lose(lastSystemError(), nil) }
    }
  }
}
#endif
