import NacreCrypto
import NacreEngine

/// A connection inside `store.read { }` or `store.write { }`, which also runs raw SQL.
///
/// It must not leave the closure, and only one thread may use it at a time.
public final class Database {
  /// The store whose connection this is.
  ///
  /// It is nil if the connection was carried out of its closure and the store is gone.
  public private(set) weak var store: Store?
  // Unsafe holds: the store owns the pool that owns this connection, and closes it before the store
  // itself is released.
  package unowned(unsafe) let home: Store
  /// The store's keys, which are kept here as well, because each look at an unsafe reference counts
  /// it up and down.
  package let keys: StoreKeys
  package let connection: any EngineConnection
  package let isWriter: Bool
  // Unchecked, like prepared statements: one thread at a time uses a connection, and these are
  // accessed for every row.
  @exclusivity(unchecked) @usableFromInline package var undo = UndoLog()
  /// Takes part in the transactions for a module above; nil until that module uses the store.
  // Computed, because another module's access to a stored property is checked for exclusivity.
  @inlinable package var delegate: (any DatabaseDelegate)? {
    get { joinedDelegate }
    set { joinedDelegate = newValue }
  }
  @exclusivity(unchecked) @usableFromInline var joinedDelegate: (any DatabaseDelegate)?
  /// Whether the file has triggers or foreign keys of the application's own; nil if this
  /// transaction has not checked yet.
  // Unchecked, because every call of a DAO sets it.
  @exclusivity(unchecked) package var hasTriggersOrReferences: Bool?
  /// Whether a closure is running whose end commits the transaction.
  var isInsideTransaction = false
  /// Whether the innermost `write` undoes its changes although its closure returns.
  ///
  /// It is false at the start of each `write`. In a `write` inside another it applies to the inner
  /// one alone.
  public var shouldRollback = false
  /// The version of the store's settings that the connection has.
  var settingsVersion: UInt64 = 0
  /// Whether the transaction was begun by `store.begin()`.
  var isOpenedByHand = false
  /// Whether the open transaction only stores the same values in another form.
  package var keepsValues = false
  /// The work of the open transaction on the catalog and the ring.
  var catalogWork = CatalogWork()
  /// The full-text indexes of the file.
  var fullText = FullTextWork()
  /// The running watches for uses of keys, each while the store looks through the file.
  var keyWatches: [KeyWatch] = []
  /// The numbers that the process had seen in the file before the open transaction, or else the
  /// last one, began.
  // Unchecked, because every transaction sets it.
  @exclusivity(unchecked) package private(set) var seenBefore = SeenNumbers.Mark()
  /// Keeps the store alive until a transaction that was begun by hand ends, because the store's end
  /// would wait for the writer.
  var openedBy: Store?
  /// The number of seals that were counted in a transaction that was rolled back.
  var owedSeals: UInt64 = 0
  /// The actions that tell observers of a commit; they run once the writer is given back.
  var news: [() -> Void] = []
  /// The cursors that were made inside the closure to which the connection is lent.
  // Unchecked, because it is accessed whenever the connection is given back.
  @exclusivity(unchecked) var cursors = BoundCursors()
  /// Seals and opens the values of DAOs.
  private(set) lazy var dao = DAOSealing(storeID: home.storeID)
  /// The migration step or hook that is running, in words; nil if none is.
  package var migration: String?
  /// The columns that the SQL of the running step or hook may not read.
  package var sealedReads = SealedReads()
  /// Whether the open transaction changed tables, which others do not see before the commit.
  package var hasOwnTables = false
  /// The version of the ring for which statements were prepared.
  @exclusivity(unchecked) private var statementsVersion: UInt64 = 0
  /// The layout number for which statements were prepared; `layoutTransaction` is the number of
  /// the transaction that read it last.
  @exclusivity(unchecked) package private(set) var layout: Int64?
  @exclusivity(unchecked) private var layoutTransaction: UInt64 = 0
  /// The SELECT of whether the file has triggers or foreign keys of the application's own.
  private(set) lazy var triggersOrReferencesSQL = CatalogSQL.hasTriggersOrReferences(
    connection.dialect
  )
  @exclusivity(unchecked) private(set) var session: (version: UInt64, session: RingSession)?

  init(store: Store, connection: any EngineConnection, isWriter: Bool) {
    home = store
    keys = store.keys
    self.store = store
    self.connection = connection
    self.isWriter = isWriter
    // If the caller's own SQL ended a transaction half-way, only a part of it would be stored.
    connection.refusesTransactionSQL = true
    connection.firstQuery = CatalogSQL.ringGeneration
  }

  /// Returns whether statements that were prepared earlier are still valid; otherwise forgets them.
  package func hasCurrentStatements() throws -> Bool {
    let version = keys.version
    // Check in any case: an entity that registers next does so under the layout that is found here.
    let isSameLayout = try hasSameLayout()
    if version == statementsVersion && isSameLayout { return true }
    // The tables' contents may have changed, too: each table is compared with the catalog again.
    forgetStatements()
    statementsVersion = version
    return false
  }

  /// Whether the ring and the providers are those for which statements were prepared.
  ///
  /// It is one of the two things that ``hasCurrentStatements()`` looks at; the other is the layout.
  package var hasCurrentRing: Bool { keys.version == statementsVersion }

  /// Returns whether the file's tables are those for which statements were prepared.
  ///
  /// Each transaction checks once, because it sees one state. A conversion alters its table so that
  /// every process that has the store open notices, with the ring or without.
  private func hasSameLayout() throws -> Bool {
    let number = connection.isInTransaction ? connection.transactionNumber : 0
    if number != 0 && number == layoutTransaction { return true }
    let found = try connection.layoutNumber()
    layoutTransaction = number
    defer { layout = found }
    return found == layout
  }

  /// Restarts a read whose snapshot is older than tables that were created after its first query.
  ///
  /// Those tables were empty then. A read that goes on a moment later is better than one that finds
  /// no table.
  package func moveSnapshot() throws {
    guard connection.isInTransaction else { return }
    try connection.commit()
    noteSeen()
    try connection.begin(.deferred)
  }

  /// Records the numbers that this process has seen, which no state that a later transaction reads
  /// may be behind.
  package func noteSeen() { seenBefore = keys.seen.mark }

  /// Forgets statements that were prepared for tables that are rolled back or may have changed.
  package func forgetStatements() {
    delegate?.forgetStatements()
    dao.known = []
    layoutTransaction = 0
    fullText = FullTextWork()
  }

  /// Ends the connection's statements, and closes it.
  func close() throws {
    forgetStatements()
    try connection.close()
  }

  /// Returns the session that seals and opens on this connection under the store's current ring.
  package func cryptSession() throws -> RingSession {
    let version = keys.version
    if let session, session.version == version { return session.session }
    let ring = try keys.unlocked()
    let made = RingSession(ring: ring) { [unowned self] id, count in
      try reserveSeals(id, count, of: ring.record(of: id)?.suite ?? .aes256GCM)
    }
    session = (version, made)
    return made
  }

  /// Prepares sealing at the start of a write transaction: follows the ring and draws fresh nonces.
  func beginSealing() throws {
    if isWriter, home.isOnlyLookedAt {
      throw NacreError(.readOnly, detail: "the store was opened only to be looked at")
    }
    guard keys.isUnlocked else { return }
    try keys.follow(on: connection)
    try cryptSession().beginTransaction()
  }
}

// MARK: - Raw SQL

extension Database {
  /// Runs one or more statements without arguments.
  ///
  /// - Throws: ``NacreError``; the statements before the one that failed have run.
  public func execute(_ sql: String) throws {
    hasTriggersOrReferences = nil
    try refuseLostTransaction()
    try NacreError.wrapping {
      if migration == nil { return try connection.execute(sql) }
      // Run the statements one by one: after one renames or copies a table, the next may read
      // sealed columns there.
      try connection.execute(sql) { try guardingSealed(sql, $0) }
    }
    try home.settings.follow(self)
  }

  /// Runs one statement with arguments for its `?`.
  ///
  /// - Returns: How many rows it changed.
  /// - Throws: ``NacreError``, also if the number of arguments differs from the number of
  ///   parameters.
  @discardableResult
  public func execute(_ sql: String, _ arguments: (any QueryArgument)?...) throws -> Int {
    try execute(SQLArguments(sql, arguments))
  }

  /// The rowid of the last row that was inserted into a rowid table.
  ///
  /// On a server it is the last number that any sequence gave in the transaction, also in a trigger, or 0.
  public var lastInsertedRowID: Int64 { connection.lastInsertRowID }

  /// How many rows the last statement changed.
  public var changedRowCount: Int { connection.changes }

  package func execute(_ sql: SQLArguments) throws -> Int {
    hasTriggersOrReferences = nil
    try refuseLostTransaction()
    return try NacreError.wrapping {
      try guardingSealed(sql.text) { try bound(sql.text, sql.values).run() }
      let count = connection.changes
      try home.settings.follow(self)
      return count
    }
  }

  package func bound(_ sql: String, _ arguments: [Value]) throws -> any PreparedStatement {
    try connection.bound(sql, arguments)
  }

  package func each(
    _ sql: String,
    _ arguments: [Value],
    _ body: (any PreparedStatement) throws -> Void
  ) throws {
    try connection.each(sql, arguments, body)
  }

  package func scalar(_ sql: String, _ arguments: [Value] = []) throws -> Value? {
    try connection.scalar(sql, arguments)
  }
}
