public import NacreSQLite
import Synchronization

/// SQLite's settings as they were last set, for all connections of a store.
///
/// SQLite keeps settings for each connection. A connection gets the settings that it lacks when it
/// is lent the next time.
package final class StoreSettings: Sendable {
  private let state: Mutex<Pragmas>
  private let statementLog: Mutex<StatementLog?>
  private let version = Atomic<UInt64>(0)

  init(_ options: StoreOptions) {
    state = Mutex(options.pragmas)
    statementLog = Mutex(options.log)
  }

  /// Which statements are logged, and how; nil if none are.
  var log: StatementLog? {
    get { statementLog.withLock { $0 } }
    set {
      statementLog.withLock { $0 = newValue }
      version.add(1, ordering: .acquiringAndReleasing)
    }
  }

  /// The journal mode, by which SQLite makes transactions atomic.
  package var journalMode: Pragmas.JournalMode { state.withLock { $0.journalMode } }

  /// The configuration for new connections.
  package var configuration: ConnectionConfiguration {
    ConnectionConfiguration(state.withLock { $0 })
  }

  /// How long the current thread waits for a connection of the pool.
  var busyTimeout: Duration {
    .milliseconds(Int64(configuration.busyTimeoutMilliseconds)) * ThreadBinding.patience
  }

  /// Applies the settings that a connection lacks.
  func apply(to database: Database) throws {
    let version = version.load(ordering: .acquiring)
    guard database.settingsVersion != version else { return }
    // Neither the trace nor the log reports the store's own statements.
    database.connection.setStatementTrace(nil)
    defer { database.home.trace(database.connection) }
    try database.connection.ofSQLite.set(state.withLock { $0 })
    database.settingsVersion = version
  }

  /// Applies settings to one connection now, and to all others when they are lent the next time.
  func set(_ pragmas: Pragmas, on database: Database) throws {
    try database.connection.ofSQLite.set(pragmas)
    state.withLock { $0 = pragmas }
    database.settingsVersion = version.add(1, ordering: .acquiringAndReleasing).newValue
  }

  /// Takes over the settings that the caller's own SQL changed on one connection, and only those.
  ///
  /// A reader does not know, for example, which rollback journal the writer keeps.
  func follow(_ database: Database) throws {
    let names = try database.connection.ofSQLite.settingsOfSQL
    if names.isEmpty { return }
    let found = try database.connection.ofSQLite.pragmas()
    try database.connection.ofSQLite.forgetSettingsOfSQL()
    state.withLock { $0.take(names, of: found) }
    version.add(1, ordering: .acquiringAndReleasing)
  }
}

extension Store {
  /// SQLite's current settings for the store's connections, whether set here or through SQL.
  ///
  /// - Throws: ``NacreError``.
  public var pragmas: Pragmas {
    get throws { try withWriterApart { try $0.connection.ofSQLite.pragmas() } }
  }

  /// Changes SQLite's settings for all of the store's connections.
  /// ```swift
  /// try store.setPragmas { $0.caseSensitiveLike = true }
  /// ```
  /// They hold until the store is closed; only the journal mode WAL stays with the file.
  ///
  /// - Parameter change: Receives the current settings and changes them.
  /// - Throws: ``NacreError`` with code `transactionState` inside a `read` or `write`; `busy` for a
  ///   journal mode that other connections, such as this store's readers, keep from changing. Set
  ///   that when the store is opened.
  public func setPragmas(_ change: (inout Pragmas) -> Void) throws {
    if ThreadBinding.database(of: self) != nil {
      throw NacreError(
        .transactionState,
        detail: "settings can be changed only outside of a transaction"
      )
    }
    try withWriter { database in
      var pragmas = try database.connection.ofSQLite.pragmas()
      change(&pragmas)
      try settings.set(pragmas, on: database)
    }
  }
}

extension Database {
  /// SQLite's current settings for this connection.
  ///
  /// - Throws: ``NacreError``.
  public var pragmas: Pragmas {
    get throws { try NacreError.wrapping { try connection.ofSQLite.pragmas() } }
  }
}
