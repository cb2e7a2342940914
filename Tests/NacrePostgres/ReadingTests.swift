#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// How often reads wait for the server, and how many sessions they take.
@Suite struct ReadingTests {
  private let directory: TemporaryDirectory
  private let url: String

  init() throws {
    directory = try TemporaryDirectory()
    url = try TestPlace.newSchema()
  }

  private func open(_ url: String, _ options: StoreOptions = .patient) throws -> Store {
    try Store.open(
      url,
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
      options: options
    )
  }

  private func saveCars(_ count: Int, in store: Store) throws {
    let cars = Car.numbered(count)
    for car in cars { car.spare = Wheel.create() }
    try store.save(cars)
  }

  @Test func `a fetch asks once for each relationship and level`() throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let store = try open(proxy.url(url))
    try saveCars(200, in: store)
    let trips = { (count: Int) in
      proxy.count()
      let found = try store.read { (_) throws in try Car.in(store).limit(count).fetchAll() }
      #expect(found.count == count)
      #expect(found.allSatisfy { $0.wheels.count == 3 && $0.spare != nil })
      return proxy.counts.roundTrips
    }
    // Prepares the statements.
    for count in [2, 200] { _ = try trips(count) }
    // BEGIN, the cars, their spare wheels, their other wheels, COMMIT.
    #expect(try trips(2) == 5)
    #expect(try trips(200) == 5)
  }

  @Test func `a fetch of some objects gets the rows of their children alone`() throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let store = try open(proxy.url(url))
    try saveCars(8_000, in: store)
    let messages = { (count: Int) in
      let wanted = Set((0..<count).map { "\($0 * 7)" })
      // Prepares the statements.
      for _ in 0..<2 {
        proxy.count()
        let found = try Car.in(store).where(\.name, in: wanted).fetchAll()
        #expect(Set(found.map(\.name)) == wanted)
        #expect(found.allSatisfy { $0.wheels.count == 3 && $0.spare != nil })
      }
      return proxy.counts.toClient
    }
    // Of 32,000 wheels a car has four; each row is a message, and each statement some more.
    #expect(try messages(50) < 50 * 5 + 50)
    // For so many each of three tables is stepped through until that does not pay, and the places in lists are rows, too.
    let many = try messages(1_100)
    #expect(many < 1_100 * 8 + 3 * (32 + 2 * 512) + 300)
  }

  @Test func `a fetch by id waits for the server once, and an async one no longer`() async throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let store = try await Store.open(
      proxy.url(url),
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
      options: .patient
    )
    let wheel = Wheel.create()
    let id = wheel.objectID
    try await store.save([wheel])
    try await store.asDefault {
      // Prepares the statements on the one reader that is taken each time.
      for isTimed in [false, false, true, true] {
        proxy.count()
        let now = { try Wheel.fetch(id: id)?.objectID }
        #expect(try now() == id)
        #expect(!isTimed || proxy.counts.roundTrips == 1)
        proxy.count()
        let later = try await Wheel.fetch(id: id)?.objectID
        #expect(later == id)
        #expect(!isTimed || proxy.counts.roundTrips == 1)
        proxy.count()
        let linked = try await Link<Wheel>(objectID: id).get().objectID
        #expect(linked == id)
        #expect(!isTimed || proxy.counts.roundTrips == 1)
      }
    }
  }

  @Test func `readers take no more sessions than there may be`() throws {
    var options = StoreOptions.patient
    (options.readerLimit, options.maximumReaderCount) = (2, 3)
    let name = "nacre-test-" + UUID().uuidString
    let store = try open(url + "&application_name=" + name, options)
    try store.save([Wheel.create()])
    let readers = (0..<12).map { _ in
      OwnThread {
        for _ in 0..<10 {
          try store.read { (_) throws in #expect(try Wheel.in(store).count() == 1) }
        }
      }
    }
    for reader in readers { try reader.value() }
    let sessions = try TestServer.connect(to: url).values(
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)'"
    )
    guard case .integer(let count)? = sessions.first else {
      Issue.record("the server did not count its sessions")
      return
    }
    // One of them is the writer's.
    #expect((2...4).contains(count))
  }

  @Test func `equal values have equal indexes, and envelopes of their own`() throws {
    let store = try open(url)
    let badges = (0..<2).map { number in
      let badge = Badge.create()
      (badge.plate, badge.serial) = ("the same plate", "\(number)")
      return badge
    }
    try store.save(badges)
    let raw = try TestServer.connect(to: url)
    let count = { (column: String) in
      try raw.values("SELECT count(DISTINCT \"\(column)\") FROM \"Badge\"")
    }
    #expect(try count("plate") == [.integer(2)])
    #expect(try count("plate__index") == [.integer(1)])
    #expect(try count("serial__index") == [.integer(2)])
  }

  @Test func `tables are made by many at once`() throws {
    let stores = try (0..<8).map { _ in try open(url) }
    let threads = stores.map { store in
      OwnThread {
        let car = Car.create()
        car.wheels = [Wheel.create()]
        try store.save([car])
      }
    }
    for thread in threads { try thread.value() }
    #expect(try Car.in(stores[0]).count() == 8)
    #expect(try Wheel.in(stores[7]).count() == 8)
  }
}
#endif
