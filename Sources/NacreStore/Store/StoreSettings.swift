package import NacreEngine
import Synchronization

/// The settings of all connections of a store: the engine's, and what is logged.
///
/// An engine keeps settings for each connection. A connection gets the settings that it lacks when
/// it is lent the next time.
package final class StoreSettings: Sendable {
  private let engine: any EngineHome
  private let statementLog: Mutex<StatementLog?>
  private let version = Atomic<UInt64>(0)

  init(_ engine: any EngineHome, log: StatementLog?) {
    self.engine = engine
    statementLog = Mutex(log)
  }

  /// Which statements are logged, and how; nil if none are.
  var log: StatementLog? {
    get { statementLog.withLock { $0 } }
    set {
      statementLog.withLock { $0 = newValue }
      version.add(1, ordering: .acquiringAndReleasing)
    }
  }

  /// How long a connection waits for another connection's lock.
  var lockTimeout: Duration { .milliseconds(Int64(engine.settings.busyTimeoutMilliseconds)) }

  /// How long the current thread waits for a connection of the pool.
  var busyTimeout: Duration { lockTimeout * ThreadBinding.patience }

  /// Applies the settings that a connection lacks.
  func apply(to database: Database) throws {
    let version = version.load(ordering: .acquiring)
    guard database.settingsVersion != version else { return }
    // Neither the trace nor the log reports the store's own statements.
    database.connection.setStatementTrace(nil)
    defer { database.home.trace(database.connection) }
    try engine.applySettings(to: database.connection)
    database.settingsVersion = version
  }

  /// Applies settings to one connection now, and to all others when they are lent the next time.
  ///
  /// - Throws: `HomeError` for another engine's settings; the engine's error.
  package func set(_ settings: any EngineSettings, on database: Database) throws {
    try engine.set(settings, on: database.connection)
    database.settingsVersion = version.add(1, ordering: .acquiringAndReleasing).newValue
  }

  /// Takes over the settings that the caller's own SQL changed on one connection, and only those.
  func follow(_ database: Database) throws {
    guard database.connection.hasSettingsOfSQL else { return }
    try engine.takeSettings(of: database.connection)
    version.add(1, ordering: .acquiringAndReleasing)
  }
}
