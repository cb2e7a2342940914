import Foundation
import Nacre
import Testing
@testable import TestSupport

/// References that are neither loaded nor deleted with the object that holds them.
@Suite struct LinkTests {
  let test: TestStore

  init() throws { test = try TestStore() }

  private func fetch<E: Entity>(_ object: E) throws -> E {
    let found = try test.store.read { _ in try E.fetch(id: object.objectID) }
    return try #require(found)
  }

  private func count<E: Entity>(_ type: E.Type) throws -> Int {
    try test.store.read { _ in try E.count() }
  }

  private func person(_ name: String) -> Person {
    let person = Person.create()
    person.use(test.store)
    person.name = name
    person.email = "\(name)@example.org"
    return person
  }

  private func car() -> Car {
    let car = Car.create()
    car.use(test.store)
    return car
  }

  @Test func `a link loads its object when asked, outside of any transaction`() throws {
    let car = car()
    car.owner = Link(person("Ada"))
    try car.save()
    let fetched = try fetch(car)
    #expect(fetched.owner?.loaded == nil)
    #expect(try fetched.owner?.get().email == "Ada@example.org")
  }

  @Test func `a link to an object that is gone says so`() throws {
    let car = car()
    let ada = person("Ada")
    car.owner = Link(ada)
    try car.save()
    let fetched = try fetch(car)
    try ada.delete()
    let error = #expect(throws: NacreError.self) { try fetched.owner?.get() }
    #expect(error?.code == .notFound)
    #expect(error?.objectID == ada.objectID)
    #expect(try fetch(car).owner == nil)
  }

  @Test func `a link to an unknown object can't be saved`() throws {
    let car = car()
    car.owner = Link(objectID: UUID())
    let error = #expect(throws: NacreError.self) { try car.save() }
    #expect(error?.code == .constraint)
    #expect(!car.isStored && car.hasChanges)
  }

  @Test func `prefetching loads a whole fetch's links by one query`() throws {
    let (ada, bob) = (person("Ada"), person("Bob"))
    try test.store.write { _ in
      for index in 0..<10 {
        let car = car()
        car.owner = Link(index.isMultiple(of: 2) ? ada : bob)
        try car.save()
      }
    }
    var cars: [Car] = []
    let statements = try test.statements {
      cars = try test.store.read { _ in try Car.fetchAll(with: \.owner) }
    }
    let queries = statements.filter { $0.contains("\"Person\"") }
    #expect(queries.count == 1)
    let owners = cars.compactMap { $0.owner?.loaded }
    #expect(owners.count == 10)
    let instances = Set(owners.map { ObjectIdentifier($0) })
    #expect(instances.count == 2)
    let changed = cars.filter(\.hasChanges)
    #expect(changed.isEmpty)
  }

  @Test func `only links can be prefetched`() throws {
    let error = #expect(throws: NacreError.self) {
      try test.store.read { _ in try Car.fetchAll(with: \.engine) }
    }
    #expect(error?.code == .noSuchProperty)
  }

  @Test func `objects that link to each other are not kept alive by it`() throws {
    weak var first: Node?
    do {
      let (a, b) = (Node.create(), Node.create())
      a.use(test.store)
      a.friend = Link(b)
      b.friend = Link(a)
      try a.save()
      first = a
    }
    #expect(first == nil)
  }

  // MARK: - Links

  @Test func `to-many links are read by query, page, cursor and count`() throws {
    let car = car()
    for index in 0..<25 { car.drivers.add(person("P\(index)")) }
    try car.save()
    let fetched = try fetch(car)
    #expect(try fetched.drivers.count() == 25)
    #expect(try fetched.drivers.fetchAll(orderBy: "name", page: 1, size: 10).count == 10)
    #expect(try fetched.drivers.fetchAll(where: "name = ?", "P7").map(\.name) == ["P7"])
    let cursor = try fetched.drivers.cursor()
    var count = 0
    while try cursor.next() != nil { count += 1 }
    #expect(count == 25)
  }

  @Test func `additions and removals are written by the owner's save`() throws {
    let car = car()
    let (ada, bob) = (person("Ada"), person("Bob"))
    car.drivers.add(ada)
    car.drivers.add(bob)
    try car.save()
    car.drivers.remove(ada)
    car.drivers.add(objectID: bob.objectID)
    #expect(try car.drivers.count() == 2)
    try car.save()
    #expect(try car.drivers.fetchAll().map(\.name) == ["Bob"])
    #expect(try car.drivers.contains(objectID: bob.objectID))
    #expect(try !car.drivers.contains(objectID: ada.objectID))
    car.drivers.removeAll()
    try car.save()
    #expect(try car.drivers.count() == 0)
    #expect(try count(Person.self) == 2)
  }

  @Test func `a rollback keeps additions waiting`() throws {
    let car = car()
    try car.save()
    car.drivers.add(person("Ada"))
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try test.store.write { _ in
        try car.save()
        throw Stop()
      }
    }
    #expect(try car.drivers.count() == 0)
    try car.save()
    #expect(try car.drivers.fetchAll().map(\.name) == ["Ada"])
  }

  @Test func `links of an object that was never stored are empty`() throws {
    #expect(try car().drivers.count() == 0)
    #expect(try car().drivers.fetchAll().isEmpty)
  }

  // MARK: - Inverses

  private func house() throws -> House {
    let house = House.create()
    house.use(test.store)
    house.rooms = ["hall", "loft"].map {
      let room = Room.create()
      room.name = $0
      return room
    }
    try house.save()
    return house
  }

  @Test func `children are found by their own link, and nothing is stored twice`() throws {
    let house = try house()
    let fetched = try fetch(house)
    #expect(fetched.rooms.map(\.name) == ["hall", "loft"])
    #expect(fetched.rooms.map { $0.house?.objectID } == [house.objectID, house.objectID])
    let tables = try test.store.read {
      try $0.query(
        TestPlace.sql(
          "SELECT name FROM sqlite_schema WHERE name LIKE 'House_%'",
          onServer: """
            SELECT table_name::text FROM information_schema.tables WHERE table_name LIKE 'House_%' \
            AND table_schema = current_schema()
            """
        )
      )
    }
    #expect(tables == [])
  }

  @Test func `setting the child's own link is all it takes`() throws {
    let house = try house()
    let room = Room.create()
    room.use(test.store)
    room.name = "attic"
    room.house = Link(house)
    try room.save()
    #expect(try fetch(house).rooms.map(\.name).contains("attic"))
  }

  @Test func `a child that is taken out loses its link`() throws {
    let house = try house()
    let loft = house.rooms.removeLast()
    try house.save()
    #expect(try fetch(house).rooms.map(\.name) == ["hall"])
    #expect(try fetch(loft).house == nil)
  }

  @Test func `a child that moves to another parent stays with that one`() throws {
    let (old, new) = (try house(), try house())
    let loft = old.rooms.removeLast()
    new.rooms.append(loft)
    try new.save()
    try old.save()
    #expect(try fetch(new).rooms.count == 3)
    #expect(try fetch(old).rooms.count == 1)
    #expect(try fetch(loft).house?.objectID == new.objectID)
  }

  @Test func `inverse children go with their parent`() throws {
    let house = try house()
    try house.delete(cascade: true)
    #expect(try count(Room.self) == 0)
  }

  @Test func `inverse links are read from the target's column`() throws {
    let house = try house()
    for day in 0..<3 {
      let visit = Visit.create()
      visit.day = day
      house.visits.add(visit)
    }
    try house.save()
    let fetched = try fetch(house)
    #expect(try fetched.visits.fetchAll(where: "day > ?", 0, orderBy: "day").map(\.day) == [1, 2])
    fetched.visits.removeAll()
    try fetched.save()
    #expect(try fetched.visits.count() == 0)
    #expect(try count(Visit.self) == 3)
  }
}
