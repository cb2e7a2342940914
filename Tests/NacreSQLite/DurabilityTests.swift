import NacreEngine
import NacreSQLite
import Testing

@Suite struct DurabilityTests {
  private struct Refusal: Error {}
  private let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  @Test(arguments: [Pragmas.Synchronous.off, .normal, .full, .extra])
  func `commits are synced while the body runs, and as before afterwards`(
    usual: Pragmas.Synchronous
  ) throws {
    let connection = try database.open(synchronous: usual)
    try connection.execute("PRAGMA temp_store = 2")
    let noted = connection.settingsOfSQL
    let within = try connection.syncingCommits { try connection.pragmas().synchronous }
    #expect(within == .extra)
    #expect(try connection.pragmas().synchronous == usual)
    #expect(throws: Refusal.self) { try connection.syncingCommits { throw Refusal() } }
    #expect(try connection.pragmas().synchronous == usual)
    // What SQL has set is still known, and nothing more.
    #expect(connection.settingsOfSQL == noted && !noted.isEmpty)
  }

  @Test func `syncing of commits can't be changed inside a transaction`() throws {
    let connection = try database.open()
    try connection.begin(.immediate)
    #expect(throws: SQLiteError.self) { try connection.syncingCommits {} }
    try connection.rollback()
    #expect(try connection.pragmas().synchronous == .normal)
  }
}
