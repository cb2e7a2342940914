import NacreEngine

extension Connection {
  /// The settings that SQLite has now, however they were set.
  ///
  /// - Throws: SQLite's error.
  package func pragmas() throws(SQLiteError) -> Pragmas {
    var pragmas = Pragmas()
    // SQLite only reports a timeout that was set through SQL, which replaces ours. It also reports 0 if no timeout was
    // ever set, so 0 alone does not show that SQL set it.
    let timeout = try number("busy_timeout")
    if timeout == 0 && settingsOfSQL.contains(.busyTimeout) { waitForLocks(milliseconds: 0) }
    pragmas.busyTimeout = Double(timeout > 0 ? timeout : Int(busyTimeoutMilliseconds)) / 1000
    pragmas.foreignKeys = try number("foreign_keys") != 0
    // SQLite has no PRAGMA that reads this setting.
    pragmas.caseSensitiveLike = try prepareLike()
    pragmas.synchronous = Pragmas.Synchronous(rawValue: try number("synchronous")) ?? .normal
    let mode = try pragma("journal_mode") ?? ""
    pragmas.journalMode = Pragmas.JournalMode(rawValue: mode) ?? .wal
    pragmas.temporaryStore =
      Pragmas.TemporaryStore(rawValue: try number("temp_store")) ?? .automatic
    return pragmas
  }

  /// The settings to which prepared SQL has given a value since ``forgetSettingsOfSQL()``.
  ///
  /// SQLite sets most of them when it prepares the statement, but the journal mode when the statement runs.
  package var settingsOfSQL: Set<Pragmas.Name> { authorizer.settings }

  /// Whether SQL has set any of the settings.
  package var hasSettingsOfSQL: Bool { !authorizer.settings.isEmpty }

  /// Forgets that SQL has set anything.
  package func forgetSettingsOfSQL() {
    authorizer.settings = []
  }

  /// Sets the settings that differ from SQLite's present ones.
  ///
  /// - Throws: SQLITE_BUSY or SQLITE_LOCKED if other connections keep the journal mode from changing; SQLITE_MISUSE for
  ///   a setting other than the busy timeout and `caseSensitiveLike` inside a transaction, where SQLite would ignore or
  ///   refuse the change, and if the journal mode stays as it is.
  package func set(_ wanted: Pragmas) throws(SQLiteError) {
    let present = try pragmas()
    let changesAtRest =
      wanted.foreignKeys != present.foreignKeys || wanted.journalMode != present.journalMode
      || wanted.appliedSynchronous != present.synchronous
      || wanted.temporaryStore != present.temporaryStore
    if isInTransaction && changesAtRest {
      throw Self.misuse("this setting can't be changed inside a transaction")
    }
    if mode != .readOnly && wanted.journalMode != present.journalMode {
      let mode = try pragma("journal_mode = \(wanted.journalMode.rawValue)")
      guard mode == wanted.journalMode.rawValue else {
        throw Self.misuse(
          "the journal mode could not be changed and stays \(mode ?? "unknown")"
        )
      }
    }
    let numbers: [(name: String, wanted: Int, present: Int)] = [
      ("foreign_keys", wanted.foreignKeys ? 1 : 0, present.foreignKeys ? 1 : 0),
      ("case_sensitive_like", wanted.caseSensitiveLike ? 1 : 0, present.caseSensitiveLike ? 1 : 0),
      ("synchronous", wanted.appliedSynchronous.rawValue, present.synchronous.rawValue),
      ("temp_store", wanted.temporaryStore.rawValue, present.temporaryStore.rawValue),
    ]
    for setting in numbers where setting.wanted != setting.present {
      try execute("PRAGMA \(setting.name) = \(setting.wanted)")
    }
    if wanted.busyTimeout != present.busyTimeout {
      waitForLocks(milliseconds: wanted.busyTimeoutMilliseconds)
    }
    // The recorded settings are the ones this call has just set.
    forgetSettingsOfSQL()
  }

  private func number(_ name: String) throws(SQLiteError) -> Int {
    Int(try pragma(name) ?? "") ?? 0
  }

  private func prepareLike() throws(SQLiteError) -> Bool {
    let statement = try prepare("SELECT 'a' LIKE 'A'", persistent: false)
    defer { statement.reset() }
    return try statement.step() && statement.int64(at: 0) == 0
  }
}
