package import NacreEngine

extension SQLiteHome {
  package var settings: any EngineSettings { pragmas }

  package func settings(of connection: any EngineConnection) throws -> any EngineSettings {
    try own(connection).pragmas()
  }

  package func set(_ settings: any EngineSettings, on connection: any EngineConnection) throws {
    guard let pragmas = settings as? Pragmas else {
      throw HomeError(.badStatement, "these are another engine's settings")
    }
    try own(connection).set(pragmas)
    changePragmas { $0 = pragmas }
  }

  package func applySettings(to connection: any EngineConnection) throws {
    try own(connection).set(pragmas)
  }

  package func takeSettings(of connection: any EngineConnection) throws {
    let connection = try own(connection)
    let names = connection.settingsOfSQL
    let found = try connection.pragmas()
    connection.forgetSettingsOfSQL()
    // A reader does not know, for example, which rollback journal the writer keeps.
    changePragmas { $0.take(names, of: found) }
  }

  package func journalFault(on connection: any EngineConnection) throws -> String? {
    // A reader can only check for a write-ahead log, because the file records no other mode.
    guard pragmas.journalMode == .wal, let mode = try own(connection).pragma("journal_mode"),
      mode != Pragmas.JournalMode.wal.rawValue
    else { return nil }
    return "the journal mode is \(mode)"
  }
}
