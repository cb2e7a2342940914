#if PostgreSQL
import NacreEngine
public import NacrePostgres
public import NacreStore

extension StoreOptions {
  /// The settings of the store's connections to a PostgreSQL server when it is opened.
  public var postgres: PostgresSettings {
    get { settings(orUsual: PostgresSettings()) }
    set { take(newValue) }
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
