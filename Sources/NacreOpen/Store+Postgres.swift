#if PostgreSQL
import NacreEngine
public import NacrePostgres
public import NacreStore

extension StoreOptions {
  /// The settings of the store's connections to a PostgreSQL server when it is opened.
  public var postgres: PostgresSettings {
    get {
      if let settings = engineSettings as? PostgresSettings { return settings }
      var settings = PostgresSettings()
      settings.busyTimeout = busyTimeout
      settings.commitsDurably = durability == .full
      return settings
    }
    set {
      durability = newValue.commitsDurably ? .full : .normal
      busyTimeout = newValue.busyTimeout
      // After these two, which change the former settings.
      engineSettings = newValue
    }
  }
}

extension Store {
  /// Returns the database of a URL; nil for the path of a file.
  ///
  /// - Throws: ``NacreError`` for a malformed URL.
  static func postgresHome(_ path: String, _ options: StoreOptions) throws -> PostgresHome? {
    guard ServerAddress.isURL(path) else { return nil }
    return try NacreError.wrapping { try PostgresHome(url: path, settings: options.postgres) }
  }
}
#endif
