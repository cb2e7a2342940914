#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Synchronization
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Tasks that are cancelled while a server runs a statement for them.
@Suite struct CancelTests {
  /// A call that a task waits for.
  enum Call: CaseIterable {
    case read, write, writeInBackground, fetch, cursor
  }

  private let url: String
  /// The name of the store's sessions.
  private let name = "nacre-" + UUID().uuidString
  private let store: Store
  /// Marks the statements of this test among those of the server.
  private let mark = Int.random(in: 1_000_000...9_999_999)

  init() throws {
    url = try TestPlace.newSchema() + "&application_name=" + name
    store = try Store.open(url, options: .patient)
    try store.write { _ in try Self.car("first").save() }
  }

  private static func car(_ name: String) -> Car {
    let car = Car.create()
    car.name = name
    return car
  }

  private func run(_ call: Call, on actor: isolated OwnActor) async throws {
    let sleep = "SELECT \(mark) FROM pg_sleep(240)"
    let work = { @Sendable (database: Database) in
      try Self.car("new").save()
      _ = try database.first(sleep)
    }
    let slow = Car.where("name = ? AND \(mark) > 0 AND pg_sleep(240) IS NULL", "first").in(store)
    switch call {
    case .read: try await store.read { _ = try $0.first(sleep) }
    case .write: try await store.write { try work($0) }
    case .writeInBackground: try await store.writeInBackground { try work($0) }
    case .fetch: _ = try await slow.fetchAll()
    case .cursor: for try await _ in try await slow.cursor() {}
    }
  }

  /// The number of this test's statements that the server runs; the text of a cursor's is FETCH.
  private func sleeping(_ connection: PostgresConnection) throws -> Int {
    try connection.values(
      """
      SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND application_name = '\(name)' \
      AND pid <> pg_backend_pid()
      """
    ).count
  }

  @Test(.timeLimit(.minutes(15)), arguments: Call.allCases)
  func `the statement of a cancelled task ends on the server`(call: Call) async throws {
    let connection = try TestServer.connect(to: url)
    let task = Task { try await OwnActor().run { try await run(call, on: $0) } }
    while try sleeping(connection) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let begun = ContinuousClock.now
    task.cancel()
    let error = await #expect(throws: (any Error).self) { try await task.value }
    #expect(error is CancellationError, "\(String(describing: error))")
    #expect(ContinuousClock.now - begun < .seconds(60))
    #expect(try sleeping(connection) == 0)
    // Nothing is stored, and the connections are as good as new.
    #expect(try await store.read { _ in try Car.count() } == 1)
    try await store.write { _ in try Self.car("next").save() }
    #expect(try await store.read { _ in try Car.count() } == 2)
  }

  @Test(.timeLimit(.minutes(15)))
  func `no statement begins for a cancelled task, and nothing is committed`() async throws {
    let begun = DispatchSemaphore(value: 0)
    let task = Task { [store] in
      try await store.writeInBackground { database in
        try Self.car("new").save()
        begun.signal()
        // The closure goes on after the error, and tries to commit.
        while (try? database.first("SELECT 1")) != nil {}
        #expect(database.connection.isInTransaction)
      }
    }
    try await Store.onThread { #expect(begun.wait(timeout: .now() + 600) == .success) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.read { _ in try Car.count() } == 1)
  }

  @Test(.timeLimit(.minutes(15)))
  func `the connection's next user is not stopped`() async throws {
    for _ in 0..<40 {
      let task = Task {
        try await store.read { _ = try $0.first("SELECT \(mark) FROM pg_sleep(0.01)") }
      }
      try await Task.sleep(for: .milliseconds(.random(in: 0...12)))
      task.cancel()
      _ = await task.result
      _ = try await store.read { try $0.first("SELECT 1 FROM pg_sleep(0.01)") }
    }
  }

  @Test(.timeLimit(.minutes(15)))
  func `a cursor that is cancelled after its last row leaves its connection to others`()
    async throws
  {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    var options = StoreOptions.patient
    (options.readerLimit, options.maximumReaderCount) = (1, 1)
    let store = try await Store.open(proxy.url(url), options: options)
    let task = Mutex<Task<Void, any Error>?>(nil)
    // The reader is given back by a rollback, and just then the task is cancelled.
    proxy.meet(
      .changed { message in
        task.withLock { $0?.cancel() }
        return Array(message.bytes)
      }
    ) { $0.runs("ROLLBACK") }
    let (started, go) = AsyncStream.makeStream(of: Void.self)
    let reading = Task {
      for await _ in started { break }
      for try await _ in try await Car.all.in(store).cursor() {}
    }
    task.withLock { $0 = reading }
    go.yield()
    _ = await reading.result
    #expect(proxy.counts.changed.count == 1)
    try await Store.onThread { () throws in
      for _ in 0..<1_000 { #expect(try Car.all.in(store).count() == 1) }
    }
    try await store.close()
  }

  // MARK: Requests that nobody takes

  /// A proxy that takes requests to cancel, and never ends their connections.
  private static func deafProxy() throws -> ServerProxy {
    let proxy = try ServerProxy()
    proxy.meet(.held, times: .max) { $0.isCancelRequest }
    return proxy
  }

  /// Ends the sessions of statements that nobody waits for any more.
  private func endSleepers(_ connection: PostgresConnection) throws {
    let ended = """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%\(mark)%' \
      AND wait_event = 'PgSleep' AND pid <> pg_backend_pid()
      """
    while try !connection.values(ended).isEmpty { usleep(1000) }
  }

  @Test(.timeLimit(.minutes(15)), arguments: [Call.read, .writeInBackground])
  func `a server that never takes the request holds nobody up`(call: Call) async throws {
    let proxy = try Self.deafProxy()
    defer { proxy.close() }
    var options = StoreOptions.patient
    options.postgres.connectTimeout = 5
    let deaf = try await Store.open(proxy.url(url), options: options)
    let connection = try TestServer.connect(to: url)
    let sleep = "SELECT \(mark) FROM pg_sleep(240)"
    let task = Task {
      try await OwnActor().run { _ in
        if call == .read { return try await deaf.read { _ = try $0.first(sleep) } }
        try await deaf.writeInBackground { database in
          try Self.car("new").save()
          _ = try database.first(sleep)
        }
      }
    }
    while try sleeping(connection) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let begun = ContinuousClock.now
    task.cancel()
    let error = await #expect(throws: (any Error).self) { try await task.value }
    #expect(error is CancellationError, "\(String(describing: error))")
    #expect(ContinuousClock.now - begun < .seconds(200))
    #expect(proxy.counts.cuts > 0)
    // The server does not know that nobody waits.
    try endSleepers(connection)
    #expect(try await deaf.read { _ in try Car.count() } == 1)
    try await deaf.write { _ in try Self.car("next").save() }
    #expect(try await deaf.read { _ in try Car.count() } == 2)
    try await deaf.close()
  }

  @Test func `a rollback waits for a request no longer than for a connection`() throws {
    struct Stop: Error {}
    let proxy = try Self.deafProxy()
    defer { proxy.close() }
    let work = OwnThread { [url] in
      var settings = PostgresSettings()
      (settings.busyTimeout, settings.connectTimeout) = (60, 5)
      let connection = try TestServer.connect(to: proxy.url(url), as: .writer, settings)
      #expect(throws: Stop.self) {
        try connection.transaction(.immediate) {
          let rows: PostgresStatement = try connection.prepare(
            "SELECT generate_series(1, 1000000000)"
          )
          #expect(try rows.step())
          throw Stop()
        }
      }
      #expect(proxy.counts.cuts == 1)
      #expect(
        try connection.transaction(.immediate) { try connection.values("SELECT 1") } == [
          .integer(1)
        ]
      )
    }
    try work.value()
  }
}
#endif
