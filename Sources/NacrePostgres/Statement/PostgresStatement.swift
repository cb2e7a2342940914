#if PostgreSQL
import CPQ
package import NacreEngine

/// A prepared statement of one connection; only one thread may use it, with its connection, at a time.
///
/// The server knows it by a name. It is prepared anew when the connection was opened anew, and after a change of tables.
package final class PostgresStatement {
  /// The text from which the statement was prepared.
  package let sql: String
  /// The text with the server's own markers.
  let text: StatementText
  let session: ServerSession
  private var plan: StatementPlan
  private(set) var binding: Binding
  /// The results of the running statement; nil before its first step and after its end.
  private var stream: RowStream?
  /// The rows of the running statement, if they come in portions.
  private var portions: PortionedRows?
  /// From how many rows on a run takes portions, as the one before it has shown.
  private static let manyRows = 1_000
  /// The number of rows that this run, or else the last one, has returned.
  @exclusivity(unchecked) private var rowCount = 0
  /// Whether the rows of the next run are to come in portions.
  private var wantsPortions = false
  /// The current row; nil outside of one.
  private(set) var row: ServerRow?
  let scratch = Scratch()
  private var start: ContinuousClock.Instant?
  /// Whether the statement was sent ahead before.
  private var wasSent = false
  /// The text of a statement that writes many rows at once, if there can be one, as it was derived for a plan.
  private var batchText: (plan: String, text: BatchText?)?
  /// The statement that writes many rows at once.
  private var batch: (row: String, plan: StatementPlan, form: BatchForm)?
  /// Whether the statement may be prepared anew if the server's plan no longer fits: before the first row, and outside of
  /// a transaction, which the failure has undone.
  private var mayPrepareAgain = false
  private var kept: (owner: AnyObject, notes: AnyObject, plan: String)?
  /// Whether the cache may not return the statement.
  private(set) var isLent = false
  /// The cache's clock when it last returned the statement.
  var lastUse: UInt64 = 0

  /// Prepares a statement.
  ///
  /// - Throws: The server's error, for example for a table that does not exist.
  init(_ text: StatementText, on session: ServerSession) throws {
    sql = text.sql
    self.text = text
    self.session = session
    try session.makeReady()
    plan = try StatementPlan(text, on: session)
    binding = Binding(of: plan, text)
  }

  deinit {
    row?.free()
    if let stream { abandon(stream) }
    session.drop(plan.name, generation: plan.generation)
    if let batch { session.drop(batch.plan.name, generation: batch.plan.generation) }
  }

  package var parameterCount: Int { text.parameterNames.count }
  package var columnCount: Int { plan.columns.count }
  package var isBusy: Bool { portions != nil || stream.map { !$0.isAbandoned } ?? false }
  package var onlyCompares: Bool { text.onlyCompares }
  /// The columns of the rows.
  var columns: [StatementPlan.Column] { plan.columns }
  /// Whether the values of the rows come in their binary form.
  var isBinary: Bool { plan.isBinary }

  package func columnName(at index: Int32) -> String {
    plan.columns.indices.contains(Int(index)) ? plan.columns[Int(index)].name : ""
  }

  package func parameterName(at index: Int32) -> String? {
    let names = text.parameterNames
    return names.indices.contains(Int(index) - 1) ? names[Int(index) - 1] : nil
  }

  // MARK: Sharing

  package func lend() { isLent = true }

  package func takeBack() { isLent = false }

  package func notes(of owner: AnyObject) -> AnyObject? {
    guard let kept, kept.owner === owner, kept.plan == plan.name, plan.isCurrent(on: session) else {
      return nil
    }
    return kept.notes
  }

  package func keep(_ notes: AnyObject, of owner: AnyObject) { kept = (owner, notes, plan.name) }

  // MARK: Running

  /// Goes to the next row, or to the end.
  ///
  /// - Returns: true for a row, false at the end.
  /// - Throws: The server's error; the statement can be used again.
  package func step() throws -> Bool {
    if !isBusy { try begin() }
    return try advance()
  }

  /// Goes to the end, skips any rows, and resets, also on an error.
  ///
  /// - Throws: The server's error; the statement can be used again.
  package func run() throws {
    if !isBusy { try begin() }
    while try advance() {}
    reset()
  }

  /// Sends the statement and leaves its end to the session's next call, inside a transaction.
  ///
  /// - Throws: The server's error; that of a write that was sent before.
  package func send(_ write: PendingWrite) throws {
    try session.makeReady()
    if !plan.isCurrent(on: session) { try prepareAgain() }
    session.trace?(.statement(sql: sql)) { nil }
    if let form = try batchForm(for: write), try session.gather(binding.parameters, write, form) {
      return
    }
    let bytes = binding.parameters.byteCount
    try session.sendAhead(sql, write, byteCount: bytes) { execute($0) }
  }

  /// Returns how many rows are written at once; nil if they go one by one.
  private func batchForm(for write: PendingWrite) throws -> BatchForm? {
    // Most statements of a short transaction run once, and need no second one on the server.
    guard wasSent else {
      wasSent = true
      return nil
    }
    if let batch, batch.row == plan.name, batch.plan.isCurrent(on: session) {
      return batch.form.takes(write) ? batch.form : nil
    }
    if batchText?.plan != plan.name {
      batchText = (plan.name, BatchText(text, types: plan.parameterTypes))
    }
    guard let many = batchText?.text, try !session.canSwallowInserts() else { return nil }
    if let batch { session.drop(batch.plan.name, generation: batch.plan.generation) }
    batch = nil
    let manyText = try StatementText(many.text)
    let manyPlan = try StatementPlan(manyText, on: session)
    let form = BatchForm(
      many,
      types: plan.parameterTypes.compactMap(\.self),
      sql: sql,
      rows: { manyPlan.send(manyText, $0, on: $1) },
      row: { [text, plan] in plan.send(text, $0, on: $1) }
    )
    batch = (plan.name, manyPlan, form)
    return form.takes(write) ? form : nil
  }

  /// Lets the rows of the next run come in portions, if it runs in a transaction.
  package func readInPortions() { wantsPortions = true }

  /// Ends the run and keeps the bindings.
  package func reset() {
    clearRow()
    wantsPortions = false
    if portions != nil { endPortions() }
    guard let stream else { return }
    self.stream = nil
    abandon(stream)
    traceEnd()
  }

  /// Lets the rest go of the rows.
  private func abandon(_ stream: RowStream) {
    stream.abandon()
    // Until they are taken, a pool lends the session to nobody else.
    if session.isFramed { try? session.makeIdle() }
  }

  private func clearRow() {
    guard let row else { return }
    row.free()
    self.row = nil
    scratch.clear()
  }

  private func begin() throws {
    try session.makeReady()
    if !plan.isCurrent(on: session) { try prepareAgain() }
    session.trace?(.statement(sql: sql)) { nil }
    if session.trace != nil { start = .now }
    mayPrepareAgain = !session.isInTransaction
    if let count = firstPortion {
      portions = try PortionedRows(
        text,
        plan,
        binding.parameters,
        on: session,
        first: count,
        isWhole: !wantsPortions
      )
    } else {
      stream = try send()
    }
    rowCount = 0
  }

  /// The number of rows of the first portion; nil if the rows come one by one.
  ///
  /// To declare a cursor takes the server longer than to run a statement that is prepared, so there have to be many rows,
  /// as there were in the run before, or a reason to read few of them.
  private var firstPortion: Int? {
    guard session.isInTransaction, text.canBeCursor, !plan.columns.isEmpty else { return nil }
    if wantsPortions { return 32 }
    return rowCount >= Self.manyRows || plan.isPlanned(for: binding.parameters) ? 256 : nil
  }

  private func endPortions() {
    portions = nil
    traceEnd()
  }

  private func send() throws -> RowStream {
    let isPlanned = plan.isPlanned(for: binding.parameters)
    let fits = plan.isNamed && !isPlanned ? nil : plan.fits
    return try session.start(sql, hasRows: !plan.columns.isEmpty, fits: fits) {
      execute($0, isPlanned: isPlanned)
    }
  }

  /// Gives libpq the statement to run.
  private func execute(_ handle: OpaquePointer, isPlanned: Bool = false) -> Int32 {
    plan.send(text, binding.parameters, isPlanned: isPlanned, on: handle)
  }

  /// Asks the server for another plan under another name.
  private func prepareAgain() throws {
    let former = plan
    plan = try StatementPlan(text, on: session)
    session.drop(former.name, generation: former.generation)
    if plan.parameterTypes == former.parameterTypes { return }
    // The bound values have the form of the former types.
    binding = Binding(of: plan, text)
    guard former.parameterTypes.isEmpty else {
      throw PostgresError(
        .badStatement,
        "the types of the statement's parameters have changed with its tables; bind them anew",
        sql: sql
      )
    }
  }

  private func advance() throws -> Bool {
    clearRow()
    if let portions { return try advance(portions) }
    while let stream {
      let item: RowStream.Item?
      do {
        item = try session.next(of: stream, sql)
      } catch {
        end(stream)
        // What writes has done so by now.
        guard text.onlyReads else { throw error }
        try runAgain(after: error)
        continue
      }
      switch item {
      case .row(let row):
        self.row = row
        rowCount += 1
        mayPrepareAgain = false
        return true
      case .end(let result): try take(result, stream)
      case nil:
        end(stream)
        return false
      }
    }
    return false
  }

  private func advance(_ portions: PortionedRows) throws -> Bool {
    do {
      row = try portions.step()
    } catch {
      endPortions()
      throw error
    }
    if row == nil { endPortions() } else { rowCount += 1 }
    return row != nil
  }

  /// Prepares and sends the statement once more if the server's plan no longer fits, or if the session has ended while
  /// nobody used it; throws the error otherwise.
  private func runAgain(after error: PostgresError) throws {
    let isLost = error.kind == .connectionLost && text.onlyReads
    guard mayPrepareAgain, isLost || SQLState.asksForPreparing(error.sqlState) else { throw error }
    mayPrepareAgain = false
    if isLost, (try? session.makeReady()) == nil { throw error }
    try prepareAgain()
    stream = try send()
  }

  /// Takes a result that is no row: the end of the rows, or an error.
  private func take(_ result: OpaquePointer, _ stream: RowStream) throws {
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
      defer { PQclear(result) }
      try noteChanges(result)
    case PGRES_FATAL_ERROR:
      try runAgain(after: fail(result, stream))
    default:
      PQclear(result)
      end(stream)
      throw session.refuseCopy(sql)
    }
  }

  private func fail(_ result: OpaquePointer, _ stream: RowStream) -> PostgresError {
    let error = session.error(of: result, sql)
    PQclear(result)
    stream.abandon()
    // Take what the server sends after the error, so that the state of the transaction is known.
    try? session.makeIdle()
    end(stream)
    return session.noted(error)
  }

  private func end(_ stream: RowStream) {
    guard self.stream === stream else { return }
    self.stream = nil
    traceEnd()
  }

  private func traceEnd() {
    guard let start else { return }
    self.start = nil
    session.traceEnd(of: sql, begunAt: start)
  }

  private func noteChanges(_ result: OpaquePointer) throws {
    session.note(changesOf: result)
    if text.changesLayout { try session.noteLayoutChange() }
  }
}

extension Binding {
  /// Makes the parameters of a statement, all NULL.
  fileprivate init(of plan: StatementPlan, _ text: StatementText) {
    self.init(
      parameters: Parameters(count: plan.parameterTypes.count),
      numbers: text.serverNumbers,
      types: plan.parameterTypes,
      sql: text.sql
    )
  }
}
#endif
