import Foundation
import NacreEngine
@testable import NacreSQLite
import TestFaults
import Testing

/// Files that are made under another name, and get their own as a whole.
@Suite struct WholeFileTests {
  private let database: TemporaryDatabase
  private let file: WholeFile

  init() throws {
    database = try TemporaryDatabase()
    let directory = database.directory
    file = WholeFile(partial: directory + "/new.partial", path: directory + "/new.db")
  }

  private func make(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file.partial))
  }

  private func expectContent(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let found = try? Data(contentsOf: URL(fileURLWithPath: file.path))
    #expect(found == Data(text.utf8), sourceLocation: sourceLocation)
  }

  /// By a second name, by a renaming that never replaces, and over an empty file.
  @Test(arguments: 0..<3)
  func `a whole file takes a free name, and never one that is taken`(_ way: Int) throws {
    let take = [file.takeName, file.rename, file.renameOverEmptyFile][way]
    try make("whole")
    #expect(try take())
    expectContent("whole")
    #expect(!FileManager.default.fileExists(atPath: file.partial))
    try make("other")
    #expect(try !take())
    expectContent("whole")
    try FileManager.default.removeItem(atPath: file.path)
    try FileManager.default.removeItem(atPath: file.partial)
    #expect(throws: HomeError.self) { try take() }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete])
  func `a backup that returned is there after a power cut`(mode: Pragmas.JournalMode) throws {
    let disk = try FaultyDisk(at: database.directory)
    var pragmas = Pragmas()
    pragmas.journalMode = mode
    let home = SQLiteHome(path: database.path, pragmas: pragmas)
    let connection = try home.found(creates: true)
    try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (hex(zeroblob(9000)))")
    try home.backUp(connection, to: file.path)
    let history = disk.history
    for seed in 0..<40 {
      let files = PowerCut(of: history, after: history.count, seed: UInt64(seed)).files
      try #require(files["new.db"] != nil, "\(seed)")
      let copy = database.directory + "/cut-\(seed).db"
      try Data(files["new.db"] ?? []).write(to: URL(fileURLWithPath: copy))
      let left = try Connection(path: copy, mode: .readWrite)
      #expect(try left.text("PRAGMA integrity_check") == "ok")
      #expect(try left.integer("SELECT count(*) FROM t") == 1)
    }
  }
}
