import Foundation
import NacreEngine
import NacreSQLite
import Testing

/// What is in the file and its log at a moment is what a kill at that moment leaves.
@Suite struct RecoveryTests {
  private struct Refusal: Error {}
  private let database: TemporaryDatabase
  private let connection: Connection

  init() throws {
    database = try TemporaryDatabase()
    connection = try database.open()
    try connection.execute(
      """
      CREATE TABLE box (id INTEGER PRIMARY KEY, content TEXT, place INTEGER UNIQUE);
      INSERT INTO box VALUES (0, 'first', -1)
      """
    )
    _ = try connection.checkpoint(.truncate)
  }

  /// Adds rows with twice the size of the page cache, and then changes half of them.
  private func changeMuch() throws {
    try connection.execute(Self.insertion())
    try connection.execute("UPDATE box SET content = content || 1 WHERE id > 750")
  }

  private static func insertion(lastPlace: Int = 1500) -> String {
    """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1500)
    INSERT INTO box SELECT n, printf('%.*c', 3000, 'x'), iif(n < 1500, n * 773 % 1499, \(lastPlace))
    FROM numbers
    """
  }

  /// Runs a transaction and undoes it.
  private func undoing(_ body: () throws -> Void) throws {
    do {
      try connection.transaction(.immediate) {
        try body()
        throw Refusal()
      }
    } catch is Refusal {}
  }

  /// The number of rows and the result of SQLite's own check, in a copy of the file and its log.
  private func afterKill() throws -> (count: Int64, check: String) {
    let other = try TemporaryDatabase()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: database.path + suffix, toPath: other.path + suffix)
    }
    let copy = try other.open()
    return (
      try copy.integer("SELECT count(*) FROM box"), try copy.text("PRAGMA integrity_check")
    )
  }

  private func expectLaterCommitsSurvive(rows: Int64 = 4) throws {
    for _ in 0..<3 { try connection.execute("INSERT INTO box (content) VALUES ('later')") }
    let (count, check) = try afterKill()
    #expect(count == rows)
    #expect(check == "ok")
  }

  @Test func `commits behind a large nested transaction that was undone survive a kill`() throws {
    try connection.transaction(.immediate) {
      try undoing { try changeMuch() }
    }
    try expectLaterCommitsSurvive()
  }

  @Test func `commits behind a large statement that failed survive a kill`() throws {
    // The statement returns to pages that it has written to the log already.
    try connection.execute(
      """
      CREATE TRIGGER again AFTER INSERT ON box WHEN new.id > 800 BEGIN
        UPDATE box SET content = content || 1 WHERE id = new.id - 600;
      END
      """
    )
    _ = try connection.checkpoint(.truncate)
    try connection.transaction(.immediate) {
      // The place of the last row is taken.
      #expect(throws: SQLiteError.self) {
        try connection.execute(Self.insertion(lastPlace: 7))
      }
      try connection.execute("UPDATE box SET content = 'other' WHERE id = 0")
    }
    try expectLaterCommitsSurvive()
  }

  @Test func `changed pages stay in memory until the commit`() throws {
    try undoing {
      try changeMuch()
      #expect(database.byteCount(ofSuffix: "-wal") == 0)
    }
  }

  @Test func `a transaction of much work spills its changes, and the next one does not`() throws {
    for isFailing in [false, true] {
      try connection.spillingChanges {
        let work = {
          try changeMuch()
          #expect(try #require(database.byteCount(ofSuffix: "-wal")) > 1_000_000)
        }
        if isFailing { try undoing(work) } else { try connection.transaction(.immediate, work) }
      }
      try connection.execute("DELETE FROM box WHERE id > 0")
      _ = try connection.checkpoint(.truncate)
      try `changed pages stay in memory until the commit`()
      _ = try connection.checkpoint(.truncate)
    }
    try expectLaterCommitsSurvive()
  }

  @Test func `a nested transaction in much work holds its changes`() throws {
    try connection.spillingChanges {
      try connection.transaction(.immediate) {
        try undoing {
          try changeMuch()
          #expect(database.byteCount(ofSuffix: "-wal") == 0)
        }
      }
    }
    try expectLaterCommitsSurvive()
  }
}
