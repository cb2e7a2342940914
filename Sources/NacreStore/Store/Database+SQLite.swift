package import NacreEngine
package import NacreSQLite

extension EngineConnection {
  /// The connection of SQLite's, for what only SQLite can do.
  package var ofSQLite: Connection {
    get throws {
      if let connection = self as? Connection { return connection }
      throw NacreError(.badStatement, detail: "only a store on SQLite can do this")
    }
  }
}
