import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// Foreign files that are none, that are damaged, or that were made to do harm.
@Suite struct HostileForeignFileTests {
  @Test func `a file that is no SQLite file can't be adopted`() throws {
    let adopted = try Adopted()
    let whole = try adopted.foreign.bytes()
    let others = [
      Data(), Data("abc".utf8), Data(repeating: 0x5A, count: 8192), whole.prefix(512),
      Data(repeating: 0, count: 4096),
    ]
    for bytes in others {
      try adopted.foreign.write(Data(bytes))
      let before = try adopted.foreign.bytes()
      do {
        try adopted.adopt(Adopted.person)
        Issue.record("\(bytes.count) bytes were adopted")
      } catch let error as NacreError {
        #expect([.notAdoptable, .badMapping].contains(error.code), "\(error)")
      }
      #expect(try adopted.foreign.bytes() == before)
    }
    let missing = adopted.foreign.directory.file("none.db")
    expectError(.cannotOpen) {
      try adopted.store.adopt(missing, by: AdoptionMapping(tables: [Adopted.person]))
    }
    #expect(!FileManager.default.fileExists(atPath: missing))
  }

  @Test func `a store is no foreign file, and its own file neither`() throws {
    let adopted = try Adopted()
    let mapping = AdoptionMapping(tables: [Adopted.person])
    let other = try Adopted()
    for path in [adopted.scene.path, other.scene.path] {
      expectError(.notAdoptable) { try adopted.store.adopt(path, by: mapping) }
    }
  }

  @Test func `opening a foreign file as a store leads to its adoption`() throws {
    let foreign = try ForeignDatabase(Adopted.people)
    let before = try foreign.bytes()
    let opened = thrown(.notAStore) { _ = try Store.open(foreign.path) }
    let inspected = thrown(.notAStore) { _ = try StoreInspection(path: foreign.path) }
    for error in [opened, inspected] {
      #expect(error?.advice.contains("nacre adopt") == true)
      #expect(error?.description.contains("ADOPT.md") == true)
    }
    #expect(try foreign.bytes() == before)
  }

  @Test func `a changed byte is refused, or leaves a sound store`() throws {
    let adopted = try Adopted(
      Adopted.people + "CREATE INDEX i ON person (code); CREATE TABLE other (a, b);"
    )
    let bytes = try adopted.foreign.bytes()
    for (step, index) in stride(from: 16, to: bytes.count, by: 53).enumerated() {
      var changed = bytes
      changed[index] = [0x00, 0xFF, 0x01, 0x80, 0x7F, 0x0D][step % 6]
      try adopted.foreign.write(changed)
      do {
        try adopted.store.write { _ in
          try adopted.adopt(Adopted.person, misfits: .leaveOut)
          #expect(try adopted.store.verify().isSound, "byte \(index)")
          throw CancellationError()
        }
      } catch let error as NacreError {
        Marker.expectAbsent("\(error)")
      } catch is CancellationError {}
    }
    #expect(try adopted.rows()["Person"] == [])
  }

  @Test func `a table whose pages repeat each other is refused before it fills the disk`() throws {
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
    let adopted = try Adopted(
      "PRAGMA page_size = 512; CREATE TABLE person (id INTEGER PRIMARY KEY, code TEXT);"
        + rows + " INSERT INTO person SELECT i, 'a' FROM n;"
    )
    var bytes = try adopted.foreign.bytes()
    // The root, page 2, becomes an interior page with 71 children, all of them a copy of the page.
    let (cells, cellSize) = (70, 5)
    let child: [UInt8] = [0, 0, 0, UInt8(bytes.count / 512 + 1)]
    let content = 512 - cells * cellSize
    var page: [UInt8] = [5, 0, 0, 0, UInt8(cells), UInt8(content >> 8), UInt8(content & 255), 0]
    page += child
    for cell in 0..<cells {
      let place = content + cell * cellSize
      page += [UInt8(place >> 8), UInt8(place & 255)]
    }
    page += [UInt8](repeating: 0, count: content - page.count)
    for _ in 0..<cells { page += child + [1] }
    let leaf = Data(bytes[512..<1024])
    bytes.replaceSubrange(512..<1024, with: page)
    bytes.replaceSubrange(28..<32, with: child)
    try adopted.foreign.write(bytes + leaf)
    let before = try adopted.rows()
    let table = AdoptedTable("person", entity: "Wheel", properties: ["size": "id"])
    for misfits in [MisfitTreatment.list, .leaveOut] {
      let error = thrown(.notAdoptable) { try adopted.adopt(table, misfits: misfits) }
      #expect(error?.description.contains("person has more rows than fit into the file") == true)
    }
    #expect(try adopted.rows() == before)
  }

  @Test func `nothing in the file is run, and its names are only names`() throws {
    let adopted = try Adopted(
      """
      CREATE TABLE "per""son; DROP TABLE x" ("i""d" INTEGER PRIMARY KEY, "select" TEXT, g AS (1 / 0));
      INSERT INTO "per""son; DROP TABLE x" VALUES (1, 'a');
      CREATE TABLE log (a);
      CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM log; END;
      CREATE VIEW v AS SELECT * FROM "per""son; DROP TABLE x", log;
      """
    )
    func table(_ code: String) -> AdoptedTable {
      AdoptedTable(
        "PER\"son; DROP TABLE x",
        entity: "Person",
        key: .derived("i\"d"),
        properties: ["code": .column(code)]
      )
    }
    expectError(.badMapping) { try adopted.adopt(table("g")) }
    try adopted.adopt(table("select"))
    #expect(try adopted.store.read { _ in try Person.fetchAll().map(\.code) } == ["a"])
  }

  @Test(arguments: [
    "CREATE TABLE person (id TEXT PRIMARY KEY, code TEXT) WITHOUT ROWID;",
    "CREATE TABLE person (id TEXT, code TEXT, _rowid_ TEXT);",
    "PRAGMA encoding = 'UTF-16le'; CREATE TABLE person (id TEXT, code TEXT);",
    "PRAGMA journal_mode = WAL; CREATE TABLE person (id TEXT, code TEXT);",
  ])
  func `a table of any kind and encoding is read`(definition: String) throws {
    let adopted = try Adopted(
      definition
        + "INSERT INTO person (id, code) VALUES ('é', 'grün'), ('b', 'x'), (NULL, 'y');"
        .replacing(", (NULL, 'y')", with: definition.contains("WITHOUT") ? "" : ", (NULL, 'y')")
    )
    let table = AdoptedTable(
      "person",
      entity: "Person",
      key: .derived("id"),
      properties: ["code": "code"]
    )
    let report = try adopted.adopt(table, misfits: .leaveOut)
    #expect(report.objects == ["Person": 2])
    #expect(Set(report.misfits.map(\.reason)).isSubset(of: [.badKey]))
    let codes = try adopted.store.read { _ in try Person.fetchAll().map(\.code) }
    #expect(Set(codes) == ["grün", "x"])
  }

  @Test func `a table whose rows have no numbers needs a key`() throws {
    let adopted = try Adopted("CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID;")
    let table = AdoptedTable("t", entity: "Person", properties: ["code": "a"])
    expectError(.badMapping) { try adopted.adopt(table) }
  }

  @Test func `a locked store adopts plain values alone`() throws {
    let adopted = try Adopted("CREATE TABLE t (a); INSERT INTO t VALUES (15);" + Adopted.people)
    try adopted.store.close()
    let locked = try adopted.scene.open(nil)
    let wheels = AdoptedTable("t", entity: "Wheel", properties: ["size": "a"])
    try locked.adopt(adopted.foreign.path, by: AdoptionMapping(tables: [wheels]))
    #expect(try locked.read { _ in try Wheel.fetchAll().map(\.size) } == [15])
    expectError(.storeLocked) {
      try locked.adopt(adopted.foreign.path, by: AdoptionMapping(tables: [Adopted.person]))
    }
  }
}
