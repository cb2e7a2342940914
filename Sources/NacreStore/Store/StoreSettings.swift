public import NacreSQLite
import Synchronization

/// SQLite's settings of a store's connections: what was set last, for all of them.
///
/// SQLite keeps them for each connection; a connection takes over what it lacks when it is lent the next time.
package final class StoreSettings: Sendable {
  private let state: Mutex<Pragmas>
  private let statementLog: Mutex<StatementLog?>
  private let version = Atomic<UInt64>(0)

  init(_ options: StoreOptions) {
    state = Mutex(options.pragmas)
    statementLog = Mutex(options.log)
  }

  /// Which statements are logged.
  var log: StatementLog? {
    get { statementLog.withLock { $0 } }
    set {
      statementLog.withLock { $0 = newValue }
      version.add(1, ordering: .acquiringAndReleasing)
    }
  }

  /// How the store's transactions are made atomic.
  package var journalMode: Pragmas.JournalMode { state.withLock { $0.journalMode } }

  /// How new connections are set up.
  package var configuration: ConnectionConfiguration {
    ConnectionConfiguration(state.withLock { $0 })
  }

  /// For how long somebody waits for a connection of the pool.
  var busyTimeout: Duration {
    .milliseconds(Int64(configuration.busyTimeoutMilliseconds)) * ThreadBinding.patience
  }

  /// Gives a connection the settings that it lacks.
  func apply(to database: Database) throws {
    let version = version.load(ordering: .acquiring)
    guard database.settingsVersion != version else { return }
    // The store's own questions are nobody's.
    database.connection.setTrace(nil)
    defer { database.home.trace(database.connection) }
    try database.connection.set(state.withLock { $0 })
    database.settingsVersion = version
  }

  /// Sets a connection, and all others when they are lent the next time.
  func set(_ pragmas: Pragmas, on database: Database) throws {
    try database.connection.set(pragmas)
    state.withLock { $0 = pragmas }
    database.settingsVersion = version.add(1, ordering: .acquiringAndReleasing).newValue
  }

  /// Takes over what the caller's own SQL has set on one connection, and nothing else: a reader does not know which
  /// rollback journal the writer keeps.
  func follow(_ database: Database) throws {
    let names = database.connection.settingsOfSQL
    if names.isEmpty { return }
    let found = try database.connection.pragmas()
    database.connection.forgetSettingsOfSQL()
    state.withLock { $0.take(names, of: found) }
    version.add(1, ordering: .acquiringAndReleasing)
  }
}

extension Store {
  /// SQLite's settings of the store's connections as they are now, whether they were set here or through SQL.
  ///
  /// - Throws: ``NacreError``.
  public var pragmas: Pragmas {
    get throws { try withWriterApart { try $0.connection.pragmas() } }
  }

  /// Changes SQLite's settings of all of the store's connections.
  /// ```swift
  /// try store.setPragmas { $0.caseSensitiveLike = true }
  /// ```
  /// They hold until the store is closed; only WAL as the journal mode stays with the file.
  ///
  /// - Parameter change: is given the settings as they are.
  /// - Throws: ``NacreError`` with code `transactionState` inside a `read` or `write`; `busy` for a journal mode that other
  ///   connections, such as readers of this very store, keep from changing: set it when the store is opened.
  public func setPragmas(_ change: (inout Pragmas) -> Void) throws {
    if ThreadBinding.database(of: self) != nil {
      throw NacreError(
        .transactionState,
        detail: "settings can be changed only outside of a transaction"
      )
    }
    try withWriter { database in
      var pragmas = try database.connection.pragmas()
      change(&pragmas)
      try settings.set(pragmas, on: database)
    }
  }
}

extension Database {
  /// SQLite's settings of this connection as they are now.
  ///
  /// - Throws: ``NacreError``.
  public var pragmas: Pragmas {
    get throws { try NacreError.wrapping { try connection.pragmas() } }
  }
}
