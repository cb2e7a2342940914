#if PostgreSQL
import NacreEngine
public import NacrePostgres
import NacreSQLite
public import NacreStore

extension StoreOptions {
  /// The settings of the store's connections to a PostgreSQL server when it is opened.
  ///
  /// A whole new value also sets ``durability`` and ``busyTimeout``, so change single properties.
  public var postgres: PostgresSettings {
    get { settings(orUsual: PostgresSettings()) }
    set { take(newValue) }
  }
}

extension Store {
  /// Returns the database of a URL; nil for the path of a file.
  ///
  /// - Throws: ``NacreError`` for a malformed URL; `serverCannot` if the options ask for a sealed file, which a server
  ///   would keep in plain, for pragmas, or for a file of a limited size.
  static func postgresHome(_ path: String, _ options: StoreOptions) throws -> PostgresHome? {
    guard path.isServerURL else { return nil }
    guard options.seals == .properties else {
      throw NacreError(
        .serverCannot,
        detail: "the pages of a server can't be sealed by its client",
        advice: "Leave `seals` at `.properties`; sealed properties are sealed before they are sent."
      )
    }
    // What they ask for, such as another LIKE, would not happen.
    if options.engineSettings is Pragmas {
      throw NacreError(
        .serverCannot,
        detail: "pragmas are settings of SQLite",
        advice: "Leave `pragmas` alone; set `durability`, `busyTimeout` and `postgres` instead."
      )
    }
    guard options.maximumPageCount == nil else {
      throw NacreError(
        .serverCannot,
        detail: "a database on a server has no largest number of pages",
        advice: "Leave `maximumPageCount` at nil; limit the space with the server's own means."
      )
    }
    return try NacreError.wrapping { try PostgresHome(url: path, settings: options.postgres) }
  }
}
#endif
