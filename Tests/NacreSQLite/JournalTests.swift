import Foundation
import NacreEngine
import NacreSQLite
import Testing

/// A rollback journal that is kept between transactions.
@Suite struct JournalTests {
  let database: TemporaryDatabase
  let connection: Connection

  init() throws {
    database = try TemporaryDatabase()
    connection = try Self.open(database)
    try connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1); DELETE FROM t")
  }

  private static func open(_ database: TemporaryDatabase) throws -> Connection {
    var configuration = ConnectionConfiguration()
    configuration.pragmas.journalMode = .persist
    return try Connection(path: database.path, mode: .create, configuration: configuration)
  }

  @Test func `a journal that another writer keeps from being deleted is deleted later`() throws {
    let other = try Self.open(database)
    try other.begin(.immediate)
    #expect(try !connection.tryToEmptyLog())
    #expect(try #require(database.byteCount(ofSuffix: "-journal")) > 0)
    #expect(try connection.pragma("journal_mode") == "persist")
    try other.rollback()
    #expect(try connection.tryToEmptyLog())
    #expect(database.byteCount(ofSuffix: "-journal") == nil)
    #expect(try connection.pragma("journal_mode") == "persist")
    #expect(try connection.tryToEmptyLog())
  }

  @Test func `deleting a journal is not noted as a setting of the caller's`() throws {
    #expect(try connection.tryToEmptyLog())
    #expect(connection.settingsOfSQL == [])
    try connection.execute("PRAGMA synchronous = 2")
    #expect(try connection.tryToEmptyLog())
    #expect(connection.settingsOfSQL == [.synchronous])
  }
}
