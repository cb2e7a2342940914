import NacreEngine
public import NacreSQLite
public import NacreStore

extension StoreOptions {
  /// SQLite's own settings of the store's connections when it is opened.
  public var pragmas: Pragmas {
    get { settings(orUsual: Pragmas()) }
    set { take(newValue) }
  }
}

extension Store {
  /// SQLite's current settings for the store's connections, whether set here or through SQL.
  ///
  /// - Throws: ``NacreError``.
  public var pragmas: Pragmas {
    get throws { try withWriterApart { try $0.pragmas } }
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
    if isInUseOnThisThread {
      throw NacreError(
        .transactionState,
        detail: "settings can be changed only outside of a transaction"
      )
    }
    try withWriter { database in
      var pragmas = try database.pragmas
      change(&pragmas)
      try settings.set(pragmas, on: database)
    }
  }
}

extension Database {
  /// SQLite's current settings for this connection.
  ///
  /// - Throws: ``NacreError``, with code `serverCannot` for a store on a server.
  public var pragmas: Pragmas {
    get throws {
      let settings = try NacreError.wrapping { try home.engine.settings(of: connection) }
      guard let pragmas = settings as? Pragmas else {
        throw NacreError(
          .serverCannot,
          detail: "pragmas are settings of SQLite",
          advice: "Set `options.postgres` before the store is opened."
        )
      }
      return pragmas
    }
  }
}
