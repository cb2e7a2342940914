import Foundation
import Nacre
import NacreDAO
import Observation
import TestSupport
import Testing

/// The macros' code in a module that is the main actor's by default; half of the test is that it compiles.
@Suite struct IsolationTests {
  private let scene: TestStore
  private var store: Store { scene.store }

  init() throws { scene = try TestStore() }

  private nonisolated static func filled() -> Van {
    let van = Van()
    (van.name, van.vin, van.plate) = ("Bus", "W1", "B-1")
    van.made = Date(timeIntervalSince1970: 1000)
    (van.fuel, van.place, van.price) = (.diesel, Place(city: "Ulm"), Money(cents: 5))
    (van.horn, van.seats) = (Horn(), [Van.Seat(), Van.Seat()])
    van.tune()
    return van
  }

  private nonisolated static func isFilled(_ van: Van?) -> Bool {
    guard let van else { return false }
    return van.title == "Bus, 4 PS" && van.vin == "W1" && van.plate == "B-1"
      && van.made == Date(timeIntervalSince1970: 1000) && van.fuel == .diesel
      && van.place == Place(city: "Ulm") && van.price == Money(cents: 5)
      && van.horn?.tone == 440 && van.seats.count == 2
  }

  @Test func `the main actor saves and fetches entities`() throws {
    try store.write { _ in
      let van = Self.filled()
      van.driver = Link(Driver(name: "Ada"))
      #expect(van.changes == 1)
      try van.save()
    }
    try store.read { (_) throws in
      #expect(Self.isFilled(try Van.fetchOne()))
      #expect(try Van.fetchAll(\.plate, equals: "B-1").count == 1)
      #expect(try Van.fetchAll(#Predicate { $0.name == "Bus" && $0.power > 3 }).count == 1)
      #expect(try Driver.fetchOne()?.name == "Ada")
    }
  }

  @Test func `a list keeps the elements that two instances append`() throws {
    try Self.save(in: store)
    let first = try Self.fetch(in: store)
    let second = try Self.fetch(in: store)
    let (one, two) = (try #require(first), try #require(second))
    one.seats.append(Van.Seat())
    two.seats.append(Van.Seat())
    try one.save()
    try two.save()
    #expect(try Self.fetch(in: store)?.seats.count == 4)
  }

  @Test func `other threads make, save and fetch entities, too`() async throws {
    let store = store
    try await Task.detached {
      try Self.save(in: store)
      #expect(Self.isFilled(try Self.fetch(in: store)))
    }.value
    #expect(Self.isFilled(try Self.fetch(in: store)))
    let found = try await store.read { _ in try Van.fetchOne() }
    #expect(Self.isFilled(found))
  }

  @Test func `the main actor and another actor save objects that they hold, in a transaction`()
    async throws
  {
    let dealer = Dealer(store)
    try await dealer.sell(to: "Ada")
    try await dealer.sell(to: "Bob")
    #expect(dealer.sales == 2 && !dealer.van.hasChanges)
    #expect(try await Yard(store).park() == 7)
    let names = try await store.read { _ in try Driver.fetchValues(\.name, orderBy: "name") }
    #expect(names == ["Ada", "Bob"])
  }

  @Test func `a loop over a cursor gives the main actor its objects`() async throws {
    let dealer = Dealer(store)
    try await dealer.sell(to: "Ada")
    dealer.van.guests.add(Driver(name: "Cy"))
    try await dealer.van.save()
    var titles: [String] = []
    for try await van in try await Van.in(store).cursor() {
      titles.append(van.title)
      for try await guest in try await van.guests.cursor() { titles.append(guest.name) }
    }
    #expect(titles == ["Bus, 4 PS", "Cy"])
    #expect(try await dealer.van.guests.page(0, size: 5).totalItems == 1)
  }

  private nonisolated static func save(in store: Store) throws {
    try store.write { _ in try filled().save() }
  }

  private nonisolated static func fetch(in store: Store) throws -> Van? {
    try store.read { _ in try Van.fetchOne() }
  }

  @Test func `a class that is declared nonisolated can be an entity`() throws {
    try store.write { _ in try Trailer().save() }
    let count = try store.read { _ in try Trailer.fetchAll().count }
    #expect(count == 1)
  }

  @Test func `a change of a property notifies its observer`() async {
    let van = Van()
    await confirmation { isTold in
      withObservationTracking {
        _ = van.name
      } onChange: {
        isTold()
      }
      van.name = "Bus"
    }
  }

  @Test func `a table keeps records`() throws {
    let students = Table<Student>().in(store)
    var ada = Student(name: "Ada")
    try students.insert(&ada)
    #expect(try students.fetchAll(\.name, equals: "Ada").map(\.id) == [ada.id])
  }

  @Test func `the main actor and other threads call a DAO's methods`() async throws {
    let directory = try TemporaryDirectory()
    let center = DataCenter(directory: directory.file("center"))
    let vans = try center.dao((any VanDAO).self, config: Self.configuration, userDependent: false)
    let trailer = Trailer.create()
    trailer.load = 7
    #expect(vans.add([trailer]).succeeded)
    #expect(try vans.count() == 1)
    #expect(try await vans.all().map(\.load) == [7])
    let trailers = try center.dao(
      (any TrailerDAO).self,
      config: Self.configuration,
      userDependent: false,
      models: [Trailer.self]
    )
    let found = try await Task.detached { try trailers.count() }.value
    #expect(found == 1)
  }

  private static let configuration = """
    <module tableName="trailers" initializer="make">
    <update id="make">create table if not exists trailers (load integer)</update>
    <insert id="add" arguments="vs" foreach="vs.v">insert into trailers values (#{v.load})</insert>
    <select id="all" result="[Trailer]">select * from trailers</select>
    <select id="count" result="int">select count(*) from trailers</select>
    </module>
    """
}
