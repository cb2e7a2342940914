#if PostgreSQL
import Foundation
package import NacreEngine
import Synchronization

/// One database of a PostgreSQL server: its address, its connections and their settings.
package final class PostgresHome: EngineHome {
  private let address: ServerAddress
  private let state: Mutex<PostgresSettings>
  /// The token that the home's commits tell, by which its own listener knows them again.
  private let token = UUID().uuidString
  private let missing: EngineCapabilities

  /// Makes the home of a database.
  ///
  /// - Parameters:
  ///   - url: The database; it begins with `postgresql://` or `postgres://`.
  ///   - settings: The settings of its connections.
  ///   - missing: What its server can't do, though PostgreSQL can.
  /// - Throws: `HomeError` of kind `cannotOpen` for a malformed URL.
  package init(
    url: String,
    settings: PostgresSettings = PostgresSettings(),
    missing: EngineCapabilities = []
  ) throws {
    address = try ServerAddress(url: url)
    self.missing = missing
    capabilities = Self.all.subtracting(missing)
    state = Mutex(settings)
  }

  /// The URL without its password.
  package var path: String { address.shown }
  package let capabilities: EngineCapabilities
  /// Other processes can open the database, as they can a file.
  private static let all: EngineCapabilities = [
    .sharedFile, .onServer, .sendsAhead, .tellsChanges, .defersReferences, .locksTables,
  ]
  package var slotKeeper: (any SlotKeeping)? { nil }
  package let leaseKeeper: (any LeaseKeeping)? = LeaseTable()

  // MARK: Connections

  package func seal(with sealer: any PageSealer) throws {
    throw HomeError(.badStatement, "the pages of a server can't be sealed by its client")
  }

  package func connect(_ role: ConnectionRole) throws -> any EngineConnection {
    let connection = try PostgresConnection(
      address,
      role: role,
      settings: postgresSettings,
      home: self,
      storeToken: capabilities.contains(.tellsChanges) ? token : nil,
      missing: missing
    )
    if case .founder = role, connection.session.channel == nil {
      throw HomeError(
        .cannotOpen,
        "\(path): there is no schema; make one, or name another one in the search_path"
      )
    }
    if role == .founder(creates: false), try connection.schema.objectNames().isEmpty {
      throw HomeError(.cannotOpen, "\(path) holds no store")
    }
    return connection
  }

  /// Begins to listen, by a session and a thread of its own.
  ///
  /// - Returns: The listener; nil on a standby, and behind a pool that lends sessions for a transaction, which tell nothing.
  /// - Throws: `HomeError`; the server's error, of kind `busy` if a commit under way does not end in time.
  package func listen(_ hear: @escaping @Sendable () -> Void) throws -> (any ChangeListening)? {
    guard capabilities.contains(.tellsChanges) else { return nil }
    let session = try ServerSession(address, .reader, postgresSettings, missing: missing)
    do throws(PostgresError) {
      try session.listen()
    } catch {
      session.close()
      if SQLState.refusesListening(error.sqlState) { return nil }
      throw error
    }
    return try ChangeListener(session, ignoring: token, settings: { self.postgresSettings }, hear)
  }

  private func own(_ connection: any EngineConnection) throws -> PostgresConnection {
    guard let own = connection as? PostgresConnection else {
      throw HomeError(.badStatement, "only a connection to PostgreSQL can do this")
    }
    return own
  }

  // MARK: The database

  package var file: FileIdentity? { nil }

  /// Whether a connection to the database can be opened.
  package var exists: Bool { (try? connect(.inspector).close()) != nil }

  package func delete() throws {
    throw HomeError(.badStatement, "a database on a server is dropped with the server's own means")
  }

  package func backUp(_ connection: any EngineConnection, to path: String) throws {
    throw HomeError(
      .badStatement,
      "a database on a server is backed up with the server's own means"
    )
  }

  /// Reads nothing: no file is open.
  package func readRaw(
    _ file: RawFile,
    under connection: any EngineConnection,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {}

  package func rekeying() throws -> (any PageRekeying)? { nil }
  package func pageChecking() throws -> (any PageChecking)? { nil }

  // MARK: Settings

  private var postgresSettings: PostgresSettings { state.withLock { $0 } }

  package var settings: any EngineSettings { postgresSettings }

  package func settings(of connection: any EngineConnection) throws -> any EngineSettings {
    try own(connection).settings
  }

  package func set(_ settings: any EngineSettings, on connection: any EngineConnection) throws {
    guard let settings = settings as? PostgresSettings else {
      throw HomeError(.badStatement, "these are another engine's settings")
    }
    try own(connection).set(settings)
    state.withLock { $0 = settings }
  }

  package func applySettings(to connection: any EngineConnection) throws {
    try own(connection).set(postgresSettings)
  }

  /// Takes nothing over: a setting of the caller's own SQL is that connection's alone.
  package func takeSettings(of connection: any EngineConnection) throws {}

  package func journalFault(on connection: any EngineConnection) throws -> String? { nil }
}
#endif
