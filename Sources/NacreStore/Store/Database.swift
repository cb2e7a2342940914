import NacreCrypto
import NacreSQLite

/// A connection inside `store.read { }` or `store.write { }`; raw SQL lives here.
///
/// It must not leave the closure, and is used by one thread at a time.
public final class Database {
  /// The store whose connection this is.
  ///
  /// Nil where the connection was carried out of its closure and the store is gone.
  public private(set) weak var store: Store?
  // Unsafe holds: the store owns the pool that owns this, and closes it before its own end.
  package unowned(unsafe) let home: Store
  package let connection: Connection
  package let isWriter: Bool
  // Unchecked, like the plans: a connection is used by one thread at a time, and these at every row.
  @exclusivity(unchecked) package var undo = UndoLog()
  /// Takes part in the transactions for a module above; nil while none has used the store.
  @exclusivity(unchecked) package var delegate: (any DatabaseDelegate)?
  /// Whether the file has triggers or foreign keys of the application's own; nil until it is asked in this transaction.
  package var hasStrangers: Bool?
  /// Whether a closure runs that is to end in a commit.
  var isInsideTransaction = false
  /// Whether the innermost `write` undoes what it did although its closure returns.
  ///
  /// False again in each `write`; in one inside another it is about the inner one alone.
  public var shouldRollback = false
  /// The number of the settings that the connection has.
  var settingsVersion: UInt64 = 0
  /// Whether the transaction was begun by `store.begin()`.
  var isOpenedByHand = false
  /// Whether the open transaction stores the same values in another form.
  package var keepsValues = false
  /// The work of the open transaction on the catalog and the ring.
  var catalogWork = CatalogWork()
  /// Those who watch for what names keys, while they look through the file.
  var keyWatches: [KeyWatch] = []
  /// The numbers that the process had seen in the file before the open transaction, or the last
  /// one, began.
  package private(set) var seenBefore = SeenNumbers.Mark()
  /// Keeps the store until a transaction that was begun by hand is ended: its own end would wait for the writer.
  var openedBy: Store?
  /// Seals that were counted in a transaction that was rolled back.
  var owedSeals: UInt64 = 0
  /// The actions that tell observers of a commit, once the writer is given back.
  var news: [() -> Void] = []
  /// The cursors that were made inside the closure to which the connection is lent.
  // Unchecked, for it is looked at whenever the connection is given back.
  @exclusivity(unchecked) var cursors = BoundCursors()
  /// The sealing and opening of the values of DAOs.
  private(set) lazy var dao = DAOSealing(storeID: home.storeID)
  /// The step or hook that runs, in words; nil where none does.
  package var migration: String?
  /// The columns that the SQL of that step or hook may not read.
  package var sealedReads = SealedReads()
  /// Whether the open transaction has changed tables, of which others do not know before it is committed.
  package var hasOwnTables = false
  /// The number of the ring for which statements were prepared.
  @exclusivity(unchecked) private var statementsVersion: UInt64 = 0
  /// The schema version that prepared statements are good for, and the transaction in which it was read last.
  @exclusivity(unchecked) package private(set) var layout: Value?
  @exclusivity(unchecked) private var layoutTransaction: UInt64 = 0
  /// Kept, for it runs at every read: a look-up by its text would cost as much as the question.
  @exclusivity(unchecked) private var layoutStatement: Statement?
  @exclusivity(unchecked) private(set) var session: (version: UInt64, session: RingSession)?

  init(store: Store, connection: Connection, isWriter: Bool) {
    home = store
    self.store = store
    self.connection = connection
    self.isWriter = isWriter
    // A transaction that the caller's own SQL ends half-way would keep a part of what it was to do as a whole.
    connection.refusesTransactionSQL = true
  }

  /// Asks the store for a delegate where it has one by now.
  func joinDelegate() {
    if delegate == nil { delegate = home.delegate(of: self) }
  }

  /// Whether statements that were prepared earlier are still good; otherwise they are forgotten.
  package func hasCurrentStatements() throws -> Bool {
    let version = home.keys.version
    // Asked in any case: who registers an entity next does so under the layout that is found here.
    let isSameLayout = try hasSameLayout()
    if version == statementsVersion && isSameLayout { return true }
    // The contents of the tables may have changed, too: each is compared with the catalog anew.
    forgetStatements()
    statementsVersion = version
    return false
  }

  /// Whether the file's tables are those that statements were prepared for; asked once in a transaction, which sees one
  /// state.
  ///
  /// A conversion alters its table, so that whoever has the store open notices, with the ring or without.
  private func hasSameLayout() throws -> Bool {
    let number = connection.isInTransaction ? connection.transactionNumber : 0
    if number != 0 && number == layoutTransaction { return true }
    let found = try readLayout()
    layoutTransaction = number
    defer { layout = found }
    return found == layout
  }

  private func readLayout() throws -> Value? {
    let statement = try layoutStatement ?? connection.prepare(CatalogSQL.schemaVersion)
    layoutStatement = statement
    defer { statement.reset() }
    return try statement.step() ? .integer(statement.int64(at: 0)) : nil
  }

  /// Begins a read anew when its snapshot is older than tables that were made after its first query: they were empty
  /// then, and a read that finds no table would be worse than one that goes on a moment later.
  package func moveSnapshot() throws {
    guard connection.isInTransaction else { return }
    try connection.commit()
    noteSeen()
    try connection.begin(.deferred)
  }

  /// Notes what no state of the file may be behind that a transaction sees which begins after this.
  func noteSeen() { seenBefore = home.keys.seen.mark }

  /// Forgets the statements that were prepared for tables which are rolled back or may be others now.
  package func forgetStatements() {
    delegate?.forgetStatements()
    dao.known = []
    layoutStatement = nil
    layoutTransaction = 0
  }

  /// Ends the connection's statements, and closes it.
  func close() throws {
    forgetStatements()
    try connection.close()
  }

  /// Returns the session that seals and opens on this connection, under the ring that the store now
  /// has.
  package func cryptSession() throws -> RingSession {
    let version = home.keys.version
    if let session, session.version == version { return session.session }
    let ring = try home.keys.unlocked()
    let made = RingSession(ring: ring) { [unowned self] id, count in
      try reserveSeals(id, count, of: ring.record(of: id)?.suite ?? .aes256GCM)
    }
    session = (version, made)
    return made
  }

  /// Draws fresh nonces and follows the ring, at the start of each write transaction.
  func beginSealing() throws {
    if isWriter, home.isOnlyLookedAt {
      throw NacreError(.readOnly, detail: "the store was opened only to be looked at")
    }
    guard home.keys.isUnlocked else { return }
    try home.keys.follow(on: connection)
    try cryptSession().beginTransaction()
  }
}

// MARK: - Raw SQL

extension Database {
  /// Runs one or more statements without arguments.
  ///
  /// - Throws: ``NacreError``; statements before the one that failed have run.
  public func execute(_ sql: String) throws {
    hasStrangers = nil
    try refuseLostTransaction()
    try NacreError.wrapping {
      if migration == nil { return try connection.execute(sql) }
      // One after another: by what one renames and copies, others read sealed columns.
      try connection.execute(sql) { try guardingSealed(sql, $0) }
    }
    try home.settings.follow(self)
  }

  /// Runs one statement with arguments for its `?`.
  ///
  /// - Returns: how many rows it changed.
  /// - Throws: ``NacreError``, also when the number of arguments is not that of the parameters.
  @discardableResult
  public func execute(_ sql: String, _ arguments: (any QueryArgument)?...) throws -> Int {
    try execute(SQLArguments(sql, arguments))
  }

  /// The rowid of the last row that was inserted into a rowid table.
  public var lastInsertedRowID: Int64 { connection.lastInsertRowID }

  /// How many rows the last statement changed.
  public var changedRowCount: Int { connection.changes }

  package func execute(_ sql: SQLArguments) throws -> Int {
    hasStrangers = nil
    try refuseLostTransaction()
    return try NacreError.wrapping {
      try guardingSealed(sql.text) { try bound(sql.text, sql.values).run() }
      let count = connection.changes
      try home.settings.follow(self)
      return count
    }
  }

  package func bound(_ sql: String, _ arguments: [Value]) throws -> Statement {
    try connection.bound(sql, arguments)
  }

  package func each(_ sql: String, _ arguments: [Value], _ body: (Statement) throws -> Void) throws
  {
    try connection.each(sql, arguments, body)
  }

  package func scalar(_ sql: String, _ arguments: [Value] = []) throws -> Value? {
    try connection.scalar(sql, arguments)
  }
}
