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
  /// - Throws: ``NacreError`` for a malformed URL; `serverCannot` if the options ask for a sealed file, which a server
  ///   would keep in plain, or bound the size of a file.
  static func postgresHome(_ path: String, _ options: StoreOptions) throws -> PostgresHome? {
    guard path.isServerURL else { return nil }
    guard options.seals == .properties else {
      throw NacreError(
        .serverCannot,
        detail: "the pages of a server can't be sealed by its client",
        advice: "Leave `seals` at `.properties`; sealed properties are sealed before they are sent."
      )
    }
    guard options.maximumPageCount == nil else {
      throw NacreError(
        .serverCannot,
        detail: "a server's tables have no file whose pages could be counted",
        advice: "Leave `maximumPageCount` at nil, and bound the disk of the server."
      )
    }
    return try NacreError.wrapping { try PostgresHome(url: path, settings: options.postgres) }
  }
}
#endif
