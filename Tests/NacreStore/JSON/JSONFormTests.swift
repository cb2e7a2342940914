import Foundation
import NacreCore
import NacreRecords
import Testing
import TestSupport

/// A moment as JSON, whose form is the store's.
private struct Stamp: Codable, Equatable, Hashable {
  var when = Date(timeIntervalSince1970: 1_732_183_456.125)
}

/// A plain and a searchable sealed property that are stored as JSON.
private final class Letter: Entity {
  var sent = Stamp() { didSet { entityState.markChanged(0) } }
  var read: Stamp? { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    sent = try row.read(at: 0)
    read = try row.open(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(sent, at: 0)
    try row.seal(read, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Letter.self, name: "Letter")
    schema.add("sent", \Letter.sent)
    schema.add("read", \Letter.read, sealed: SealedOptions(isSearchable: true))
    return schema.build()
  }()
}

/// The same as a record.
private struct Postcard: Record, Equatable {
  var id: Int64?
  var sent = Stamp()
  var read: Stamp?

  init() {}

  static let columns: [RecordColumn<Postcard>] = [
    .key(\.id), .column(\.sent), .column(\.read, sealed: SealedOptions(isSearchable: true)),
  ]
}

/// A value given to a store that is not the default one is encoded as that store has it.
@Suite struct JSONFormTests {
  /// The first store of the process that is opened for letters; its dates are no numbers.
  private func makeStore(forLetters: Bool = false) throws -> TestStore {
    try TestStore {
      $0.json.dates = .iso8601
      if forLetters { $0.entities = [Letter.self] }
    }
  }

  private func fill(_ test: TestStore) throws {
    let letter = Letter.create()
    letter.read = Stamp()
    try test.store.save([letter])
    var card = Postcard()
    card.read = Stamp()
    try Table<Postcard>().in(test.store).insert(&card)
  }

  @Test func `an object is found by a JSON value, at once and asynchronously`() async throws {
    let test = try makeStore(forLetters: true)
    try fill(test)
    func find() throws {
      let (one, all) = (
        try Letter.fetchOne(\.sent, equals: Stamp()), try Letter.fetchAll(\.sent, equals: Stamp())
      )
      #expect(one != nil && all.count == 1)
      let sealed = try Letter.fetchAll(\.read, in: [Stamp(), nil])
      #expect(sealed.count == 1)
    }
    try find()
    #expect(try await Letter.fetchOne(\.sent, equals: Stamp()) != nil)
    #expect(try await Letter.fetchAll(\.read, equals: Stamp()).count == 1)
    #expect(try await Letter.fetchAll(\.sent, in: [Stamp()]).count == 1)
    // Until here it is open for letters.
    try await test.store.close()
  }

  @Test func `a record is found by a JSON value, at once and asynchronously`() async throws {
    let test = try makeStore()
    try fill(test)
    let cards = Table<Postcard>().in(test.store)
    func find() throws {
      #expect(try cards.fetchOne(\.sent, equals: Stamp()) != nil)
      #expect(try cards.fetchAll(\.read, equals: Stamp()).count == 1)
      #expect(try cards.fetchAll(\.sent, in: [Stamp()]).count == 1)
    }
    let other = try TestStore()
    func findInsideAnother() throws { try other.store.read { _ in try find() } }
    try find()
    try findInsideAnother()
    #expect(try await cards.fetchOne(\.sent, equals: Stamp()) != nil)
    #expect(try await cards.fetchAll(\.read, equals: Stamp()).count == 1)
    #expect(try await cards.fetchAll(\.sent, in: [Stamp()]).count == 1)
  }

  @Test func `a JSON value is assigned in the form of the store that the query asks`() async throws
  {
    let test = try makeStore()
    try fill(test)
    let letters = Letter.in(test.store)
    let moment = Stamp(when: Date(timeIntervalSince1970: 0.5))
    func assign() throws -> Int {
      try letters.updateAll(.set(\.sent, to: moment), .set(\.read, to: moment))
    }
    #expect(try assign() == 1)
    func text() throws -> Value? {
      try test.store.read { try $0.value("SELECT sent FROM Letter") }
    }
    #expect(try text() == "{\"when\":\"1970-01-01T00:00:00.500Z\"}")
    func moments() throws -> [Stamp?] { try letters.values(\.read) }
    #expect(try moments() == [moment])
    #expect(try await letters.updateAll(.set(\.sent, to: Stamp())) == 1)
    #expect(try text() == "{\"when\":\"2024-11-21T10:04:16.125Z\"}")
    let other = try TestStore()
    func assignInsideAnother() throws -> Int { try other.store.read { _ in try assign() } }
    #expect(try assignInsideAnother() == 1)
    #expect(try text() == "{\"when\":\"1970-01-01T00:00:00.500Z\"}")
  }

  private struct Row: Decodable { var stamp: Stamp }

  @Test func `a row's JSON is decoded as the store has it`() throws {
    let test = try TestStore {
      $0.json.dates = .iso8601
      $0.json.allowsJSON5 = true
    }
    let rows = try test.store.read { database in
      try database.decode(Row.self, "SELECT '{when: \"2024-11-21T10:04:16.125Z\",}' AS stamp")
    }
    #expect(rows.map(\.stamp) == [Stamp()])
  }
}
