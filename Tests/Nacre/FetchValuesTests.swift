import Foundation
import Nacre
import Testing
@testable import TestSupport

/// Properties without objects.
@Suite struct FetchValuesTests {
  let test: TestStore
  let sales: [Sale]

  init() throws {
    test = try TestStore()
    sales = try Sale.store(in: test.store)
  }

  @Test func `one property comes as itself, several as tuples`() throws {
    try test.store.read { (_) throws in
      let numbers: [Int] = try Sale.fetchValues(\.number, where: "number < ?", 3, orderBy: "number")
      #expect(numbers == [0, 1, 2])
      let rows = try Sale.fetchValues(
        \.number,
        \.fuel,
        \.amount,
        \.day,
        \.isPaid,
        where: "number = ?",
        9
      )
      let row = try #require(rows.first)
      #expect(rows.count == 1)
      #expect(row.0 == 9 && row.1 == .diesel && row.2 == sales[9].amount)
      #expect(row.3 == sales[9].day && row.4)
    }
  }

  @Test func `the values of one property go into a set or a sort as they come`() throws {
    try test.store.read { (_) throws in
      #expect(Set(try Sale.fetchValues(\.number)) == Set(0..<25))
      #expect(try Sale.fetchValues(\.number, where: "number < ?", 3).sorted(by: >) == [2, 1, 0])
      #expect(try Sale.all.values(\.number).reduce(0, +) == 300)
      #expect(Set(try Sale.fetchValues(\.buyer)).count == 25)
    }
  }

  @Test func `awaited values of one property go into a set`() async throws {
    let sales = Sale.all.in(test.store)
    #expect(Set(try await sales.values(\.number)).count == 25)
    #expect(try await sales.ordered(by: "number").values(\.number, \.isPaid).map(\.0).last == 24)
  }

  @Test func `objectIDs are asked for like properties`() throws {
    try test.store.read { (_) throws in
      let identifiers = try Sale.fetchValues(\.objectID, orderBy: "number")
      #expect(identifiers == sales.map(\.objectID))
      let rows = try Sale.fetchValues(\.buyer, \.objectID, \.number, where: "number > ?", 22)
      let texts = rows.map { "\($0.0) \($0.1 == sales[$0.2].objectID)" }.sorted()
      #expect(texts == ["buyer 23 true", "buyer 24 true"])
    }
  }

  @Test func `sealed properties are opened`() throws {
    let rows = try test.store.read { _ in
      try Sale.fetchValues(\.buyer, \.tip, \.photo, orderBy: "number")
    }
    #expect(rows.map(\.0) == (0..<25).map { "buyer \($0)" })
    #expect(rows.map(\.1) == (0..<25).map { $0.isMultiple(of: 4) ? $0 : nil })
    #expect(rows.map(\.2) == [Data()] + Array(repeating: nil, count: 24))
  }

  @Test func `an optional property without a value is fetched as nil`() throws {
    let rows = try test.store.read { _ in
      try Sale.fetchValues(\.note, \.gear, \.place, orderBy: "number", page: 1, size: 5)
    }
    #expect(rows.map(\.0) == ["note 5", nil, nil, nil, nil])
    #expect(rows.map(\.1) == [nil, .second, nil, nil, .second])
    #expect(rows.map(\.2) == [nil, nil, Position(x: 1.5, y: 2), nil, nil])
  }

  @Test func `only the columns asked for are read`() throws {
    let fetch = { _ = try test.store.read { _ in try Sale.fetchValues(\.number, \.note) } }
    try fetch()
    let statements = try test.statements(fetch)
    #expect(statements == ["SELECT \"objectID\", \"number\", \"note\" FROM \"Sale\""])
  }

  @Test func `the same property may be asked for twice`() throws {
    let rows = try test.store.read { _ in
      try Sale.fetchValues(\.number, \.number, \.objectID, \.objectID, where: "number = 3")
    }
    #expect(rows.map(\.0) == [3] && rows.map(\.1) == [3])
    #expect(rows.map(\.2) == rows.map(\.3))
  }

  @Test func `a child and a property that is not stored are no values, and messages name them`()
    throws
  {
    let calls: [(String?, () throws -> Void)] = [
      ("engine", { _ = try Car.fetchValues(\.engine) }),
      ("wheels", { _ = try Car.fetchValues(\.wheels) }),
      ("wheels", { _ = try Car.fetchValues(\.name, \.wheels) }),
      (nil, { _ = try Car.fetchValues(\.scratch) }),
      (nil, { _ = try Car.fetchValues(\.name.count) }),
      ("engine", { _ = try Car.fetchAll(with: \.engine) }),
      (nil, { _ = try Car.all.updateAll(.set(\.name.utf8.count, to: 1)) }),
    ]
    for (property, call) in calls {
      let error = #expect(throws: NacreError.self) { try test.store.write { _ in try call() } }
      #expect(error?.code == .noSuchProperty && error?.entity == "Car")
      #expect(error?.property == property)
      #expect(error?.description.contains("0x") == false, "\(String(describing: error))")
    }
  }

  @Test func `a value that does not open names its place`() throws {
    try test.store.write { database in
      let zeros = TestPlace.sql("zeroblob(50)", onServer: "decode(repeat('00', 50), 'hex')")
      try database.execute("UPDATE \"Sale\" SET buyer = \(zeros) WHERE number = ?", 3)
    }
    let error = #expect(throws: NacreError.self) {
      try test.store.read { _ in _ = try Sale.fetchValues(\.number, \.buyer) }
    }
    #expect(error?.code == .notAnEnvelope)
    #expect(error?.entity == "Sale" && error?.property == "buyer")
    #expect(error?.objectID == sales[3].objectID)
    let others = try test.store.read { _ in
      try Sale.fetchValues(\.buyer, where: "number <> 3").count
    }
    #expect(others == 24)
  }
}
