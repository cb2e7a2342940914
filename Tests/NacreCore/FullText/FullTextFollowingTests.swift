import Foundation
import NacreCore
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// The full-text index follows everything that changes rows.
@Suite(.sqliteOnly("a store on a server has no full-text search")) struct FullTextFollowingTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  private func found(_ text: String) throws -> [String] {
    try Article.found(text, in: store).sorted()
  }

  /// Fails unless the index holds what the rows hold, in the file and by the engine's own check.
  private func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let report = try store.verify()
    #expect(report.isSound, "\(report.faults)", sourceLocation: sourceLocation)
    #expect(try waiting() == 0, sourceLocation: sourceLocation)
  }

  /// How many changed objects are noted and not in the index yet.
  private func waiting() throws -> Int64 {
    let rows = try scene.edit("SELECT count(*) FROM \"Article__fulltext__changed\"")
    guard case .integer(let count)? = rows.first?.first else { return -1 }
    return count
  }

  @Test func `saves, changes and deletes of objects are followed`() throws {
    let article = try Article.store("red", "wheel", in: store)
    #expect(try found("red wheel") == ["red"])
    article.text = "door"
    try store.write { _ in try article.save() }
    #expect(try waiting() == 0)
    #expect(try found("wheel") == [])
    #expect(try found("door") == ["red"])
    article.text = nil
    try store.write { _ in try article.save() }
    #expect(try found("door") == [])
    #expect(try found("red") == ["red"])
    try expectSound()
    try store.write { _ in try article.delete() }
    #expect(try found("red") == [])
    try expectSound()
  }

  @Test func `a cascade, updateAll and deleteAll are followed`() throws {
    let journal = Journal.create()
    journal.articles = (0..<3).map { number in
      let article = Article.create()
      (article.title, article.year) = ("red \(number)", number)
      return article
    }
    try scene.save(journal, in: store)
    #expect(try found("red").count == 3)
    try store.write { _ in
      _ = try Article.where("year > ?", 0).updateAll(.set(\.title, to: "blue"))
    }
    #expect(try found("red") == ["red 0"])
    #expect(try found("blue").count == 2)
    try store.write { _ in _ = try Article.deleteAll(where: "year = ?", 1) }
    #expect(try found("blue").count == 1)
    try store.write { _ in try journal.delete(cascade: true) }
    #expect(try found("red") == [] && found("blue") == [])
    try expectSound()
  }

  @Test func `SQL of the application is followed, also where it replaces rows`() throws {
    let article = try Article.store("red", in: store)
    try store.write { database in
      try database.execute(
        "INSERT INTO \"Article\" (title, year) VALUES ('red two', 2), ('red three', 3)"
      )
      try database.execute("UPDATE \"Article\" SET title = 'blue' WHERE year = ?", 2)
      try database.execute("DELETE FROM \"Article\" WHERE year = ?", 3)
    }
    #expect(try found("red") == ["red"])
    #expect(try found("blue") == ["blue"])
    try store.write { database in
      try database.execute(
        "INSERT OR REPLACE INTO \"Article\" (\"objectID\", title, year) VALUES (?, 'green', 9)",
        article.objectID
      )
      try database.execute(
        "INSERT OR IGNORE INTO \"Article\" (\"objectID\", title, year) VALUES (?, 'grey', 9)",
        article.objectID
      )
    }
    #expect(try found("green") == ["green"])
    #expect(try found("red") == [] && found("grey") == [])
    try expectSound()
    try store.write { try $0.execute("DELETE FROM \"Article\"") }
    #expect(try found("green") == [] && found("blue") == [])
    try expectSound()
  }

  @Test(arguments: ["ABORT", "FAIL", "ROLLBACK", "IGNORE", "REPLACE"])
  func `a row that changes twice in one transaction is followed whatever the statement says`(
    conflict: String
  ) throws {
    try Article.store("red", in: store)
    try store.write { database in
      try database.execute("UPDATE OR \(conflict) \"Article\" SET title = 'blue'")
      try database.execute("UPDATE OR \(conflict) \"Article\" SET title = 'green'")
      try database.execute("UPDATE OR \(conflict) \"Article\" SET \"objectID\" = randomblob(16)")
    }
    try store.write { database in
      try database.execute("UPDATE OR \(conflict) \"Article\" SET \"objectID\" = randomblob(16)")
    }
    #expect(try found("green") == ["green"])
    #expect(try found("red") == [] && found("blue") == [])
    try expectSound()
  }

  @Test func `a transaction finds what it has written, and a rollback takes it back`() throws {
    struct Stop: Error {}
    let article = try Article.store("red", in: store)
    #expect(throws: Stop.self) {
      try store.write { (_) throws in
        article.title = "blue"
        try article.save()
        #expect(try Article.search("blue").count() == 1)
        #expect(try Article.search("red").count() == 0)
        throw Stop()
      }
    }
    #expect(try found("red") == ["red"] && found("blue") == [])
    try store.write { (_) throws in
      #expect(throws: Stop.self) {
        try store.write { (_) throws in
          article.title = "green"
          try article.save()
          #expect(try Article.search("green").count() == 1)
          throw Stop()
        }
      }
      #expect(try Article.search("green").count() == 0)
      #expect(try Article.search("red").count() == 1)
    }
    try expectSound()
  }

  @Test func `a transaction by hand is followed`() throws {
    try store.makeDefault()
    try store.begin()
    let article = Article.create()
    article.title = "red"
    try article.save()
    try store.commit()
    #expect(try waiting() == 0)
    #expect(try found("red") == ["red"])
    try store.begin()
    article.title = "blue"
    try article.save()
    try store.rollback()
    #expect(try found("blue") == [])
    try expectSound()
  }

  @Test func `another store of the file follows without the class`() throws {
    let article = try Article.store("red", in: store)
    let other = try scene.open()
    try other.write { database in
      try database.execute(
        "UPDATE \"Article\" SET title = 'blue' WHERE \"objectID\" = ?",
        article.objectID
      )
    }
    #expect(try found("blue") == ["blue"])
    try expectSound()
  }

  @Test func `what another program has changed is found, in a read and in a write`() throws {
    let article = try Article.store("red", in: store)
    try scene.edit("UPDATE \"Article\" SET title = 'blue'")
    #expect(try found("blue") == ["blue"])
    #expect(try found("red") == [])
    try scene.edit("UPDATE \"Article\" SET title = 'green'")
    try store.write { (_) throws in
      #expect(try Article.search("green").fetchOne()?.objectID == article.objectID)
    }
    try scene.edit("DELETE FROM \"Article\"")
    #expect(try Article.search("green").in(store).count() == 0)
    try expectSound()
  }

  @Test func `a store that only looks says so instead of finding too little`() throws {
    try Article.store("red", in: store)
    try store.close()
    try scene.edit("UPDATE \"Article\" SET title = 'blue'")
    let looking = try scene.open { $0.isOnlyLookedAt = true }
    expectError(.readOnly) { _ = try Article.search("blue").in(looking).count() }
  }

  @Test func `triggers of the index leave one save one statement`() throws {
    let test = try TestStore()
    let article = try Article.store("red", in: test.store)
    let statements = try test.statements {
      try test.store.write { (_) throws in
        article.year = 7
        try article.save()
      }
    }
    #expect(statements.filter { $0.hasPrefix("UPDATE") }.count == 1, "\(statements)")
    #expect(!statements.contains { $0.hasPrefix("DELETE FROM \"Article__fulltext") })
  }

  @Test func `triggers of the index make no save a savepoint, as those of others do`() throws {
    let savepoints = Mutex(0)
    let traced = try scene.open { options in
      options.trace = { event in
        guard case .statement(let sql) = event, sql.hasPrefix("SAVEPOINT") else { return }
        savepoints.withLock { $0 += 1 }
      }
    }
    func savepointCount() throws -> Int {
      let journal = Journal.create()
      journal.articles = (0..<3).map { _ in Article.create() }
      savepoints.withLock { $0 = 0 }
      try traced.write { _ in try journal.save(cascade: true) }
      return savepoints.withLock { $0 }
    }
    _ = try savepointCount()
    #expect(try savepointCount() == 0)
    try traced.write { database in
      try database.execute("CREATE TRIGGER mine AFTER DELETE ON \"Journal\" BEGIN SELECT 1; END")
    }
    _ = try savepointCount()
    #expect(try savepointCount() == 1)
  }

  @Test func `a row that SQL replaces without a trigger is not found, and verify names its words`()
    throws
  {
    try Article.store("red", year: 1, in: store)
    try store.write { database in
      try database.execute("CREATE UNIQUE INDEX years ON \"Article\" (year)")
    }
    try store.write { database in
      try database.execute("INSERT OR REPLACE INTO \"Article\" (title, year) VALUES ('blue', 1)")
    }
    #expect(try found("blue") == ["blue"] && found("red") == [])
    try store.read { (_) throws in #expect(try Article.search("red").matches().isEmpty) }
    #expect(try store.verify().faults.map(\.kind) == [.fullText])
    try store.rebuildFullText()
    #expect(try found("blue") == ["blue"])
    try expectSound()
  }

  @Test func `a read searches the state that it sees, or says that it can't`() throws {
    for _ in 0..<300 { try Article.store("red", in: store) }
    try store.read { (_) throws in
      #expect(try Article.count() == 300)
      try scene.edit("UPDATE \"Article\" SET title = 'blue'")
      #expect(try Article.search("red").count() == 300)
    }
    try store.read { (_) throws in
      let cursor = try Article.cursor()
      #expect(try cursor.next()?.title == "blue")
      expectError(.busy) { _ = try Article.search("blue").count() }
    }
    #expect(try found("blue").count == 300)
    try expectSound()
  }

  @Test func `a layout that a savepoint took back is not taken for the next one of its number`()
    throws
  {
    struct Stop: Error {}
    let article = try Article.store("red", in: store)
    try Robot<Noted>.use(in: store)
    try store.write { (database) throws in
      #expect(throws: Stop.self) {
        try store.write { (_) throws in
          try database.execute("DROP TRIGGER \"Article__fulltext__update\"")
          #expect(try Robot<Noted>.search("x").count() == 0)
          throw Stop()
        }
      }
      try database.execute("CREATE TABLE other (a text)")
      try database.execute("UPDATE \"Article\" SET title = 'blue'")
    }
    #expect(try waiting() == 0)
    #expect(try Article.search("blue").in(store).fetchOne()?.objectID == article.objectID)
    try expectSound()
  }

  private enum Noted: RobotForm {
    static var parts: [RobotPart] { [.init("name", column: .init(isFullText: true))] }
  }

  @Test func `objects that change in another order than they came are followed`() throws {
    let articles = try (0..<200).map { try Article.store("red \($0)", in: store) }
    try store.write { database in
      // Keys of the index in the opposite order of the objectIDs.
      try database.execute("DELETE FROM \"Article\" WHERE \"objectID\" > ?", articles[99].objectID)
      for article in articles[100...].reversed() {
        try database.execute(
          "INSERT INTO \"Article\" (\"objectID\", title, year) VALUES (?, 'late', 0)",
          article.objectID
        )
      }
    }
    try store.write { _ in _ = try Article.all.updateAll(.set(\.title, to: "green")) }
    #expect(try found("green").count == 200)
    #expect(try found("red") == [] && found("late") == [])
    try expectSound()
  }
}
