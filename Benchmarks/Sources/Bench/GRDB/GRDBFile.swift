import GRDB

enum GRDBFile {
  /// Opens a fresh pool with the tables of the other subjects; GRDB itself chooses WAL and NORMAL.
  static func open(_ directory: String, _ name: String, schema: [String]) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    let pool = try DatabasePool(path: "\(directory)/\(name).db", configuration: configuration)
    try pool.write { database in
      for statement in schema { try database.execute(sql: statement) }
    }
    return pool
  }
}
