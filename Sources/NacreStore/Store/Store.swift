import Foundation
import NacreCrypto
import NacreEngine
import Synchronization

/// One database: its file or memory, its connections, its key ring and its catalog.
///
/// Any number of tasks and threads can use a store at once. One of them writes and the others read;
/// each reader sees a consistent state of the whole store.
public final class Store: @unchecked Sendable {
  // Sendable holds: everything that can change is behind a `Mutex` or an atomic, and `pool` lends
  // each connection to one thread at a time.

  /// The path of the file; a store in memory has a name such as `:memory:1`, which leads to no file.
  public let path: String
  /// Whether the store is opened only to be looked at, so that nothing is written.
  package let isOnlyLookedAt: Bool
  /// How the store was opened.
  public let options: StoreOptions
  /// The id to which the store's sealed values are bound, so that they do not open in another
  /// store.
  package let storeID: StoreID
  package let keys: StoreKeys
  /// The store's number in this process; the store's objects carry it.
  package let number: UInt32
  /// The database as its engine keeps it.
  package let engine: any EngineHome
  /// The connection pool, which is set once, at the end of `init`, because it needs the store to
  /// make connections.
  // There is no lock because every read and write gets the pool.
  @exclusivity(unchecked) private var connections: ConnectionPool<Database>?
  private let isClosed = Atomic(false)
  /// The columns that hold envelopes, according to the catalog.
  private let sealed = Mutex(SealedColumns())
  /// The delegate of a module above; nil until that module has used the store.
  private let delegate: Mutex<(any StoreDelegate)?>
  private let hasDelegate: Atomic<Bool>
  private let cursors = Mutex(OpenCursors())
  private let providers = Mutex<[String: any CryptProvider]>([:])
  /// The settings of all connections.
  package let settings: StoreSettings
  let standby = StandbyReaders()
  /// Whether a store in memory is being rotated or converted; a file has its lock beside it.
  let isBeingRotated = Atomic(false)
  /// The lease of the rotation that this process runs on a server.
  let rotationLease = Mutex<RotationLease?>(nil)
  /// Counts how often a DAO dropped a table that other DAOs may believe to be there.
  private let generation = Atomic<UInt64>(0)

  /// The cursors that hold a reader; while they do, the store can't close.
  private struct OpenCursors {
    struct Entry: @unchecked Sendable {
      // Sendable holds: the only thing the store does with a cursor is end it, under the cursor's
      // own lock.
      weak var cursor: (any OpenCursor)?
    }
    var entries: [ObjectIdentifier: Entry] = [:]
    var isClosing = false
  }

  /// Opens the store in a database, and creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - home: The database; nobody else uses this home.
  ///   - unlock: Where the secret comes from; without it, sealed properties are locked.
  ///   - options: How the store is opened.
  ///   - anchor: The anchor than which the database must not be older.
  /// - Returns: The open store.
  /// - Throws: ``NacreError``.
  package static func open(
    _ home: any EngineHome,
    unlock: Unlock? = nil,
    options: StoreOptions = StoreOptions(),
    expecting anchor: Anchor? = nil
  ) throws -> Store {
    try NacreError.wrapping {
      let foundation = try StoreFoundation.lay(
        home,
        unlock: unlock,
        options: options,
        expecting: anchor
      )
      return try Store(foundation, home, options)
    }
  }

  private init(
    _ foundation: StoreFoundation,
    _ engine: any EngineHome,
    _ options: StoreOptions
  ) throws {
    var options = options
    if !engine.capabilities.contains(.changeReports) { options.usesChangeReports = false }
    path = engine.path
    self.engine = engine
    self.options = options
    isOnlyLookedAt = options.isOnlyLookedAt
    storeID = foundation.storeID
    keys = foundation.keys
    settings = StoreSettings(engine, log: options.log)
    let made = try options.delegateOptions?.delegate(of: options, at: path)
    delegate = Mutex(made)
    hasDelegate = Atomic(made != nil)
    number = StoreTable.reserve()
    connections = makePool()
    do {
      try StoreTable.enter(self, number)
      try withWriter { database in
        try self.loadSealedColumns(database)
        try self.markCatalog(on: database)
      }
      try made?.opened(self)
    } catch {
      try? close()
      throw error
    }
  }

  deinit { try? close() }

  private func makePool() -> ConnectionPool<Database> {
    ConnectionPool(
      readerLimit: options.readerLimit,
      readerBound: options.maximumReaderCount,
      timeout: { [settings] in settings.busyTimeout },
      makeWriter: { [unowned self] in try self.connect(isWriter: true) },
      makeReader: { [unowned self] in try self.connect(isWriter: false) },
      // A transaction that could not be undone must not become part of the next borrower's.
      isUsable: { !$0.connection.isInTransaction },
      // Ignore the error: the connection is gone even if it fails to close, and nobody could be
      // told.
      end: { try? $0.close() }
    )
  }

  private func connect(isWriter: Bool) throws -> Database {
    let connection = try engine.connect(isWriter ? .writer : .reader)
    trace(connection)
    return Database(store: self, connection: connection, isWriter: isWriter)
  }

  /// How often a DAO has dropped a table.
  package var tableGeneration: UInt64 { generation.load(ordering: .acquiring) }

  /// Counts a table that a DAO has dropped.
  package func noteTableLoss() { generation.add(1, ordering: .acquiringAndReleasing) }

  package var pool: ConnectionPool<Database> {
    get throws {
      guard let connections, !isClosed.load(ordering: .acquiring) else {
        throw NacreError(.storeClosed)
      }
      return connections
    }
  }

  /// Closes the store; closing it twice does nothing.
  ///
  /// It ends open cursors and observations, waits for running reads and writes, and then closes
  /// every connection. Calls that come meanwhile find the store closed.
  ///
  /// - Throws: ``NacreError/Code/transactionState`` inside a read or write of the same store,
  ///   because it would wait for itself; `stillUsed` if a read or write takes longer than the busy
  ///   timeout. In that case the store stays open and usable, and can be closed later.
  public func close() throws {
    // It would wait for the caller's own read or write.
    if ThreadBinding.database(of: self) != nil {
      throw NacreError(
        .transactionState,
        detail: "close() was called inside a read or write of the same store"
      )
    }
    guard let pool = try? pool else { return StoreTable.leave(number) }
    let delegate = delegate.withLock { $0 }
    delegate?.willClose()
    endCursors()
    do {
      try pool.close { try $0.close() }
    } catch let error as PoolTimeoutError {
      cursors.withLock { $0.isClosing = false }
      delegate?.reopened()
      throw NacreError.wrap(error)
    } catch {
      // Every connection is gone, though one of them reported a failure.
      leave()
      throw NacreError.wrap(error)
    }
    leave()
  }

  /// Closes the store, and waits for running reads and writes without blocking one of Swift's
  /// threads.
  ///
  /// - Throws: ``NacreError`` if a connection can't be closed.
  public func close() async throws { try await Self.onThread { try self.close() } }

  private func leave() {
    isClosed.store(true, ordering: .releasing)
    StoreTable.leave(number)
  }
}

// MARK: - Cursors

extension Store {
  /// Registers a cursor that holds a reader.
  ///
  /// - Throws: `storeClosed` if the store is closing.
  func enter(_ cursor: any OpenCursor) throws {
    let (identifier, entry) = (ObjectIdentifier(cursor), OpenCursors.Entry(cursor: cursor))
    let isClosing = cursors.withLock { cursors in
      cursors.entries[identifier] = entry
      return cursors.isClosing
    }
    if isClosing { throw NacreError(.storeClosed) }
  }

  func leave(_ cursor: ObjectIdentifier) {
    cursors.withLock { _ = $0.entries.removeValue(forKey: cursor) }
  }

  /// Ends the open cursors; otherwise each would hold its reader until somebody reads on, perhaps
  /// the very thread that closes the store.
  private func endCursors() {
    // End them outside the lock: this may release the last reference to a cursor, whose `deinit`
    // calls back into the store.
    let open = cursors.withLock { cursors in
      cursors.isClosing = true
      return Array(cursors.entries.values)
    }
    for entry in open { entry.cursor?.endWithStore() }
  }
}

// MARK: - Sealed columns and providers

extension Store {
  package var sealedColumns: SealedColumns { sealed.withLock { $0 } }

  /// Changes which columns the store takes for sealed from now on.
  package func changeSealedColumns(_ change: (inout SealedColumns) -> Void) {
    sealed.withLock { change(&$0) }
  }

  /// Records whether a column holds envelopes from now on, or plain values.
  package func noteSealedColumns(table: String, column: String, isSealed: Bool, hasIndex: Bool) {
    changeSealedColumns { columns in
      columns.set(table, column, isSealed)
      columns.set(table, SealedColumns.indexColumn(of: column), hasIndex)
    }
  }

  package func loadSealedColumns(_ database: Database) throws {
    let columns = try SealedColumns(ofCatalogOn: database.connection)
    changeSealedColumns { $0.become(columns) }
  }

  /// Installs a provider that seals and opens one property in place of the store's key ring.
  package func install(_ provider: any CryptProvider, entity: String, property: String) {
    providers.withLock { $0["\(entity).\(property)"] = provider }
    keys.touch()
  }

  package func provider(entity: String, property: String) -> (any CryptProvider)? {
    providers.withLock { $0["\(entity).\(property)"] } ?? options.provider
  }
}

// MARK: - Delegate

extension Store {
  /// Returns the store's delegate, and makes it if there is none yet.
  package func delegate(orMake make: () -> any StoreDelegate) -> any StoreDelegate {
    delegate.withLock { delegate in
      if let delegate { return delegate }
      let made = make()
      delegate = made
      hasDelegate.store(true, ordering: .releasing)
      return made
    }
  }

  /// Makes a connection's delegate; returns nil while the store has none.
  func delegate(of database: Database) -> (any DatabaseDelegate)? {
    guard hasDelegate.load(ordering: .acquiring) else { return nil }
    return delegate.withLock { $0 }?.delegate(of: database)
  }
}
