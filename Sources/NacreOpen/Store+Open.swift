public import NacreCrypto
import NacreSQLite
public import NacreStore

extension Store {
  /// Opens the store at `path`, and creates it if it does not exist.
  ///
  /// On a server the database and the schema must exist.
  ///
  /// - Parameters:
  ///   - path: The file; missing directories above it are created. With the trait PostgreSQL it can be the URL of a
  ///     database instead, such as `postgresql://ada@db.example/garage`.
  ///   - unlock: Where the secret comes from; without it, sealed properties are locked. The first
  ///     `unlock` of a store creates its key ring.
  ///   - options: Durability, timeouts, limits.
  ///   - anchor: What ``anchor(after:)`` returned for this store. An older copy of the file,
  ///     another store and a missing file are refused before anything in the file is used.
  /// - Returns: The open store.
  /// - Throws: ``NacreError`` with its own code for a wrong secret, a file that is no store, a
  ///   later format, the URL of a server in a build without the trait and so on; with an anchor also `otherStore`, `olderThanAnchor`,
  ///   `ringOlderThanAnchor` and `anchorTampered`.
  public static func open(
    _ path: String,
    unlock: Unlock? = nil,
    options: StoreOptions = StoreOptions(),
    expecting anchor: Anchor? = nil
  ) throws -> Store {
    #if PostgreSQL
    if let home = try postgresHome(path, options) {
      return try open(home, unlock: unlock, options: options, expecting: anchor)
    }
    #endif
    let home = try SQLiteHome.ofStore(
      path,
      unlock: unlock,
      options: options,
      creates: options.createIfMissing && !options.isOnlyLookedAt && anchor == nil
    )
    let store = try open(home, unlock: unlock, options: options, expecting: anchor)
    do {
      try store.finishHeaderChange()
    } catch {
      try? store.close()
      throw error
    }
    return store
  }

  /// Opens the store at `path`, and creates it if it does not exist; the async version of
  /// ``open(_:unlock:options:expecting:)-(_,Unlock?,_,_)``.
  ///
  /// - Parameters:
  ///   - path: The file, or the URL of a database on a server.
  ///   - unlock: Where the secret comes from.
  ///   - options: Durability, timeouts, limits.
  ///   - anchor: The anchor than which the file must not be older.
  /// - Returns: The open store.
  /// - Throws: ``NacreError``.
  public static func open(
    _ path: String,
    unlock: Unlock? = nil,
    options: StoreOptions = StoreOptions(),
    expecting anchor: Anchor? = nil
  ) async throws -> Store {
    try await onThread {
      try open(path, unlock: unlock, options: options, expecting: anchor)
    }
  }

  /// Throws unless there is a file at a path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reason: Why a store on a server can't do this.
  /// - Throws: ``NacreError`` with code `serverCannot` or `onServer` for the URL of a server, `cannotOpen` if there is no
  ///   file.
  static func requireFile(at path: String, because reason: String) throws {
    try refuseServer(path, reason)
    guard exists(at: path) else {
      throw NacreError(.cannotOpen, detail: "there is no file at \(path)")
    }
  }

  /// Returns whether there is a file at `path`; false for the URL of a server.
  public static func exists(at path: String) -> Bool { SQLiteHome(path: path).exists }

  /// Deletes the file at `path` and its write-ahead log; if a store is open there, close it first.
  ///
  /// - Throws: ``NacreError`` if a store in this process has the file open, or if the file can't be
  ///   deleted; with code `serverCannot` for the URL of a server.
  public static func delete(at path: String) throws {
    try refuseServer(
      path,
      "a database on a server is dropped by the server's own means",
      advice: "Drop the schema, or the database."
    )
    try delete(SQLiteHome(path: path))
  }
}
