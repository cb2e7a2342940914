#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// How often reads wait for the server, how many sessions they take, and how much memory.
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

  /// How many rows a cursor reads; the memory is the whole process's, so the test runs alone, with this set.
  private static let rowCount = ProcessInfo.processInfo.environment["NACRE_ROWS"].flatMap {
    Int($0)
  }

  @Test(.enabled(if: rowCount != nil))
  func `a cursor over many objects takes the memory of a few`() throws {
    let count = try #require(Self.rowCount)
    let store = try open(url)
    try store.save([Wheel.create()])
    try TestServer.connect(to: url).execute(
      """
      INSERT INTO "Wheel" ("objectID", "size", "note") SELECT gen_random_uuid(), i, 'a note of ' || i \
      FROM generate_series(2, \(count)) i
      """
    )
    try expectFewInMemory {
      let cursor = try Wheel.in(store).cursor()
      var seen = 0
      while let wheel = try cursor.next() {
        seen += wheel.isStored ? 1 : 0
        if seen.isMultiple(of: 5_000) { try $0() }
      }
      #expect(seen == count)
    }
  }

  @Test(.enabled(if: rowCount != nil))
  func `a cursor over many objects with children takes the memory of a few`() throws {
    let count = try #require(Self.rowCount) / 4
    let store = try open(url)
    try store.save([Car.graph("0")])
    // Car i has the wheels 3i, 3i + 1 and 3i + 2.
    func identifier(_ number: String) -> String {
      "('00000000-0000-0000-0000-' || lpad(to_hex(\(number)), 12, '0'))::uuid"
    }
    try TestServer.connect(to: url).execute(
      """
      BEGIN; SET CONSTRAINTS ALL DEFERRED; \
      INSERT INTO "Wheel" ("objectID", "size", "note") SELECT \(identifier("i")), i, 'a note of ' || i \
      FROM generate_series(3, 3 * \(count) - 1) i; \
      INSERT INTO "Car" ("objectID", "name") SELECT \(identifier("i")), 'car ' || i \
      FROM generate_series(1, \(count) - 1) i; \
      INSERT INTO "Car_wheels" ("owner", "child", "position") \
      SELECT \(identifier("i / 3")), \(identifier("i")), i % 3 FROM generate_series(3, 3 * \(count) - 1) i; COMMIT
      """
    )
    try expectFewInMemory {
      let cursor = try Car.in(store).cursor()
      var (seen, wheels) = (0, 0)
      while let car = try cursor.next() {
        seen += 1
        wheels += car.wheels.count
        if seen.isMultiple(of: 5_000) { try $0() }
      }
      #expect(seen == count && wheels == 3 * count)
    }
  }

  /// Expects work to take no more than 4 MB at any time.
  ///
  /// - Parameter work: Calls its parameter where it may have the most.
  /// - Throws: What the work throws.
  private func expectFewInMemory(_ work: (_ look: () throws -> Void) throws -> Void) throws {
    // Other tests may take memory meanwhile, but not in each of several times.
    var growths: [Int] = []
    while growths.count < 4, growths.last ?? .max >= 4 << 20 {
      try Self.giveBackFreeMemory()
      let before = try Self.residentBytes()
      var most = before
      try work { most = max(most, try Self.residentBytes()) }
      growths.append(most - before)
    }
    #expect(growths.contains { $0 < 4 << 20 }, "\(growths)")
  }

  /// Gives the system back what is free, which would hide what work takes.
  private static func giveBackFreeMemory() throws {
    let function = try #require(dlsym(dlopen(nil, RTLD_NOW), "malloc_trim"))
    _ = unsafeBitCast(function, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  /// The memory of this process that is in use.
  private static func residentBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.firstMatch(of: /VmRSS:\s+(\d+) kB/))
    return try #require(Int(line.output.1)) * 1024
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
