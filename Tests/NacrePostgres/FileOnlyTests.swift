#if PostgreSQL
import Foundation
import NacreCore
import NacreDAO
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// What only a store in a file has is refused on a server, by its name and with what to do instead.
@Suite struct FileOnlyTests {
  /// Expects one error that says what can't be done and what can.
  private func refused(
    _ word: String? = nil,
    advising advice: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(
      throws: NacreError.self,
      sourceLocation: sourceLocation,
      performing: body
    )
    #expect(error?.code == .serverCannot, sourceLocation: sourceLocation)
    if let word {
      #expect(
        error?.detail?.contains(word) == true,
        "\(error as Any)",
        sourceLocation: sourceLocation
      )
    }
    #expect(error?.advice.contains(advice) == true, sourceLocation: sourceLocation)
  }

  @Test func `no backup is made of a store on a server`() throws {
    let opened = try TestEngine.postgres.makeStore()
    let path = opened.directory.file("copy.db")
    refused("backup", advising: "pg_dump") { try opened.store.backup(to: path) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `pragmas are neither read nor set`() throws {
    let opened = try TestEngine.postgres.makeStore()
    refused("pragmas", advising: "options.postgres") { _ = try opened.store.pragmas }
    refused("pragmas", advising: "options.postgres") {
      try opened.store.setPragmas { $0.caseSensitiveLike = true }
    }
    refused("pragmas", advising: "options.postgres") {
      _ = try opened.store.read { try $0.pragmas }
    }
    var options = StoreOptions.patient
    options.pragmas.caseSensitiveLike = true
    refused("pragmas", advising: "`postgres`") { _ = try opened.another(options) }
  }

  @Test func `a database has no largest number of pages`() throws {
    let opened = try TestEngine.postgres.makeStore()
    var options = StoreOptions.patient
    options.maximumPageCount = 100
    refused("pages", advising: "nil") { _ = try opened.another(options) }
  }

  @Test func `calls on files take no URL of a server`() throws {
    let opened = try TestEngine.postgres.makeStore()
    let (url, unlock) = (opened.path, Unlock.keyFile(opened.directory.file("store.key")))
    let file = opened.directory.file("header")
    refused("dropped", advising: "Drop the schema") { try Store.delete(at: url) }
    refused(advising: "file") { _ = try Store.framing(of: url) }
    refused(advising: "file") { try Store.convertFile(at: url, to: .file, unlock: unlock) }
    refused(advising: "file") { _ = try Store.exportHeader(of: url, to: file) }
    refused(advising: "file") { _ = try Store.importHeader(from: file, into: url) }
    refused(advising: "file") { _ = try Store.inMemory(copyOf: url, unlock: unlock) }
    refused("SQLite file", advising: "file") {
      try opened.store.adopt(url, by: AdoptionMapping(tables: []))
    }
    #expect(!Store.exists(at: url))
    // The store is as it was.
    #expect(try opened.store.verify().isSound)
  }

  // MARK: DAOs

  private static let configuration = Data(
    """
    <module name="Notes" initializer="createTable" tableName="notes" version="1.0">
      <update id="createTable">CREATE TABLE IF NOT EXISTS ${T} (id INTEGER PRIMARY KEY)</update>
    </module>
    """.utf8
  )

  @Test func `no DAO works on a store on a server, and a data center keeps files`() throws {
    let opened = try TestEngine.postgres.makeStore()
    refused("DAO", advising: "store in a file") {
      _ = try DAO(configuration: Self.configuration, store: opened.store)
    }
    let center = DataCenter(directory: opened.directory.file("center"))
    refused("data center", advising: "Store.open") {
      _ = try center.store(at: .file(opened.path))
    }
    let other = DataCenter(directory: opened.path)
    refused("data center", advising: "Store.open") { _ = try other.commonStore }
    refused("data center", advising: "Store.open") { _ = try other.store(at: .user("ada")) }
    #expect(!FileManager.default.fileExists(atPath: center.directory))
    #expect(!FileManager.default.fileExists(atPath: "postgresql:"))
  }

  // MARK: Adoption

  /// An SQLite file with more rows than an adoption lets the indexes stand for, the last two of which have one code.
  private func foreign() throws -> ForeignDatabase {
    try ForeignDatabase(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, code TEXT, name TEXT, age INTEGER);
      CREATE TABLE car (id INTEGER PRIMARY KEY, name TEXT, vin TEXT, owner INTEGER);
      CREATE TABLE drives (car INTEGER, person INTEGER);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO person SELECT i, 'c' || min(i, 1199), 'MARKER ' || i, i % 90 FROM n;
      INSERT INTO car SELECT id, 'car ' || id, 'VIN ' || id, 1200 - id FROM person WHERE id < 1200;
      INSERT INTO drives SELECT id, id FROM car;
      """
    )
  }

  private static let mapping = AdoptionMapping(
    tables: [
      AdoptedTable(
        "car",
        entity: "Car",
        key: .derived("id"),
        properties: ["name": "name", "vin": "vin", "owner": .reference("owner")]
      ),
      AdoptedTable(
        "person",
        entity: "Person",
        key: .derived("id"),
        properties: ["code": "code", "name": "name", "age": "age"]
      ),
    ],
    lists: [
      AdoptedList(
        "drives",
        entity: "Car",
        property: "drivers",
        owner: .init("car"),
        child: .init("person")
      )
    ]
  )

  @Test(arguments: TestEngine.allCases)
  func `the rows of an SQLite file are adopted, or nothing is`(engine: TestEngine) throws {
    let opened = try engine.makeStore()
    let store = opened.store
    try store.write { _ in _ = try (Car.count(), Person.count()) }
    let file = try foreign()
    let error = #expect(throws: NacreError.self) { try store.adopt(file.path, by: Self.mapping) }
    #expect(error?.code == .notAdopted)
    #expect(error?.detail?.contains("table person, column code, row 1200") == true)
    #expect(try store.read { _ in try Car.count() + Person.count() } == 0)
    let plan = try store.adopt(file.path, by: Self.mapping, misfits: .list)
    #expect(plan.isDryRun)
    #expect(plan.misfits.map(\.reason) == [.duplicateValue])
    #expect(try store.read { _ in try Car.count() + Person.count() } == 0)
    let report = try store.adopt(file.path, by: Self.mapping, misfits: .leaveOut)
    #expect(report.objects == ["Car": 1199, "Person": 1199])
    #expect(report.joinCount == 1199)
    #expect(try store.verify().isSound)
    try store.read { (_) throws in
      let car = try #require(try Car.fetchOne(\.name, equals: "car 7"))
      #expect(car.vin == "VIN 7")
      #expect(try car.owner?.get().name == "MARKER 1193")
      #expect(try car.drivers.fetchAll().map(\.code) == ["c7"])
    }
  }
}
#endif
