#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A store behind a pgbouncer that lends a session of the server for one transaction.
@Suite(.enabled(if: Pooler.isInstalled, "there is no pgbouncer"), .timeLimit(.minutes(15)))
struct TransactionPoolTests {
  let server: Cluster
  private let directory: TemporaryDirectory

  init() throws { (server, directory) = (try Cluster(), try TemporaryDirectory()) }

  func open(_ url: String, _ options: StoreOptions = .patient) throws -> Store {
    try Store.open(
      url,
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
      options: options
    )
  }

  static func names(_ store: Store) throws -> [String] {
    try store.read { (_) throws in try Car.all.ordered(by: "name").fetchAll().map(\.name) }
  }

  // MARK: The store's whole story

  @Test(arguments: [1, 2])
  func `clients at the same time store, find, change and delete, and leave nothing behind`(
    size: Int
  ) throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: size)
    let stores = try (0..<4).map { _ in try open(pooler.url) }
    let threads = stores.enumerated().map { number, store in
      OwnThread {
        for round in 0..<5 {
          let name = "\(number).\(round)"
          let car = Car.graph(name)
          try store.save([car])
          try store.write { (_) throws in
            car.vin = "changed \(name)"
            car.wheels.removeLast()
            try car.save()
            let gone = Car.graph(name + " gone")
            try gone.save()
            try gone.delete(cascade: true)
          }
          let (vin, sizes, drivers) = try store.read { (_) throws in
            let found = try #require(try Car.fetchOne(\.name, equals: name))
            return (found.vin, found.wheels.map(\.size), try found.drivers.fetchAll().map(\.name))
          }
          #expect(vin == "changed \(name)")
          #expect(sizes == [1, 2])
          #expect(drivers == ["owner of \(name)"])
        }
      }
    }
    for thread in threads { try thread.value() }
    #expect(try stores[0].read { (_) throws in try Car.count() } == 20)
    #expect(try stores[1].read { (_) throws in try Wheel.count() } == 60)
    let report = try stores[2].verify()
    #expect(report.badCells.isEmpty && report.faults.isEmpty)
    for _ in 0..<size { #expect(try pooler.leftovers() == "0") }
    for store in stores { try store.close() }
  }

  @Test func `a cursor goes on in its state while another client writes`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 2)
    let (one, two) = (try open(pooler.url), try open(pooler.url))
    try one.save((0..<500).map { Car.graph("\(1000 + $0)") })
    var names: [String] = []
    try one.read { (_) throws in
      let cars = try Car.all.ordered(by: "name").cursor()
      while let car = try cars.next() {
        if names.count % 100 == 0 { try two.save([Car.graph("new \(names.count)")]) }
        names.append(car.name)
      }
    }
    #expect(names == (1000..<1500).map { "\($0)" })
    #expect(try Self.names(two).count == 505)
  }

  @Test func `with one session a writer waits until another client's cursor ends`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    let (one, two) = (try open(pooler.url), try open(pooler.url))
    try one.save((0..<100).map { Car.graph("\(1000 + $0)") })
    try two.save([Car.graph("first")])
    let writer = try one.read { (_) throws in
      let cars = try Car.all.ordered(by: "name").cursor()
      #expect(try cars.next()?.name == "1000")
      let writer = OwnThread { try two.save([Car.graph("new")]) }
      var count = 1
      while try cars.next() != nil { count += 1 }
      #expect(count == 101)
      return writer
    }
    try writer.value()
    #expect(try Self.names(one).count == 102)
  }

  @Test(arguments: [1, 2])
  func `keys are rotated while other clients write`(size: Int) throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: size)
    let stores = try (0..<3).map { _ in try open(pooler.url) }
    try stores[0].save((0..<60).map { Car.graph("first \($0)") })
    let writers = stores.dropFirst().enumerated().map { number, store in
      OwnThread {
        for round in 0..<30 {
          try store.save([Car.graph("\(number).\(round)")])
          let car = try store.read { (_) throws in
            try Car.fetchOne(\.name, equals: "first \(round)")
          }
          car?.vin = "changed \(number)"
          // Another client may have changed it meanwhile.
          do {
            try store.save(car.map { [$0] } ?? [])
          } catch let error as NacreError where error.code == .conflict {}
        }
      }
    }
    var options = RotationOptions()
    (options.batchSize, options.readerTimeout) = (10, 60)
    var report = try stores[0].rotate(options)
    for writer in writers { try writer.value() }
    if report.outcome != .finished { report = try stores[0].rotate(options) }
    #expect(report.outcome == .finished)
    #expect(!report.disabled.isEmpty)
    let verified = try stores[1].verify()
    #expect(verified.badCells.isEmpty && verified.faults.isEmpty)
    #expect(try Self.names(stores[2]).count == 120)
    for _ in 0..<size { #expect(try pooler.leftovers() == "0") }
  }

  @Test func `a reader of an older state keeps the old keys`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 3)
    let (one, two) = (try open(pooler.url), try open(pooler.url))
    try one.save((0..<20).map { Car.graph("\($0)") })
    var options = RotationOptions()
    options.readerTimeout = 0.2
    try two.read { (_) throws in
      #expect(try Car.count() == 20)
      let report = try one.rotate(options)
      #expect(report.outcome == .incomplete)
      #expect(report.disabled.isEmpty)
    }
    #expect(try one.rotate(options).outcome == .finished)
  }

  @Test func `a store in a schema of its role is rotated and vacuumed there`() throws {
    try server.execute(
      "CREATE ROLE garage SUPERUSER LOGIN",
      "CREATE SCHEMA \"My \"\"cars'\"",
      "ALTER ROLE garage SET search_path = \"My \"\"cars'\""
    )
    let pooler = try Pooler(of: server, mode: "transaction", size: 2, user: "garage")
    let store = try open(pooler.url)
    try store.save([Car.graph("a")])
    let file = "SELECT pg_relation_filenode('\"My \"\"cars''\".\"Car\"')"
    let before = try server.execute(file)
    var options = RotationOptions()
    options.vacuum = .always
    let report = try store.rotate(options)
    #expect(report.outcome == .finished && report.wasVacuumed)
    #expect(try server.execute(file) != before)
    #expect(try server.execute("SELECT to_regclass('public.\"Car\"') IS NULL") == "t\n")
    // Also behind a pool whose sessions it gets for itself.
    let other = try Pooler(of: server, mode: "session", user: "garage")
    #expect(try Self.names(open(other.url)) == ["a"])
  }

  // MARK: Failures

  @Test func `a commit whose answer is lost on the pool's way is found`() throws {
    let proxy = try ServerProxy(to: server.url)
    defer { proxy.close() }
    let host = try #require(proxy.url(server.url).firstMatch(of: /host=([^&]*)/)).output.1
    chmod(String(host), 0o755)
    chmod(String(host) + "/.s.PGSQL.5432", 0o777)
    let pooler = try Pooler(of: server, mode: "transaction", size: 2, host: String(host))
    let store = try open(pooler.url)
    try store.save([Car.graph("first")])
    for number in 1...3 {
      // The server says that it has committed, and nobody hears it.
      proxy.meet(.cutBefore) { $0.direction == .toClient && $0.contains("COMMIT") }
      try store.save([Car.graph("stored \(number)")])
      #expect(proxy.counts.cuts == 1)
      proxy.meet(.cutBefore) { $0.runs("COMMIT") }
      let error = #expect(throws: NacreError.self) {
        try store.save([Car.graph("lost \(number)")])
      }
      #expect(error?.code == .connectionLost, "\(String(describing: error))")
      var tries = 0
      proxy.meet(.cutBefore) { $0.runs("COMMIT") }
      try store.write(retries: 2) { _ in
        tries += 1
        try Car.graph("again \(number)").save()
      }
      #expect(tries == 2)
    }
    let expected = (1...3).flatMap { ["again \($0)", "stored \($0)"] } + ["first"]
    #expect(try Self.names(store) == expected.sorted())
  }

  @Test func `the statement of a cancelled task ends, and only that`() async throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 2)
    let store = try open(pooler.url)
    try await store.save([Car.graph("first")])
    let isAsleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    for _ in 0..<5 {
      let task = Task {
        try await OwnActor().run { _ in
          try await store.write { database in
            try Car.graph("new").save()
            _ = try database.first("SELECT 1 FROM pg_sleep(240)")
          }
        }
      }
      while try server.execute(isAsleep) == "0\n" { try await Task.sleep(for: .milliseconds(1)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try server.execute(isAsleep) == "0\n")
      #expect(try Self.names(store) == ["first"])
    }
    try await store.save([Car.graph("next")])
    #expect(try Self.names(store) == ["first", "next"])
  }
}
#endif
