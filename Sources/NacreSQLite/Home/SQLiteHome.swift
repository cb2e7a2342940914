package import NacreEngine
import Synchronization

/// One SQLite database, in a file or in memory: its place, its connections and their settings.
package final class SQLiteHome: EngineHome {
  package let path: String
  package let slotKeeper: (any SlotKeeping)?
  /// Nil: the kernel's locks keep the processes of one machine apart.
  package var leaseKeeper: (any LeaseKeeping)? { nil }
  /// The database in memory; nil for a file.
  let memory: MemoryDatabase?
  // Made once, because long work asks at every row.
  package let capabilities: EngineCapabilities
  /// The largest number of pages; nil for SQLite's own limit.
  private let maximumPageCount: Int?
  private let state: Mutex<State>

  private struct State {
    /// The settings that were set last, for all connections.
    var pragmas: Pragmas
    var file: FileIdentity?
    /// The seals on the file's pages; nil for a plain file.
    var pages: SealedPages?
  }

  /// Makes the home of a file, which need not exist yet.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - pragmas: The settings of its connections.
  ///   - maximumPageCount: The largest number of pages; nil for SQLite's own limit.
  ///   - slotKeeper: Keeps the slots of the key ring; nil if they are kept in the store's tables.
  package init(
    path: String,
    pragmas: Pragmas = Pragmas(),
    maximumPageCount: Int? = nil,
    slotKeeper: (any SlotKeeping)? = nil
  ) {
    self.path = path
    memory = nil
    capabilities = Self.capabilities(true)
    self.maximumPageCount = maximumPageCount
    self.slotKeeper = slotKeeper
    state = Mutex(State(pragmas: pragmas))
  }

  /// Makes the home of a new database in memory, which ends with the home and its last connection.
  ///
  /// - Parameters:
  ///   - memory: The database; no other home has it.
  ///   - pragmas: The settings of its connections.
  ///   - maximumPageCount: The largest number of pages; nil for SQLite's own limit.
  package init(
    in memory: MemoryDatabase,
    pragmas: Pragmas = Pragmas(),
    maximumPageCount: Int? = nil
  ) {
    path = memory.path
    self.memory = memory
    capabilities = Self.capabilities(false)
    self.maximumPageCount = maximumPageCount
    slotKeeper = nil
    state = Mutex(State(pragmas: pragmas))
  }

  /// Returns what SQLite can do with a database that other processes can open, or with one in memory.
  private static func capabilities(_ isShared: Bool) -> EngineCapabilities {
    var capabilities: EngineCapabilities = [
      .rawFile, .undoesFailedStatements, .defersReferences,
    ]
    if Connection.reportsChanges { capabilities.insert(.changeReports) }
    if isShared { capabilities.insert(.sharedFile) }
    return capabilities
  }

  package var file: FileIdentity? { state.withLock { $0.file } }

  /// The settings that were set last.
  var pragmas: Pragmas { state.withLock { $0.pragmas } }

  /// The seals on the file's pages; nil for a plain file.
  var pages: SealedPages? { state.withLock { $0.pages } }

  /// Changes the settings for connections that are opened from now on.
  func changePragmas(_ change: (inout Pragmas) -> Void) { state.withLock { change(&$0.pragmas) } }

  /// Returns a connection as SQLite's own.
  ///
  /// - Throws: `HomeError` for a connection of another engine.
  func own(_ connection: any EngineConnection) throws -> Connection {
    guard let own = connection as? Connection else {
      throw HomeError(.badStatement, "only a connection of SQLite's can do this")
    }
    return own
  }

  package func seal(with sealer: any PageSealer) throws {
    guard memory == nil else {
      throw HomeError(.inMemory, "the pages of a database in memory can't be sealed")
    }
    let pages = SealedPages(sealer)
    state.withLock { $0.pages = pages }
  }

  // MARK: - Connections

  package func connect(_ role: ConnectionRole) throws -> any EngineConnection {
    switch role {
    case .founder(let creates): return try found(creates: creates)
    case .inspector: return try inspect()
    case .writer, .reader: break
    }
    // Otherwise one connection would not see what another one writes.
    guard memory != nil || FileIdentity(path) == file else {
      throw HomeError(
        .cannotOpen,
        "\(path) has become another file since the store was opened"
      )
    }
    let connection = try openConnection(role == .writer ? .readWrite : .readOnly)
    // By now the founder has found a store; who is refused changes nothing.
    if role == .writer { try ConnectionRekeying.recover(on: connection) }
    try connection.define(DecimalFunctions.collation)
    try connection.defineTables()
    return connection
  }

  package func rekeying() throws -> (any PageRekeying)? {
    try pages.flatMap { _ in try ConnectionRekeying(own(connect(.writer))) }
  }

  package func pageChecking() throws -> (any PageChecking)? {
    try pages.flatMap { _ in try ConnectionPageCheck(own(connect(.reader))) }
  }

  func found(creates: Bool) throws -> Connection {
    if memory == nil { try Self.checkPath(path) }
    if !exists {
      guard creates else { throw HomeError(.cannotOpen, "there is no file at \(path)") }
      try Self.createDirectory(above: path)
    }
    // Set the journal to WAL only once the file is known to be a store, so that a foreign database
    // stays unchanged.
    do {
      let connection = try openConnection(creates ? .create : .readWrite, setsJournalMode: false)
      let file = memory == nil ? FileIdentity(path) : nil
      state.withLock { $0.file = file }
      return connection
    } catch {
      throw HomeError(error.kind, path, cause: error)
    }
  }

  private func inspect() throws -> Connection {
    let connection: Connection
    if let memory {
      connection = try Connection(path: path, mode: .readOnly, in: memory, home: self)
    } else {
      connection = try inspectFile()
    }
    // SQLite needs the collation to check an index of decimals.
    try connection.define(DecimalFunctions.collation)
    return connection
  }

  private func inspectFile() throws -> Connection {
    try Self.checkPath(path)
    try Self.checkIsDatabase(path)
    // SQLite keeps the log beside the file itself, also if the path leads there by a link.
    let file = Self.resolved(path)
    do {
      return try Connection(path: path, mode: .readOnly, sealing: pages, home: self)
    } catch {
      guard error.isCantOpen || error.isReadOnly, Self.canOnlyBeRead(file) else {
        throw HomeError(error.kind, path, cause: error)
      }
      let (log, journal) =
        pages == nil
        ? ("-wal", "-journal") : (SealedFileSystem.logEnding, SealedFileSystem.journalEnding)
      let left = Self.exists(file + log) ? log : Self.isEmpty(file + journal) ? nil : journal
      guard let left else {
        // Nobody can make a log here, so nobody writes, and the file can be read as immutable.
        return try Connection(
          path: path,
          mode: .readOnly,
          isImmutable: true,
          sealing: pages,
          home: self
        )
      }
      throw HomeError(
        .cannotOpen,
        "\(path) has a \(left == log ? "write-ahead log" : "rollback journal"), and its directory "
          + "can't be written; copy the file and its \(left) file to a directory that can be written",
        cause: error
      )
    }
  }

  private func openConnection(
    _ mode: Connection.Mode,
    setsJournalMode: Bool = true
  ) throws(SQLiteError) -> Connection {
    var configuration = ConnectionConfiguration(pragmas)
    configuration.setsJournalMode = setsJournalMode
    let connection = try Connection(
      path: path,
      mode: mode,
      in: memory,
      sealing: pages,
      configuration: configuration,
      home: self
    )
    if let maximumPageCount { _ = try connection.pragma("max_page_count = \(maximumPageCount)") }
    return connection
  }
}
