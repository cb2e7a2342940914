public import NacreCore
import NacreOpen
import NacreSQLite
import NacreStore
import Synchronization

/// A store with a key file in a directory of its own, and a log of the statements that it ran.
public final class TestStore: Sendable {
  /// The directory.
  public let directory: TemporaryDirectory
  /// The open store.
  public let store: Store
  private let log: StatementLog

  /// Opens `store.db` under `store.key`, both in a fresh directory unless one is given.
  public convenience init(
    in directory: TemporaryDirectory? = nil,
    isSealed: Bool = true,
    _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws {
    try self.init(in: directory, isSealed: isSealed, faults: nil, change)
  }

  /// Opens the store on an engine whose calls the test can let fail or wait.
  package convenience init(
    faults: EngineFaults,
    _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws {
    try self.init(in: nil, isSealed: true, faults: faults, change)
  }

  private init(
    in directory: TemporaryDirectory?,
    isSealed: Bool,
    faults: EngineFaults?,
    _ change: (inout StoreOptions) -> Void
  ) throws {
    let directory = try directory ?? TemporaryDirectory()
    let log = StatementLog()
    var options = StoreOptions.patient
    options.trace = { event in
      if case .statement(let sql) = event { log.append(sql) }
    }
    change(&options)
    self.directory = directory
    self.log = log
    let unlock: Unlock? =
      isSealed ? .keyFile(directory.file("store.key"), createIfMissing: true) : nil
    let path =
      try faults == nil ? TestPlace.make(directory.file("store.db")) : directory.file("store.db")
    if let faults {
      let home = FaultyHome(SQLiteHome(path: path, pragmas: options.pragmas), faults)
      store = try Store.open(home, unlock: unlock, options: options)
    } else {
      store = try TestPlace.open(path, unlock: unlock, options: options)
    }
  }

  /// Returns the statements that `body` ran, without those that begin and end transactions or read
  /// the catalog.
  public func statements(_ body: () throws -> Void) rethrows -> [String] {
    log.clear()
    try body()
    let frame = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "--"]
    let catalog = [
      "nacre_entity", "nacre_property", "nacre_rotation", "sqlite_schema", "pragma_", "pg_catalog",
      "nacre_layout", "nacre_value",
    ]
    return log.all.filter { sql in
      if frame.contains(where: { sql.hasPrefix($0) }) || sql.contains("\"nacre_store\"") {
        return false
      }
      return sql != "PRAGMA schema_version"
        && !(["SELECT", "WITH"].contains { sql.hasPrefix($0) }
          && catalog.contains { sql.contains($0) })
    }
  }

  /// Returns the engine's plan of a statement; a server's for tables that are too large to be read as a whole.
  package func plan(of sql: String, _ argument: any QueryArgument) throws -> String {
    let explain = TestPlace.sql("EXPLAIN QUERY PLAN ", onServer: "EXPLAIN ")
    return try store.write { database in
      if TestPlace.isOnServer { try database.execute("SET LOCAL enable_seqscan = off") }
      return try database.query(explain + sql, argument).map { "\($0)" }.joined(separator: "\n")
    }
  }

  /// Returns the statements that `body` ran and that write.
  public func writes(_ body: () throws -> Void) rethrows -> [String] {
    try statements(body).filter { sql in
      ["INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
    }
  }
}

extension StoreOptions {
  /// Options with which calls wait for each other for a minute, so that no test fails because the machine is slow.
  public static var patient: StoreOptions {
    var options = StoreOptions()
    options.busyTimeout = 60
    return options
  }
}

/// Statement texts in the order in which they ran.
private final class StatementLog: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func append(_ text: String) { texts.withLock { $0.append(text) } }

  func clear() { texts.withLock { $0 = [] } }
}

extension Store {
  /// Returns those of some names that tables, views, indexes and triggers have.
  package func objectNames(among names: [String]) throws -> Set<String> {
    try read { database in Set(try database.connection.schema.objectNames()).intersection(names) }
  }
}
