import Foundation
import Nacre
import Testing
import TestSupport

/// Tables and columns under names of their own, and entities of many columns.
@Suite struct NameTests {
  let test: TestStore

  init() throws { test = try TestStore() }

  private func stored() throws -> Reserved {
    let object = Reserved.create()
    object.order = 7
    object.team = "by"
    object.odd = 1
    object.car = "🚙"
    object.key = "foreign"
    object.index = Clause.create()
    object.index?.where = "1 = 1"
    object.list = [Clause.create(), Clause.create()]
    object.table.add(Clause.create())
    try test.store.write { _ in try object.save() }
    return object
  }

  @Test func `names that are words of SQL are stored, fetched, changed and deleted`() throws {
    let object = try stored()
    object.odd = 2
    object.key = "candidate"
    object.list.removeFirst()
    try object.save()
    try test.store.read { (_) throws in
      let found = try #require(try Reserved.fetchOne(\.odd, equals: 2))
      #expect(found.order == 7 && found.team == "by" && found.car == "🚙")
      #expect(found.key == "candidate" && found.index?.where == "1 = 1")
      #expect(found.list.map(\.objectID) == object.list.map(\.objectID))
      #expect(try found.table.count() == 1)
      #expect(try found.table.fetchAll(where: "\"where\" = ?", "").count == 1)
    }
    try object.delete(cascade: true)
    let counts = try test.store.read { _ in try (Reserved.count(), Clause.count()) }
    // What was taken out of the list, and what is only linked, stays.
    #expect(counts == (0, 2))
  }

  @Test func `conditions name columns as the file does`() throws {
    let object = try stored()
    try test.store.read { (_) throws in
      let found = try Reserved.fetchAll(
        where: "\"group\" = ? AND \"order\" > ? AND \"it's \"\"quoted\"\", -- ?\" = ?",
        "by",
        6,
        1,
        orderBy: "\"🚗 naïve\" DESC, \"group\""
      )
      #expect(found.map(\.objectID) == [object.objectID])
      let error = #expect(throws: NacreError.self) {
        _ = try Reserved.count(where: "\"primary\" > ?", "a")
      }
      #expect(error?.code == .sealedCondition)
      #expect(try Reserved.count(where: "\"primary\" IS NOT NULL") == 1)
      #expect(error?.entity == "Reserved" && error?.property == "key")
      let values = try Reserved.fetchValues(\.order, \.team, \.odd, \.key)
      #expect(values.map { "\($0) \($1) \($2) \($3 ?? "-")" } == ["7 by 1 foreign"])
    }
  }

  @Test func `the table's name is the file's, the entity's name the catalog's`() throws {
    _ = try stored()
    let keeper = Keeper.create()
    keeper.boss = Link(keeper)
    try test.store.write { _ in try keeper.save() }
    try test.store.read { (database) throws in
      let names = try database.query("SELECT name, \"table\" FROM nacre_entity ORDER BY name")
      #expect(names == [["Clause", "from"], ["Keeper", "people"], ["Reserved", "select"]])
      #expect(try database.query("SELECT count(*) FROM people WHERE boss = \"objectID\"") == [[1]])
      #expect(try Keeper.fetch(id: keeper.objectID)?.boss?.objectID == keeper.objectID)
    }
  }

  @Test func `a constraint on a renamed column names the property`() throws {
    _ = try stored()
    let twin = Reserved.create()
    twin.odd = 1
    let error = #expect(throws: NacreError.self) {
      try test.store.write { _ in try twin.save() }
    }
    #expect(error?.code == .constraint && error?.property == "odd")
  }

  // MARK: - Seventy properties

  private func storedWide() throws -> Wide {
    let wide = Wide.create()
    try test.store.write { (database) throws in
      try wide.save()
      // What an update does not write must stay as somebody else has set it.
      let terms = (0..<70).map { "p\($0) = \($0 + 1000)" }.joined(separator: ", ")
      try database.execute("UPDATE \"Wide\" SET \(terms)")
    }
    return wide
  }

  private func values() throws -> [Value] {
    let rows = try test.store.read { try $0.query("SELECT * FROM \"Wide\"") }
    return Array(try #require(rows.first).dropFirst())
  }

  @Test(arguments: [0, 5, 62])
  func `each of the first 63 properties is written alone`(_ index: Int) throws {
    let wide = try storedWide()
    switch index {
    case 0: wide.p0 = -1
    case 5: wide.p5 = -1
    default: wide.p62 = -1
    }
    let writes = try test.writes { try wide.save() }
    #expect(writes.count == 1)
    var expected = (0..<70).map { Value.integer($0 + 1000) }
    expected[index] = -1
    #expect(try values() == expected)
  }

  @Test func `the properties from the 64th on are written together, and no others`() throws {
    let wide = try storedWide()
    wide.p66 = -1
    let writes = try test.writes { try wide.save() }
    #expect(writes.count == 1)
    var expected = (0..<70).map { (index: Int64) in
      Value.integer(index < 63 ? index + 1000 : index)
    }
    expected[66] = -1
    #expect(try values() == expected)
    let again = try test.writes { try wide.save() }
    #expect(again == [])
  }

  @Test func `seventy properties come back, each in its place`() throws {
    let wide = Wide.create()
    (wide.p0, wide.p62, wide.p63, wide.p64, wide.p69) = (100, 162, 163, 164, 169)
    try test.store.write { _ in try wide.save() }
    let found = try #require(try test.store.read { _ in try Wide.fetchOne() })
    #expect(found.p0 == 100 && found.p1 == 1 && found.p62 == 162 && found.p63 == 163)
    #expect(found.p64 == 164 && found.p65 == 65 && found.p69 == 169)
  }
}
