import Foundation
import NacreCrypto
import NacreSQLite
import Synchronization

/// One database: its file, its connections, its key ring and its catalog.
///
/// A store is used from any number of tasks and threads at once: one of them writes, the others read, each a
/// consistent state of the whole store.
public final class Store: @unchecked Sendable {
  // Sendable holds: what can change is behind `Mutex`es and atomics, and `pool` lends each connection to one thread at a
  // time.

  /// The path of the file.
  public let path: String
  /// Whether nothing is written.
  package let isOnlyLookedAt: Bool
  /// How the store was opened.
  public let options: StoreOptions
  /// The id to which this store's sealed values are bound, so that they differ from those of every
  /// other store.
  package let storeID: StoreID
  package let keys: StoreKeys
  /// The store's number in the process, which its objects carry.
  package let number: UInt32
  /// The file that was opened, which all connections are of.
  package let file: FileIdentity?
  /// The pool, which needs the store to make its connections and is therefore made at the end of `init`, and never again.
  // Without a lock, for every read and write asks for it.
  @exclusivity(unchecked) private var connections: ConnectionPool<Database>?
  private let isClosed = Atomic(false)
  /// The columns that hold envelopes, as the catalog has them.
  private let sealed = Mutex(SealedColumns())
  /// The delegate of a module above; nil until that module has used the store.
  private let delegate: Mutex<(any StoreDelegate)?>
  private let hasDelegate: Atomic<Bool>
  /// Whether SQLite's hook tells what is changed.
  package let usesChangeHook: Bool
  private let cursors = Mutex(OpenCursors())
  private let providers = Mutex<[String: any CryptProvider]>([:])
  /// SQLite's settings of the connections, as they were set last.
  package let settings: StoreSettings
  let standby = StandbyReaders()
  /// Counts the times that a DAO has taken a table away, which other DAOs may believe to be there.
  private let generation = Atomic<UInt64>(0)

  /// The cursors that hold a reader, which would keep the store from closing.
  private struct OpenCursors {
    struct Entry: @unchecked Sendable {
      // Sendable holds: the store does nothing with a cursor but end it, under the cursor's own lock.
      weak var cursor: (any OpenCursor)?
    }
    var entries: [ObjectIdentifier: Entry] = [:]
    var isClosing = false
  }

  /// Opens the store at `path`, and makes it if it does not exist.
  ///
  /// - Parameters:
  ///   - path: the file; missing directories above it are made.
  ///   - unlock: where the secret comes from; without it, sealed properties are locked. The first `unlock` of a
  ///     store makes its key ring.
  ///   - options: durability, timeouts, limits.
  ///   - anchor: what ``anchor(after:)`` has given for this store: an older copy of the file, another store and no file
  ///     at all are refused before anything of it is used.
  /// - Returns: the open store.
  /// - Throws: ``NacreError`` with its own code for a wrong secret, a file that is no store, a later format, …; with an
  ///   anchor `otherStore`, `olderThanAnchor`, `ringOlderThanAnchor` and `anchorTampered`.
  public static func open(
    _ path: String,
    unlock: Unlock? = nil,
    options: StoreOptions = StoreOptions(),
    expecting anchor: Anchor? = nil
  ) throws -> Store {
    try NacreError.wrapping {
      let foundation = try StoreFoundation.lay(
        path,
        unlock: unlock,
        options: options,
        expecting: anchor
      )
      return try Store(foundation, path: path, options: options)
    }
  }

  private init(_ foundation: StoreFoundation, path: String, options: StoreOptions) throws {
    self.path = path
    self.options = options
    isOnlyLookedAt = options.isOnlyLookedAt
    file = FileIdentity(path)
    storeID = foundation.storeID
    keys = foundation.keys
    usesChangeHook = options.usesChangeHook && Connection.reportsChanges
    settings = StoreSettings(options)
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
      // One that fails to close is gone all the same, and nobody is there to be told.
      end: { try? $0.close() }
    )
  }

  private func connect(isWriter: Bool) throws -> Database {
    try checkFile()
    let connection = try Connection(
      path: path,
      mode: isWriter ? .readWrite : .readOnly,
      configuration: settings.configuration
    )
    if let count = options.maximumPageCount {
      try connection.execute(CatalogSQL.limit(pages: count))
    }
    try connection.define(DecimalFunctions.collation)
    trace(connection)
    return Database(store: self, connection: connection, isWriter: isWriter)
  }

  /// Refuses a path that leads to another file by now: one connection would read what another has not written.
  package func checkFile() throws {
    guard FileIdentity(path) == file else {
      throw NacreError(
        .cannotOpen,
        detail: "\(path) has become another file since the store was opened"
      )
    }
  }

  /// How often a DAO has taken a table away.
  package var tableGeneration: UInt64 { generation.load(ordering: .acquiring) }

  /// Notes that a DAO has taken a table away.
  package func noteTableLoss() { generation.add(1, ordering: .acquiringAndReleasing) }

  package var pool: ConnectionPool<Database> {
    get throws {
      guard let connections, !isClosed.load(ordering: .acquiring) else {
        throw NacreError(.storeClosed)
      }
      return connections
    }
  }

  /// Closes the store; closing twice is nothing.
  ///
  /// It ends open cursors and what observes, waits for running reads and writes, and then closes every connection. Calls
  /// that come meanwhile find the store closed.
  ///
  /// - Throws: ``NacreError/Code/transactionState`` inside a read or write of the same store, for which it would wait;
  ///   `stillUsed` where a read or write takes longer than the busy timeout: the store is open then as before, and can be
  ///   used, and closed later.
  public func close() throws {
    // It would wait for itself.
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
      StoreTable.leave(number)
      throw NacreError.wrap(error)
    }
    isClosed.store(true, ordering: .releasing)
    StoreTable.leave(number)
  }
}

// MARK: - Cursors

extension Store {
  /// Notes a cursor that holds a reader.
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

  /// Ends what would otherwise hold its reader until somebody reads on, perhaps the very thread that closes.
  private func endCursors() {
    // Let go outside of the lock: the last reference to a cursor may be ours, and its end comes back here.
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

  /// Learns what of which columns is sealed from now on.
  package func changeSealedColumns(_ change: (inout SealedColumns) -> Void) {
    sealed.withLock { change(&$0) }
  }

  /// Learns that a column holds envelopes from now on, or values.
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

  /// Installs who seals and opens one property in place of the store's key ring.
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
  /// The store's delegate, which is made if there is none yet.
  package func delegate(orMake make: () -> any StoreDelegate) -> any StoreDelegate {
    delegate.withLock { delegate in
      if let delegate { return delegate }
      let made = make()
      delegate = made
      hasDelegate.store(true, ordering: .releasing)
      return made
    }
  }

  /// Makes a connection's delegate; nil while the store has none.
  func delegate(of database: Database) -> (any DatabaseDelegate)? {
    guard hasDelegate.load(ordering: .acquiring) else { return nil }
    return delegate.withLock { $0 }?.delegate(of: database)
  }
}
