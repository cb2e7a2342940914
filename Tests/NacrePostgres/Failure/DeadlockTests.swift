#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A store and two other clients of the server of which each waits for the next.
@Suite struct DeadlockTests {
  /// A client that knows nothing of stores, and waits for others as long as it takes.
  private final class Client: @unchecked Sendable {
    // One thread uses it at a time: the test's until `update` was called, and its own one from then on.
    private let connection: PostgresConnection
    let process: Int64

    init(_ url: String) throws {
      var settings = PostgresSettings()
      settings.busyTimeout = 600
      connection = try TestServer.connect(to: url, as: .writer, settings)
      process = try connection.processNumber
      // The server ends the transaction of whoever notices the deadlock.
      try connection.execute("SET deadlock_timeout = '10min'")
    }

    /// Begins a transaction that has a car's row.
    func begin(with car: String) throws {
      try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
      try lock(car)
    }

    private func lock(_ car: String) throws {
      try connection.execute("SELECT 1 FROM \"Car\" WHERE \"name\" = '\(car)' FOR UPDATE")
    }

    /// Waits for a car's row, and gives all rows back when it has got it.
    func lockLater(_ car: String) -> OwnThread<Void> {
      OwnThread { [self] in
        try lock(car)
        try connection.execute("ROLLBACK")
      }
    }
  }

  private let opened: EngineStore
  private var store: Store { opened.store }

  init() throws { opened = try TestEngine.postgres.makeStore() }

  /// Waits until other sessions wait for locks.
  private func waitUntilWaiting(_ clients: [Client]) throws {
    let watch = try TestServer.connect(to: TestPlace.asSuperuser(opened.path))
    let numbers = clients.map { "\($0.process)" }.joined(separator: ", ")
    let waiting = """
      SELECT count(*) FROM pg_stat_activity WHERE pid IN (\(numbers)) AND wait_event_type = 'Lock'
      """
    let deadline = ContinuousClock.now + .seconds(240)
    while try watch.values(waiting) != [.integer(Int64(clients.count))] {
      try #require(ContinuousClock.now < deadline, "the clients did not wait")
      usleep(1000)
    }
  }

  @Test(.timeLimit(.minutes(15)), arguments: [false, true])
  func `a deadlock is told by its name, undoes all, and a closure runs again`(hasRetries: Bool)
    throws
  {
    let cars = ["a", "b", "c"].map { Car.graph($0) }
    try store.save(cars)
    for car in cars { car.vin = "new" }
    let states = WholeSession.states(of: cars)
    let superuser = TestPlace.asSuperuser(opened.path)
    let clients = try [Client(superuser), Client(superuser)]
    var (runs, threads) = (0, [OwnThread<Void>]())
    let body = { (_: Database) throws in
      runs += 1
      #expect(WholeSession.states(of: cars) == states)
      // Before the other two have been woken, it would take `c` from under them, and wait for them again.
      for thread in threads { try thread.value() }
      threads = []
      try cars[2].save()
      if runs == 1 {
        // The first has `a` and waits for the second, which has `b` and waits for this transaction.
        for (client, car) in zip(clients, ["a", "b"]) { try client.begin(with: car) }
        threads = zip(clients, ["b", "c"]).map { $0.lockLater($1) }
        try waitUntilWaiting(clients)
      }
      try store.save(cars)
    }
    if hasRetries {
      try store.write(retries: 3) { try body($0) }
      #expect(runs == 2)
    } else {
      let error = #expect(throws: NacreError.self) { try store.write { try body($0) } }
      #expect(error?.code == .deadlock, "\(String(describing: error))")
      #expect(WholeSession.states(of: cars) == states)
      let other = try opened.another()
      let vins = try other.read { (_) throws in try Car.fetchAll().map(\.vin) }
      #expect(Set(vins) == ["VIN a", "VIN b", "VIN c"])
      try other.close()
      try store.write { try body($0) }
    }
    #expect(cars.allSatisfy { !$0.hasChanges })
    let vins = try store.read { (_) throws in try Car.fetchAll().map(\.vin) }
    #expect(vins == ["new", "new", "new"])
  }
}
#endif
