import NacreCore
import NacreOpen

/// Makes the databases of a round: one for Nacre, and one in which the floor finds the same tables, because Nacre has
/// made them, too.
enum SubjectStores {
  static let floor = "bench_floor"
  private static let nacre = "bench_nacre"

  /// Opens Nacre's store with the tables of a class and all that it reaches; its key file lies in `directory`.
  static func open<E: Entity>(
    _ server: BenchServer,
    _ type: E.Type,
    _ directory: String
  ) throws -> Store {
    try make(floor, server, type, directory).close()
    return try make(nacre, server, type, directory)
  }

  private static func make<E: Entity>(
    _ database: String,
    _ server: BenchServer,
    _ type: E.Type,
    _ directory: String
  ) throws -> Store {
    try server.make(database)
    let unlock = Unlock.keyFile("\(directory)/\(E.self)-\(database).key", createIfMissing: true)
    let store = try Store.open(server.url(database), unlock: unlock)
    try store.makeDefault()
    _ = try E.count()
    return store
  }

  /// Cleans the tables and counts their rows anew, as the server's own vacuum does within a minute.
  static func vacuum(_ server: BenchServer) throws {
    for database in [floor, nacre] {
      try FloorConnection(url: server.url(database)).execute("VACUUM (ANALYZE)")
    }
  }
}
