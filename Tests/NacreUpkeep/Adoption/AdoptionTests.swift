import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// Rows of foreign files that fit, and those that do not.
@Suite struct AdoptionTests {
  @Test func `rows are sealed as the catalog says, without their classes`() throws {
    let adopted = try Adopted()
    try adopted.store.close()
    let store = try adopted.scene.open()
    let report = try store.adopt(
      adopted.foreign.path,
      by: AdoptionMapping(tables: [Adopted.person])
    )
    #expect(report.objects == ["Person": 2] && report.misfits == [] && !report.isDryRun)
    #expect(try store.verify().isSound)
    try store.read { (_) throws in
      let people = try Person.fetchAll(orderBy: "code")
      #expect(people.map(\.name) == ["MARKER Ada", "MARKER Bob"])
      #expect(people.map(\.age) == [36, nil])
    }
    let bytes = try adopted.scene.fileBytes().values.reduce(Data(), +)
    #expect(bytes.range(of: Data("MARKER".utf8)) == nil)
  }

  @Test func `children, links and lists come with their references, in any order of tables`() throws
  {
    let adopted = try Adopted(
      Adopted.people + """
        CREATE TABLE car (id INTEGER PRIMARY KEY, name TEXT, owner INTEGER, spare INTEGER);
        CREATE TABLE wheel (id INTEGER PRIMARY KEY, size INTEGER, car INTEGER, place INTEGER);
        CREATE TABLE drives (car INTEGER, person INTEGER);
        INSERT INTO car VALUES (10, 'Zoe', 2, 3), (11, 'Ami', NULL, NULL);
        INSERT INTO wheel VALUES (1, 15, 10, 8), (2, 16, 10, 4), (3, 17, NULL, NULL);
        INSERT INTO drives VALUES (10, 1), (10, 2), (10, 1), (11, 2);
        """
    )
    let report = try adopted.adopt(
      AdoptedTable(
        "car",
        entity: "Car",
        key: .derived("id"),
        properties: ["name": "name", "owner": .reference("owner"), "spare": .reference("spare")]
      ),
      AdoptedTable(
        "wheel",
        entity: "Wheel",
        key: .derived("id"),
        properties: ["size": "size"]
      ),
      Adopted.person,
      lists: [
        AdoptedList(
          "wheel",
          entity: "Car",
          property: "wheels",
          owner: .init("car"),
          child: .init("id"),
          position: "place"
        ),
        AdoptedList(
          "drives",
          entity: "Car",
          property: "drivers",
          owner: .init("car"),
          child: .init("person")
        ),
      ]
    )
    #expect(report.objects == ["Car": 2, "Wheel": 3, "Person": 2])
    #expect(report.joinCount == 2 + 3)
    try adopted.store.read { (_) throws in
      let cars = try Car.fetchAll(orderBy: "objectID")
      #expect(cars.map(\.name) == ["Zoe", "Ami"])
      #expect(cars[0].wheels.map(\.size) == [16, 15])
      #expect(cars[0].spare?.size == 17)
      #expect(try cars[0].owner?.get().code == "b")
      #expect(try cars.map { try $0.drivers.count() } == [2, 1])
    }
    #expect(try adopted.store.verify().isSound)
    #expect(try adopted.store.check() == [])
  }

  @Test func `an objectID is derived from table and key as the page says`() throws {
    func objectID(_ form: String, _ value: String, namespace: UUID? = nil) throws -> UUID {
      let adopted = try Adopted("CREATE TABLE Car (k \(form)); INSERT INTO Car VALUES (\(value));")
      var mapping = AdoptionMapping(tables: [
        AdoptedTable("car", entity: "Wheel", key: .derived("K"), properties: [:])
      ])
      mapping.namespace = namespace
      try adopted.store.adopt(adopted.foreign.path, by: mapping)
      let wheel = try adopted.store.read { _ in try Wheel.fetchOne() }
      return try #require(wheel).objectID
    }
    let one = UUID(uuidString: "02680BF1-B633-8C62-8000-000000000001")
    #expect(try objectID("INTEGER", "1") == one)
    #expect(try objectID("TEXT", "'1'") == one)
    #expect(try objectID("REAL", "1.0") == one)
    #expect(
      try objectID("INTEGER", "-1") == UUID(uuidString: "02680BF1-B633-8C61-BFFF-FFFFFFFFFFFF")
    )
    #expect(
      try objectID("TEXT", "'a-1'") == UUID(uuidString: "26D3B40C-EB7E-8106-81AB-FA7C5E327280")
    )
    #expect(
      try objectID("BLOB", "x'00'") == UUID(uuidString: "3EDFD453-A7B8-8E4F-ABB7-04A271B298ED")
    )
    #expect(try objectID("INTEGER", "1", namespace: UUID()) != one)
  }

  @Test func `a later adoption refers to the objects of an earlier one`() throws {
    let adopted = try Adopted()
    try adopted.adopt(Adopted.person)
    try adopted.foreign.execute(
      "CREATE TABLE car (id INTEGER PRIMARY KEY, owner); INSERT INTO car VALUES (1, 2);"
    )
    func car(_ value: AdoptedValue) -> AdoptedTable {
      AdoptedTable("car", entity: "Car", key: .derived("id"), properties: ["owner": value])
    }
    expectError(.badMapping) { try adopted.adopt(car(.reference("owner", to: "person"))) }
    try adopted.adopt(car(.reference("owner", to: "person", keys: .derived)))
    let code = try adopted.store.read { _ in try Car.fetchOne()?.owner?.get().code }
    #expect(code == "b")
  }

  // MARK: What does not fit

  /// A file in which only the row 1 fits.
  private static let faulty = """
    CREATE TABLE person (id, code TEXT, name, age);
    INSERT INTO person VALUES (1, 'a', 'MARKER Ada', 36), (2, 'b', 7, 36), (3, NULL, 'x', 1),
      (NULL, 'd', 'x', 1), (1, 'e', 'x', 1), (6, 'a', 'x', 1), (7, 'g', 'x', 'MARKER'),
      (8, 'h', CAST(x'ff4d41524b4552' AS TEXT), 1), (0.5, 'i', 'x', 1), (10, 'j', 9, 36);
    """

  @Test func `a dry run lists all that does not fit, by table, column, row and reason`() throws {
    let adopted = try Adopted(Self.faulty)
    let before = try adopted.rows()
    let report = try adopted.adopt(Adopted.person, misfits: .list)
    #expect(report.isDryRun)
    #expect(report.objects == ["Person": 1])
    let found = report.misfits.map { "\($0.column ?? "-") \($0.reason) \($0.count) \($0.rows)" }
    #expect(
      found == [
        "name wrongType 2 [2, 10]", "code missingValue 1 [3]", "id badKey 2 [4, 9]",
        "id duplicateKey 1 [5]", "code duplicateValue 1 [6]", "age wrongType 1 [7]",
        "name brokenText 1 [8]",
      ]
    )
    #expect(report.misfits.allSatisfy { $0.table == "person" })
    #expect(report.misfitCount == 9)
    Marker.expectAbsent(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    #expect(try adopted.rows() == before)
    #expect(try adopted.rows()["Person"] == [])
  }

  @Test func `the first row that does not fit refuses the whole file`() throws {
    let adopted = try Adopted(Self.faulty)
    let error = thrown(.notAdopted) { try adopted.adopt(Adopted.person) }
    #expect(error?.detail?.contains("table person, column name, row 2") == true)
    #expect(try adopted.rows()["Person"] == [])
    try adopted.store.write { _ in
      let person = Person.create()
      person.code = "z"
      try person.save()
    }
  }

  @Test func `rows that do not fit are left out on request`() throws {
    let adopted = try Adopted(Self.faulty)
    let report = try adopted.adopt(Adopted.person, misfits: .leaveOut)
    #expect(report.misfitCount == 9 && report.objects == ["Person": 1] && !report.isDryRun)
    #expect(try adopted.store.read { _ in try Person.fetchAll().map(\.code) } == ["a"])
    #expect(try adopted.store.verify().isSound)
  }

  @Test func `a value of a unique sealed property that is stored already does not fit`() throws {
    let adopted = try Adopted(
      "CREATE TABLE b (id INTEGER PRIMARY KEY, serial); INSERT INTO b VALUES (1, 's'), (2, 't');"
    )
    try adopted.store.write { _ in try Badge.make("x") { $0.serial = "t" }.save() }
    let table = AdoptedTable(
      "b",
      entity: "Badge",
      key: .derived("id"),
      properties: [
        "label": .constant("l"), "serial": "serial", "email": .constant("e"),
        "number": .constant(1), "name": .constant("n"),
      ]
    )
    let report = try adopted.adopt(table, misfits: .list)
    #expect(report.misfits.map(\.reason) == [.duplicateValue])
    #expect(report.misfits.first?.column == "serial" && report.misfits.first?.rows == [2])
    #expect(try adopted.adopt(table, misfits: .leaveOut).objects == ["Badge": 1])
    try adopted.store.read { (_) throws in
      let badge = try #require(try Badge.fetchOne(\.serial, equals: "s"))
      #expect(badge.label == "l" && badge.hidden == nil && badge.number == 1)
    }
    #expect(try adopted.store.verify().isSound)
  }

  @Test func `an object that is stored already is not adopted again`() throws {
    let adopted = try Adopted()
    try adopted.adopt(Adopted.person)
    let before = try adopted.rows()
    expectError(.notAdopted) { try adopted.adopt(Adopted.person) }
    let report = try adopted.adopt(Adopted.person, misfits: .list)
    #expect(report.misfits.map(\.reason) == [.duplicateKey])
    #expect(report.misfits.map(\.count) == [2])
    #expect(try adopted.rows() == before)
  }

  // MARK: References that lead nowhere

  private static let dangling =
    Adopted.people + """
      CREATE TABLE car (id INTEGER PRIMARY KEY, owner INTEGER);
      CREATE TABLE drives (car INTEGER, person INTEGER);
      INSERT INTO car VALUES (1, 1), (2, 99), (3, NULL), (4, 98);
      INSERT INTO drives VALUES (1, 1), (1, 99), (77, 1), (NULL, 1), (1, NULL);
      """

  private func adoptDangling(_ adopted: Adopted, _ misfits: MisfitTreatment) throws
    -> AdoptionReport
  {
    try adopted.adopt(
      AdoptedTable(
        "car",
        entity: "Car",
        key: .derived("id"),
        properties: ["owner": .reference("owner")]
      ),
      Adopted.person,
      lists: [
        AdoptedList(
          "drives",
          entity: "Car",
          property: "drivers",
          owner: .init("car"),
          child: .init("person")
        )
      ],
      misfits: misfits
    )
  }

  @Test func `references that lead nowhere refuse the file, and a dry run names their rows`() throws
  {
    let adopted = try Adopted(Self.dangling)
    let before = try adopted.rows()
    let error = thrown(.notAdopted) { _ = try adoptDangling(adopted, .refuse) }
    #expect(error?.detail?.contains("table car, column owner, row 2") == true)
    let report = try adoptDangling(adopted, .list)
    let found = report.misfits.map { "\($0.table) \($0.column ?? "-") \($0.reason) \($0.rows)" }
    #expect(
      found == [
        "car owner danglingReference [2, 4]", "drives person danglingReference [2]",
        "drives car danglingReference [3]", "drives person missingValue [5]",
      ]
    )
    #expect(try adopted.rows() == before)
  }

  @Test func `references that lead nowhere become nil on request`() throws {
    let adopted = try Adopted(Self.dangling)
    let report = try adoptDangling(adopted, .leaveOut)
    #expect(report.objects == ["Car": 4, "Person": 2] && report.joinCount == 1)
    try adopted.store.read { (_) throws in
      let cars = try Car.fetchAll(orderBy: "objectID")
      #expect(cars.map { $0.owner == nil } == [false, true, true, true])
      #expect(try cars.map { try $0.drivers.count() } == [1, 0, 0, 0])
    }
    #expect(try adopted.store.verify().isSound)
  }

  // MARK: Progress

  @Test func `the caller hears of the progress, and ends an adoption by an error`() throws {
    let adopted = try Adopted(
      """
      CREATE TABLE wheel (id INTEGER PRIMARY KEY, size);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO wheel SELECT i, i % 20 FROM n;
      """
    )
    let mapping = AdoptionMapping(tables: [
      AdoptedTable("wheel", entity: "Wheel", key: .derived("id"), properties: ["size": "size"])
    ])
    var steps: [Int] = []
    #expect(throws: CancellationError.self) {
      try adopted.store.adopt(adopted.foreign.path, by: mapping) { progress in
        steps.append(progress.done)
        #expect(progress.table == "wheel" && progress.total == 2500)
        if progress.done == 2000 { throw CancellationError() }
      }
    }
    #expect(steps == [0, 1000, 2000])
    #expect(try adopted.rows()["Wheel"] == [])
    try adopted.store.adopt(adopted.foreign.path, by: mapping)
    #expect(try adopted.store.read { _ in try Wheel.count() } == 2500)
  }

  @Test func `a task waits for an adoption without blocking others`() async throws {
    let adopted = try Adopted()
    let mapping = AdoptionMapping(tables: [Adopted.person])
    let plan = try await adopted.store.adopt(adopted.foreign.path, by: mapping, misfits: .list)
    #expect(plan.isDryRun && plan.objectCount == 2)
    let report = try await adopted.store.adopt(adopted.foreign.path, by: mapping)
    #expect(report.objects == plan.objects)
  }

  @Test func `an adoption inside a transaction is undone with it`() throws {
    let adopted = try Adopted()
    #expect(throws: CancellationError.self) {
      try adopted.store.write { _ in
        try adopted.adopt(Adopted.person)
        throw CancellationError()
      }
    }
    #expect(try adopted.rows()["Person"] == [])
  }
}
