import NacreEngine
import NacreSQLite
import Testing

@Suite struct TraceTests {
  let database: TemporaryDatabase
  let connection: Connection

  init() throws {
    database = try TemporaryDatabase()
    connection = try database.open()
    try connection.execute(
      "CREATE TABLE person (id INTEGER PRIMARY KEY, name, secret); INSERT INTO person VALUES (1, 'a', 1)"
    )
  }

  @Test func `a trace tells the text and the time and no bound value`() throws {
    var events: [TraceEvent] = []
    connection.setStatementTrace { event, _ in events.append(event) }
    let sql = "SELECT ?1 || name FROM person"
    let statement = try connection.prepare(sql)
    try statement.bind(text: "confidential", at: 1)
    #expect(try statement.step())
    #expect(try !statement.step())
    connection.setStatementTrace(nil)
    #expect(try connection.integer("SELECT 1") == 1)
    #expect(events.count == 2)
    #expect(events.first == .statement(sql: sql))
    guard case .profile(sql, let nanoseconds) = events.last else {
      Issue.record("the last event is not the profile of the statement")
      return
    }
    #expect(nanoseconds > 0)
    #expect(nanoseconds < 60_000_000_000)
    #expect(!"\(events)".contains("confidential"))
  }

  @Test func `an error never quotes a bound value`() throws {
    try connection.execute("CREATE VIRTUAL TABLE words USING fts5(word)")
    let search = try connection.prepare("SELECT * FROM words WHERE words MATCH ?1")
    try search.bind(text: "classified : \"", at: 1)
    let searched = try #require(#expect(throws: SQLiteError.self) { try search.step() })
    #expect(searched.code == 1)
    try search.bind(text: "classified:x", at: 1)
    let column = try #require(#expect(throws: SQLiteError.self) { try search.step() })
    #expect(!"\(searched) \(column)".contains("classified"))
    let attach = try connection.prepare("ATTACH ?1 AS other")
    try attach.bind(text: "/missing/classified", at: 1)
    let attached = try #require(#expect(throws: SQLiteError.self) { try attach.run() })
    #expect(!"\(attached)".contains("classified"))
    let insert = try connection.prepare("INSERT INTO person (id, name) VALUES (1, ?1)")
    try insert.bind(text: "classified", at: 1)
    let inserted = try #require(#expect(throws: SQLiteError.self) { try insert.run() })
    #expect(inserted.isUniqueConstraint)
    #expect(inserted.message.contains("person.id"))
    #expect(!"\(inserted)".contains("classified"))
  }

  @Test func `an authorizer sees what a statement reads and writes`() throws {
    var actions: [Access] = []
    connection.watchAccess { action in
      actions.append(action)
      return true
    }
    _ = try connection.prepare("SELECT name FROM person WHERE secret = 1")
    #expect(actions.contains(.read(table: "person", column: "name")))
    #expect(actions.contains(.read(table: "person", column: "secret")))
    actions = []
    _ = try connection.prepare("INSERT INTO person (name) VALUES (1)")
    #expect(actions.contains(.insert(table: "person")))
    actions = []
    _ = try connection.prepare("UPDATE person SET name = 1")
    #expect(actions.contains(.update(table: "person", column: "name")))
    actions = []
    _ = try connection.prepare("DELETE FROM person")
    #expect(actions.contains(.delete(table: "person")))
    connection.watchAccess(nil)
    actions = []
    _ = try connection.prepare("SELECT name FROM person")
    #expect(actions.isEmpty)
  }

  @Test(arguments: [
    "SELECT secret FROM person", "SELECT * FROM person", "SELECT name FROM person ORDER BY secret",
    "SELECT name FROM person WHERE id IN (SELECT p.secret FROM person p)",
  ])
  func `an authorizer keeps a column from being read`(_ sql: String) throws {
    // What was cached before must not slip past the handler.
    _ = try connection.cached(sql)
    connection.watchAccess { $0 != .read(table: "person", column: "secret") }
    for _ in 0..<2 {
      let error = #expect(throws: SQLiteError.self) { try connection.cached(sql) }
      #expect(error?.isAuthorization == true)
    }
    let allowed = try connection.cached("SELECT name FROM person")
    #expect(try connection.cached("SELECT name FROM person") === allowed)
    connection.watchAccess(nil)
    #expect(try connection.cached(sql).step())
  }

  @Test func `setting an authorizer does not expire cached statements`() throws {
    let statement = try connection.cached("SELECT name FROM person")
    connection.watchAccess { _ in false }
    connection.watchAccess(nil)
    #expect(try connection.cached("SELECT name FROM person") === statement)
    connection.watchAccess { _ in false }
    #expect(try statement.step())
  }
}
