package import Foundation
import NacreSQLite

/// An SQLite file of another library, made by SQL in a directory of its own.
package struct ForeignDatabase {
  package let directory: TemporaryDirectory
  package let path: String

  /// Makes the file by SQL of any number of statements.
  package init(_ sql: String) throws {
    directory = try TemporaryDirectory()
    path = directory.file("old.db")
    try execute(sql)
  }

  /// Changes the file.
  package func execute(_ sql: String) throws {
    var configuration = ConnectionConfiguration()
    configuration.setsJournalMode = false
    configuration.pragmas.foreignKeys = false
    let connection = try Connection(path: path, mode: .create, configuration: configuration)
    defer { try? connection.close() }
    try connection.execute(sql)
  }

  /// The bytes of the file.
  package func bytes() throws -> Data { try directory.bytes("old.db") }

  /// Replaces the bytes of the file.
  package func write(_ bytes: Data) throws {
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}
