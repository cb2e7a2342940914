import Foundation
import NacreEngine
import NacreSQLite
import Testing

/// What a home refuses, and what it sets on its connections.
@Suite struct HomeTests {
  private let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private func found(_ home: SQLiteHome) throws {
    let connection = try home.connect(.founder(creates: true))
    try connection.execute("CREATE TABLE t (v)")
    try connection.close()
  }

  /// Returns the kind and the words of the error that `body` throws.
  private func refusal(_ body: () throws -> Void) -> (kind: EngineErrorKind, detail: String)? {
    do {
      try body()
      return nil
    } catch {
      return (error as? HomeError).map { ($0.kind, $0.detail) }
    }
  }

  @Test func `a founder makes the file and its directories only if it may`() throws {
    let home = SQLiteHome(path: database.directory + "/a/b/test.db")
    let refused = refusal { _ = try home.connect(.founder(creates: false)) }
    #expect(refused?.kind == .cannotOpen)
    #expect(refused?.detail.hasPrefix("there is no file at ") == true)
    #expect(!home.exists && home.file == nil)
    try found(home)
    #expect(home.exists && home.file == FileIdentity(home.path))
  }

  @Test(arguments: ["", ":memory:", "a\0b"])
  func `a path that is no file's is refused`(path: String) {
    let home = SQLiteHome(path: path)
    for role in [ConnectionRole.founder(creates: true), .inspector] {
      #expect(refusal { _ = try home.connect(role) }?.kind == .cannotOpen)
    }
  }

  @Test func `a connection to another file at the same path is refused`() throws {
    let home = SQLiteHome(path: database.path)
    try found(home)
    let reader = try home.connect(.reader)
    #expect(reader.home === home)
    try FileManager.default.moveItem(atPath: database.path, toPath: database.path + ".former")
    try Data().write(to: URL(fileURLWithPath: database.path))
    for role in [ConnectionRole.writer, .reader] {
      let refused = refusal { _ = try home.connect(role) }
      #expect(refused?.detail.hasSuffix("another file since the store was opened") == true)
    }
  }

  @Test func `settings that one connection's SQL changed are applied to another`() throws {
    let home = SQLiteHome(path: database.path)
    try found(home)
    let (writer, reader) = (try home.connect(.writer), try home.connect(.reader))
    try writer.execute("PRAGMA case_sensitive_like = 1; PRAGMA busy_timeout = 250")
    #expect(writer.hasSettingsOfSQL)
    try home.takeSettings(of: writer)
    #expect(!writer.hasSettingsOfSQL && home.settings.busyTimeout == 0.25)
    try home.applySettings(to: reader)
    let pragmas = try #require(try home.settings(of: reader) as? Pragmas)
    #expect(pragmas.caseSensitiveLike && pragmas.busyTimeout == 0.25)
  }

  @Test func `another engine's settings are refused`() throws {
    struct Other: EngineSettings {
      var busyTimeout = 1.0
      var commitsDurably = true
    }
    let home = SQLiteHome(path: database.path)
    try found(home)
    let writer = try home.connect(.writer)
    #expect(refusal { try home.set(Other(), on: writer) }?.kind == .badStatement)
    #expect(home.settings.busyTimeout == 5)
  }

  @Test func `a journal other than the one that was set is a fault`() throws {
    let home = SQLiteHome(path: database.path)
    try found(home)
    // The founder leaves the mode of the file as it is.
    let inspector = try home.connect(.inspector)
    #expect(try home.journalFault(on: inspector) == "the journal mode is delete")
    try inspector.close()
    #expect(try home.journalFault(on: home.connect(.writer)) == nil)
  }
}
