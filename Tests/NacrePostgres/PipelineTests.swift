#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Writes are sent one after another, and the store waits for all of them at once.
@Suite struct PipelineTests {
  private let directory: TemporaryDirectory
  private let proxy: ServerProxy
  private let url: String
  private let store: Store

  init() throws {
    (directory, proxy) = (try TemporaryDirectory(), try ServerProxy())
    url = try TestPlace.newSchema()
    store = try Store.open(
      proxy.url(url),
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
      options: .patient
    )
    // Makes the tables and prepares the statements.
    for name in ["a", "b"] {
      try store.save([Self.car(name)])
      try store.save([Self.person(name)])
    }
  }

  private static func car(_ name: String, wheelCount: Int = 3) -> Car {
    let car = Car.create()
    (car.name, car.vin) = (name, "VIN " + name)
    car.wheels = (0..<wheelCount).map {
      let wheel = Wheel.create()
      wheel.size = $0
      return wheel
    }
    return car
  }

  private static func person(_ code: String) -> Person {
    let person = Person.create()
    (person.code, person.name) = (code, "name of " + code)
    return person
  }

  /// Returns how often the store waits for the server in a body.
  private func trips(_ body: () throws -> Void) rethrows -> Int {
    proxy.count()
    try body()
    return proxy.counts.roundTrips
  }

  private func codes() throws -> [String] {
    try store.read { (_) throws in try Person.all.ordered(by: "code").fetchAll().map(\.code) }
  }

  @Test func `a save waits for the server as often as it has to`() throws {
    defer { proxy.close() }
    // A statement for many rows is prepared when its own is sent for the second time since the tables were made.
    try store.save([Self.car("prepared")])
    let one = try trips { try store.save([Self.person("c")]) }
    let graph = try trips { try store.save([Self.car("c", wheelCount: 50)]) }
    let many = try trips { try store.save((0..<100).map { Self.person("d\($0)") }) }
    #expect("\(one) \(graph) \(many)" == "2 2 2")
    let person = Self.person("e")
    try store.save([person])
    person.name = "another"
    try store.save([person])
    person.name = "a third one"
    // From its second run on, an update says by itself whether the row is there.
    try store.save([person])
    person.name = "a fourth one"
    let update = try trips { try store.save([person]) }
    #expect(update == 2)
    let people: [Person] = try store.read { (_) throws in try Person.fetchAll() }
    for person in people { person.name = "also changed" }
    let updates = try trips { try store.save(people) }
    // The statements of a delete are prepared by the first two.
    try store.delete(people[..<2])
    let deletion = try trips { try store.delete(people[2...]) }
    #expect("\(people.count) \(updates) \(deletion)" == "104 2 2")
    let each = try trips {
      try store.write { (_) throws in
        for code in ["f", "g", "h"] { try Self.person(code).save() }
      }
    }
    #expect(each == 5)
    _ = try store.read { (_) throws in try Person.count() }
    let read = try trips { _ = try store.read { (_) throws in try Person.count() } }
    #expect(read == 3)
  }

  @Test func `more objects than may wait at once are all written`() throws {
    defer { proxy.close() }
    let people = (0..<2500).map { Self.person("p\($0)") }
    try store.save(people)
    #expect(try codes().count == 2502)
    for person in people { person.name = "of " + person.code }
    try store.save(people)
    let stored: [Person] = try store.read { (_) throws in try Person.fetchAll() }
    #expect(stored.count { $0.name == "of " + $0.code } == 2500)
    try store.delete(people)
    #expect(try codes() == ["a", "b"])
  }

  @Test(arguments: [0, 1, 999, 1700, 2499])
  func `the one of many that is refused is named, and nothing is written`(place: Int) throws {
    defer { proxy.close() }
    let people = (0..<2500).map { Self.person("p\($0)") }
    people[place].code = "a"
    for isUpdate in [false, true] {
      let error = #expect(throws: NacreError.self) { try store.save(people) }
      #expect(error?.code == .constraint)
      #expect(error?.objectID == people[place].objectID)
      #expect(people.allSatisfy { $0.hasChanges })
      #expect(try codes().count == (isUpdate ? 2502 : 2))
      people[place].code = "p\(place)"
      if isUpdate { continue }
      try store.save(people)
      for person in people { person.code += "'" }
      people[place].code = "a"
    }
  }

  @Test func `updates that succeed in one order alone are made in that order`() throws {
    defer { proxy.close() }
    let people = (0..<200).map { Self.person("p\($0)") }
    try store.save(people)
    // Each takes the code of the next one, which has left it just before.
    for (number, person) in people.enumerated() { person.code = "p\(number + 1)" }
    try store.save(people.reversed())
    #expect(people.allSatisfy { !$0.hasChanges })
    let stored: [Person] = try store.read { (_) throws in try Person.fetchAll() }
    #expect(Set(stored.map(\.code)).count == 202)
    for (number, person) in people.enumerated() {
      let found = try store.read { (_) throws in try Person.fetch(id: person.objectID)?.code }
      #expect(found == "p\(number + 1)")
    }
  }

  @Test func `the same object can be changed twice in a transaction`() throws {
    defer { proxy.close() }
    let person = Self.person("c")
    try store.save([person])
    try store.write { (_) throws in
      for name in ["one", "two", "three"] {
        person.name = name
        try store.save([person])
      }
    }
    #expect(try store.read { (_) throws in try Person.fetch(id: person.objectID)?.name } == "three")
  }

  @Test func `the object that is refused is named, and nothing is stored`() throws {
    defer { proxy.close() }
    let people = (0..<5).map { Self.person("c\($0)") }
    people[3].code = "a"
    let error = #expect(throws: NacreError.self) { try store.save(people) }
    #expect(error?.code == .constraint)
    #expect(error?.entity == "Person")
    #expect(error?.objectID == people[3].objectID)
    for person in people { #expect(!person.isStored && person.hasChanges) }
    #expect(try codes() == ["a", "b"])
    people[3].code = "c3"
    try store.save(people)
    #expect(try codes().count == 7)
  }

  @Test func `a save that fails in a transaction is undone alone`() throws {
    defer { proxy.close() }
    let twin = Self.person("a")
    try store.write { (_) throws in
      try Self.person("c").save()
      do {
        try twin.save()
        Issue.record("the twin was stored")
      } catch let error as NacreError {
        #expect(error.objectID == twin.objectID)
      }
      try Self.person("d").save()
    }
    #expect(!twin.isStored)
    #expect(try codes() == ["a", "b", "c", "d"])
  }

  @Test func `an update that finds no row stores nothing`() throws {
    defer { proxy.close() }
    let people: [Person] = try store.read { (_) throws in
      try Person.all.ordered(by: "code").fetchAll()
    }
    for person in people { person.name = "changed" }
    try TestServer.connect(to: url).execute("DELETE FROM \"Person\" WHERE \"code\" = 'b'")
    let error = #expect(throws: NacreError.self) { try store.save(people) }
    #expect(error?.code == .objectDeleted)
    #expect(error?.objectID == people[1].objectID)
    let names = try store.read { (_) throws in try Person.fetchAll().map(\.name) }
    #expect(names == ["name of a"])
    for person in people { #expect(person.hasChanges) }
  }

  @Test func `a conflict is found behind other writes`() throws {
    defer { proxy.close() }
    let deposit = Deposit.create()
    try store.save([deposit])
    let found = try store.read { (_) throws in try Deposit.fetch(id: deposit.objectID) }
    let other = try #require(found)
    deposit.balance += 1
    try store.save([deposit])
    other.balance += 5
    let error = #expect(throws: NacreError.self) {
      try store.write { (_) throws in
        try Self.person("c").save()
        try other.save()
      }
    }
    #expect(error?.code == .conflict)
    #expect(try codes() == ["a", "b"])
  }

  @Test(arguments: [false, true])
  func `an insert that a trigger swallows is no success`(isMadeBefore: Bool) throws {
    defer { proxy.close() }
    let trigger = """
      CREATE FUNCTION "swallow"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN RETURN CASE WHEN NEW."code" = 'x' THEN NULL ELSE NEW END; END $$; \
      CREATE TRIGGER "swallow" BEFORE INSERT ON "Person" FOR EACH ROW EXECUTE FUNCTION "swallow"()
      """
    let raw = try TestServer.connect(to: url)
    if isMadeBefore { try raw.execute(trigger) }
    let fresh = try Store.open(url, unlock: .keyFile(directory.file("store.key")))
    defer { try? fresh.close() }
    if !isMadeBefore {
      for code in ["c", "e"] { try fresh.save([Self.person(code)]) }
      let layout = try raw.values("SELECT \"number\" FROM \"nacre_layout\"")
      try raw.execute(trigger)
      // As if it had been made by other means than a connection of ours.
      try raw.run("UPDATE \"nacre_layout\" SET \"number\" = ?1", layout)
    }
    let error = #expect(throws: NacreError.self) {
      try fresh.save([Self.person("d"), Self.person("x")])
    }
    #expect(error?.code == .constraint)
    // A trigger that somebody makes while the store is open is too late to be asked for.
    let expected = isMadeBefore ? ["a", "b"] : ["a", "b", "c", "d", "e"]
    let found = try codes()
    #expect(found == expected)
  }

  @Test(arguments: ["", " DEFERRABLE INITIALLY IMMEDIATE"])
  func `rows keep their order where a foreign key of somebody's own sees it`(timing: String) throws
  {
    defer { proxy.close() }
    func saveTwo(_ name: String) throws {
      let (plain, spared) = (Self.car(name, wheelCount: 0), Self.car(name + "'", wheelCount: 0))
      spared.spare = Wheel.create()
      try store.save([plain, spared])
    }
    // The statements for many rows are prepared for another layout.
    for name in ["c", "d", "e"] { try saveTwo(name) }
    try store.write { database in
      try database.execute(
        "ALTER TABLE \"Car\" ADD CONSTRAINT \"own\" FOREIGN KEY (\"spare\") "
          + "REFERENCES \"Wheel\" (\"objectID\")\(timing)"
      )
    }
    for name in ["f", "g", "h"] { try saveTwo(name) }
    let spared: Int = try store.read { (_) throws in try Car.count(where: "spare IS NOT NULL") }
    #expect(spared == 6)
  }

  @Test func `a trigger that another store makes is noticed by the next transaction`() throws {
    defer { proxy.close() }
    for code in ["c", "d"] { try store.save([Self.person(code)]) }
    let other = try Store.open(url, unlock: .keyFile(directory.file("store.key")))
    defer { try? other.close() }
    try other.write { database in
      try database.execute(
        """
        CREATE FUNCTION "swallow"() RETURNS trigger LANGUAGE plpgsql AS \
        $$ BEGIN RETURN CASE WHEN NEW."code" = 'x' THEN NULL ELSE NEW END; END $$; \
        CREATE TRIGGER "swallow" BEFORE INSERT ON "Person" FOR EACH ROW EXECUTE FUNCTION "swallow"()
        """
      )
    }
    let people = ["e", "f", "x", "g"].map { Self.person($0) }
    let error = #expect(throws: NacreError.self) { try store.save(people) }
    #expect(error?.code == .constraint)
    #expect(error?.objectID == people[2].objectID)
    #expect(people.allSatisfy { !$0.isStored && $0.hasChanges })
    #expect(try codes() == ["a", "b", "c", "d"])
  }
}
#endif
