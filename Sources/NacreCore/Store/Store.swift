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
  let isOnlyLookedAt: Bool
  /// How the store was opened.
  public let options: StoreOptions
  /// The id to which this store's sealed values are bound, so that they differ from those of every
  /// other store.
  package let storeID: StoreID
  package let keys: StoreKeys
  /// The steps that take the store from one version to the next.
  let versions: StoreVersions
  let observation: Observation
  /// The store's number in the process, which its objects carry.
  package let number: UInt32
  /// The file that was opened, which all connections are of.
  package let file: FileIdentity?
  /// The pool, which needs the store to make its connections and is therefore made at the end of `init`, and never again.
  // Without a lock, for every read and write asks for it.
  @exclusivity(unchecked) private var connections: ConnectionPool<Database>?
  private let isClosed = Atomic(false)
  private let catalog = Mutex(CatalogState())
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

  /// The process's knowledge of the store's tables.
  private struct CatalogState {
    /// Entities whose tables are known to be there, each with the state at which that was seen.
    var registered: [Int: Registration] = [:]
    var sealedColumns = SealedColumns()
  }

  /// The state in which an entity was compared with the catalog; a conversion of rows changes both
  /// parts.
  private struct Registration: Equatable {
    let keys: UInt64
    let layout: Value?
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
    versions = try StoreVersions(options, path: path)
    observation = Observation(options)
    settings = StoreSettings(options)
    number = StoreTable.reserve()
    connections = makePool()
    observation.store = self
    do {
      try StoreTable.enter(self, number)
      try withWriter { database in
        try self.loadSealedColumns(database)
        try self.markCatalog(on: database)
      }
      if options.isOnlyLookedAt { return }
      try migrateAtOpen()
      try registerAtOpen()
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
  func checkFile() throws {
    guard FileIdentity(path) == file else {
      throw NacreError(.cannotOpen, detail: "\(path) is another file since the store was opened")
    }
  }

  /// How often a DAO has taken a table away.
  package var tableGeneration: UInt64 { generation.load(ordering: .acquiring) }

  /// Notes that a DAO has taken a table away.
  package func noteTableLoss() { generation.add(1, ordering: .acquiringAndReleasing) }

  var pool: ConnectionPool<Database> {
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
        detail: "close() inside a read or write of the same store"
      )
    }
    guard let pool = try? pool else { return StoreTable.leave(number) }
    observation.close()
    endCursors()
    do {
      try pool.close { try $0.close() }
    } catch let error as PoolTimeoutError {
      cursors.withLock { $0.isClosing = false }
      observation.reopen()
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

// MARK: - Catalog and providers

extension Store {
  var sealedColumns: SealedColumns { catalog.withLock { $0.sealedColumns } }

  /// Makes the tables of the classes that the options name.
  private func registerAtOpen() throws {
    if options.entities.isEmpty || !options.migratesWhenOpened { return }
    try register(options.entities, skipsPending: true)
  }

  /// Makes the tables of classes, or compares them with the catalog.
  ///
  /// - Parameters:
  ///   - entities: the classes; with them goes what they reach.
  ///   - skipsPending: whether a class is left that waits for `migrate()`, which needs the open store; who uses the class
  ///     before learns of it.
  /// - Throws: ``NacreError``.
  func register(_ entities: [any Entity.Type], skipsPending: Bool = false) throws {
    try withReader { database in
      for entity in entities {
        do {
          _ = try database.plan(for: entity.entitySchema)
        } catch let error as NacreError where skipsPending && error.code == .migrationPending {
          continue
        }
      }
    }
  }

  /// Makes sure that an entity and all that it reaches have their tables and columns, at the layout that was found last.
  func register(_ schema: EntitySchema, on database: Database) throws {
    try database.refuseInsideMigration(schema.name)
    let state = Registration(keys: keys.version, layout: database.layout)
    if isRegistered(schema, at: state) { return }
    if database.registering.contains(schema.number) { return }
    let schemas = schema.reachable.map { $0.entitySchema }
    try database.refuseForeignCatalog()
    // Tables that are there are read without the writers' lock, which others may hold; those that this very
    // transaction has made may still go.
    if try database.registering.isEmpty
      && schemas.allSatisfy({ try TableBuilder(database, $0).isBuilt() })
    {
      return noteRegistered(schemas, at: state)
    }
    if database.isWriter {
      try register(schema, writingOn: database)
    } else {
      try withWriterApart { try self.register(schema, writingOn: $0) }
      try database.moveSnapshot()
    }
  }

  private func register(_ schema: EntitySchema, writingOn writer: Database) throws {
    let schemas = schema.reachable.map { $0.entitySchema }
    let before = writer.registering
    let sealedBefore = sealedColumns
    try writer.transaction(.immediate) { database in
      database.undo.note {
        self.catalog.withLock { $0.sealedColumns.become(sealedBefore) }
        database.registering = before
        database.forgetPlans()
      }
      try EntityMigration(schemas, on: database).run()
      database.registering.formUnion(schemas.map(\.number))
      noteSealedColumns(of: schemas)
      // Others would look for the tables before they are there.
      database.undo.onCommit {
        let layout = try? database.scalar(CatalogSQL.schemaVersion)
        self.noteRegistered(schemas, at: Registration(keys: self.keys.version, layout: layout))
        database.registering.subtract(schemas.map(\.number))
      }
    }
  }

  private func noteRegistered(_ schemas: [EntitySchema], at registration: Registration) {
    noteSealedColumns(of: schemas)
    catalog.withLock { state in
      for schema in schemas { state.registered[schema.number] = registration }
    }
  }

  private func isRegistered(_ schema: EntitySchema, at registration: Registration) -> Bool {
    catalog.withLock { $0.registered[schema.number] } == registration
  }

  private func noteSealedColumns(of schemas: [EntitySchema]) {
    catalog.withLock { state in
      for schema in schemas {
        for property in schema.properties where property.isSealed {
          state.sealedColumns.insert(schema.table, property.column)
          if let index = property.indexColumn { state.sealedColumns.insert(schema.table, index) }
        }
      }
    }
  }

  /// Learns that a column holds envelopes from now on, or values.
  func noteSealedColumns(table: String, column: String, isSealed: Bool, hasIndex: Bool) {
    catalog.withLock { state in
      state.sealedColumns.set(table, column, isSealed)
      state.sealedColumns.set(table, Property.indexColumn(of: column), hasIndex)
    }
  }

  func loadSealedColumns(_ database: Database) throws {
    let columns = try SealedColumns(ofCatalogOn: database.connection)
    catalog.withLock { $0.sealedColumns.become(columns) }
  }

  /// Installs who seals and opens one property in place of the store's key ring.
  ///
  /// - Parameters:
  ///   - provider: told entity, property and objectID with every value.
  ///   - property: a property marked `@Encrypted`.
  /// - Throws: ``NacreError`` when the property is not stored or not sealed.
  public func install<E: Entity, V>(
    _ provider: any CryptProvider,
    for property: KeyPath<E, V>
  ) throws {
    guard let stored = E.entitySchema.property(property), stored.isSealed else {
      throw NacreError(.noSuchProperty, entity: E.entitySchema.name)
    }
    let schema = E.entitySchema
    providers.withLock { $0["\(schema.name).\(stored.name)"] = provider }
    keys.touch()
    // The catalog says whose values rotation must leave alone.
    let wasRegistered = catalog.withLock { $0.registered.removeValue(forKey: schema.number) } != nil
    if wasRegistered { try withWriterApart { try register(schema, writingOn: $0) } }
  }

  func provider(entity: String, property: String) -> (any CryptProvider)? {
    providers.withLock { $0["\(entity).\(property)"] } ?? options.provider
  }
}
