#if PostgreSQL
import Foundation
import NacreEngine
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

@Suite struct PostgresStoreTests {
  @Test func `a store is made on a server and opened again`() throws {
    let url = try TestPlace.newSchema()
    let unlock = Unlock.passphrase("correct horse")
    let store = try Store.open(url, unlock: unlock)
    let identifier = store.storeID
    #expect(try store.read { try $0.first("SELECT count(*) FROM nacre_slot") } == .integer(1))
    try store.close()
    let again = try Store.open(url, unlock: unlock)
    #expect(again.storeID == identifier)
    try again.close()
    let error = #expect(throws: NacreError.self) {
      try Store.open(url, unlock: .passphrase("wrong"))
    }
    #expect(error?.code == .wrongSecret)
  }

  @Test func `a store of a later format is refused, and stays as it is`() throws {
    let url = try TestPlace.newSchema()
    let unlock = Unlock.passphrase("correct horse")
    try Store.open(url, unlock: unlock).close()
    let raw = try TestServer.connect(to: url)
    try raw.execute(
      "UPDATE \"nacre_store\" SET \"value\".\"integer\" = 3 WHERE \"name\" = 'format'"
    )
    let rows = """
      SELECT string_agg(s::text, ' ' ORDER BY "name") FROM "nacre_store" s
      """
    let before = try raw.values(rows)
    let open = { (unlock: Unlock?) in
      let error = #expect(throws: NacreError.self) { try Store.open(url, unlock: unlock) }
      #expect(error?.code == .newerFormat)
    }
    open(unlock)
    open(nil)
    let error = #expect(throws: NacreError.self) {
      _ = try StoreInspection(path: url, unlock: unlock).describe()
    }
    #expect(error?.code == .newerFormat)
    #expect(try raw.values(rows) == before)
  }

  @Test func `a change of tables is noticed by other connections of a store`() throws {
    let url = try TestPlace.newSchema()
    try Store.open(url).close()
    let (one, two) = (try TestServer.connect(to: url), try TestServer.connect(to: url, as: .reader))
    try one.execute("CREATE TABLE \"t\" (\"a\" bigint)")
    let number = { (connection: PostgresConnection) in
      try connection.transaction(.deferred) { try connection.layoutNumber() }
    }
    let before = try number(two)
    #expect(try number(one) == before)
    try one.transaction(.immediate) {
      let inside = try one.layoutNumber()
      try one.execute("ALTER TABLE \"t\" ADD \"b\" text")
      #expect(try one.layoutNumber() != inside)
      #expect(try number(two) == before)
    }
    #expect(try number(two) != before)
    #expect(try number(two) == number(one))
    let after = try number(two)
    // A change that is undone is none.
    try one.begin(.immediate)
    try one.execute("DROP TABLE \"t\"")
    try one.rollback()
    #expect(try number(two) == after)
    try one.execute("DROP TABLE \"t\"")
    #expect(try number(two) != after)
  }

  @Test func `each change of tables in a transaction is another layout`() throws {
    let url = try TestPlace.newSchema()
    try Store.open(url).close()
    let one = try TestServer.connect(to: url)
    var numbers: [Int64] = []
    try one.transaction(.immediate) {
      numbers.append(try one.layoutNumber())
      for change in [
        "CREATE TABLE \"t\" (\"a\" bigint)", "ALTER TABLE \"t\" RENAME \"a\" TO \"b\"",
      ] {
        try one.execute(change)
        numbers.append(try one.layoutNumber())
      }
      try one.savepoint(0)
      try one.execute("ALTER TABLE \"t\" RENAME \"b\" TO \"c\"")
      numbers.append(try one.layoutNumber())
      try one.rollbackToSavepoint(0)
      numbers.append(try one.layoutNumber())
    }
    #expect(Set(numbers).count == numbers.count)
    // Others see the number that the transaction itself saw last.
    let two = try TestServer.connect(to: url, as: .reader)
    #expect(try two.transaction(.deferred) { try two.layoutNumber() } == numbers.last)
  }

  @Test func `a layout's number beyond which there is none is an error`() throws {
    let url = try TestPlace.newSchema()
    try Store.open(url).close()
    try TestServer.connect(to: url).execute(
      "UPDATE \"nacre_layout\" SET \"number\" = 9223372036854775807"
    )
    let one = try TestServer.connect(to: url)
    #expect(try one.transaction(.immediate) { try one.layoutNumber() } == .max)
    try one.begin(.immediate)
    try one.execute("CREATE TABLE \"t\" (\"a\" bigint)")
    expect(.corrupt) { _ = try one.layoutNumber() }
    #expect(throws: PostgresError.self) { try one.commit() }
    try one.rollback()
    #expect(try !one.schema.hasTable("t"))
  }

  @Test(arguments: [TransactionKind.deferred, .immediate, .exclusive])
  func `a store has one writer at a time, and readers beside it`(kind: TransactionKind) throws {
    let url = try TestPlace.newSchema()
    try Store.open(url).close()
    var settings = PostgresSettings()
    settings.busyTimeout = 0.1
    let one = try TestServer.connect(to: url)
    let two = try TestServer.connect(to: url, as: .writer, settings)
    try one.begin(kind)
    expect(.busy) { try two.begin(.deferred) }
    let reader = try TestServer.connect(to: url, as: .reader, settings)
    try reader.transaction(.deferred) { _ = try reader.layoutNumber() }
    try one.commit()
    try two.transaction(.deferred) { _ = try two.layoutNumber() }
  }

  @Test func `stores are made by many at once, and are one`() throws {
    let url = try TestPlace.newSchema()
    let threads = (0..<6).map { _ in
      OwnThread {
        let store = try Store.open(url, unlock: .passphrase("correct horse"), options: .patient)
        defer { try? store.close() }
        return store.storeID.bytes
      }
    }
    #expect(Set(try threads.map { try $0.value() }).count == 1)
  }

  @Test func `a store that need not be made is not made`() throws {
    let url = try TestPlace.newSchema()
    var options = StoreOptions()
    options.createIfMissing = false
    let error = #expect(throws: NacreError.self) { try Store.open(url, options: options) }
    #expect(error?.code == .cannotOpen)
    #expect(try TestServer.connect(to: url).schema.objectNames().isEmpty)
    // A schema that holds something else is not touched either.
    try TestServer.connect(to: url).execute("CREATE TABLE \"other\" (\"a\" bigint)")
    let foreign = #expect(throws: NacreError.self) { try Store.open(url) }
    #expect(foreign?.code == .notAStore)
  }

  @Test(arguments: [
    "CREATE INDEX \"i\" ON \"nacre_slot\" (\"kind\")",
    "ALTER TABLE \"nacre_key\" ADD CHECK (\"id\" > 0)",
    "CREATE RULE \"r\" AS ON UPDATE TO \"nacre_store\" DO INSTEAD NOTHING",
    "CREATE VIEW \"v\" AS SELECT * FROM \"nacre_entity\"",
  ])
  func `what could change a write to the store's own tables is refused`(sql: String) throws {
    let url = try TestPlace.newSchema()
    try Store.open(url, unlock: .passphrase("correct horse")).close()
    try TestServer.connect(to: url).execute(sql)
    let error = #expect(throws: NacreError.self) {
      try Store.open(url, unlock: .passphrase("correct horse"))
    }
    #expect(error?.code == .foreignSchema)
  }

  @Test func `a temporary object that names the store's own tables is told as such`() throws {
    let url = try TestPlace.newSchema()
    try Store.open(url, unlock: .passphrase("correct horse")).close()
    let connection = try TestServer.connect(to: url)
    #expect(try OwnTables.foreignObjects(on: connection).isEmpty)
    try connection.execute("CREATE TEMPORARY TABLE \"apart\" (\"a\" bigint)")
    #expect(try OwnTables.foreignObjects(on: connection).isEmpty)
    try connection.execute("CREATE TEMPORARY VIEW \"slots\" AS SELECT * FROM \"nacre_slot\"")
    let found = try OwnTables.foreignObjects(on: connection)
    #expect(found.count == 1)
    #expect(found.first?.words.contains("temporary view \"slots\"") == true)
  }

  @Test func `a password in the URL shows nowhere`() throws {
    let url = try TestPlace.newSchema() + "&password=hunter2"
    let store = try Store.open(url)
    defer { try? store.close() }
    #expect(!store.path.contains("hunter2"))
    let error = #expect(throws: NacreError.self) {
      try Store.open("postgresql://ada:hunter2@/x?host=/nowhere")
    }
    #expect(error.map { !"\($0)".contains("hunter2") } ?? false)
  }

  @Test func `a statement of the caller's fits at once after another store has changed the table`()
    throws
  {
    let url = try TestPlace.newSchema()
    let (one, two) = (try Store.open(url), try Store.open(url))
    try one.write {
      try $0.execute("CREATE TABLE \"thing\" (\"a\" bigint); INSERT INTO \"thing\" VALUES (1)")
    }
    let all = "SELECT * FROM \"thing\""
    for _ in 0..<3 { #expect(try two.read { try $0.first(all) } == .integer(1)) }
    try one.write { try $0.execute("ALTER TABLE \"thing\" ADD \"b\" bigint") }
    for _ in 0..<3 { #expect(try two.read { try $0.first(all) } == .integer(1)) }
    // Others than the store's own statements can change its tables, too.
    try TestServer.connect(to: url).execute(
      "ALTER TABLE \"nacre_layout\" ALTER \"number\" TYPE numeric"
    )
    for _ in 0..<3 { #expect(try two.read { try $0.first(all) } == .integer(1)) }
  }
}
#endif
