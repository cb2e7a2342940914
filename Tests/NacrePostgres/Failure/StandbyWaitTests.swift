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

/// Commits that wait for a standby which never comes, and whose wait somebody cancels.
@Suite struct StandbyWaitTests {
  private let server: Cluster

  init() throws {
    server = try Cluster("synchronous_standby_names = 'nobody'")
    // What prepares a test does not wait.
    try server.execute(
      "SET synchronous_commit = local",
      "ALTER ROLE \"nacre\" SET synchronous_commit = local"
    )
  }

  private static func car(_ name: String) -> Car {
    let car = Car.create()
    car.name = name
    return car
  }

  /// Opens a store with one car, whose writers wait for a standby from now on.
  private func makeStore(timeout: Double) throws -> Store {
    var options = StoreOptions()
    (options.busyTimeout, options.postgres.connectTimeout) = (timeout, timeout)
    let store = try Store.open(server.url, options: options)
    try store.write { _ in try Self.car("first").save() }
    try server.execute("ALTER ROLE \"nacre\" RESET synchronous_commit")
    // Its session has the role's former setting. Nothing silences the server.
    try store.write {
      try $0.execute("SET synchronous_commit = on; SET client_min_messages = error")
    }
    return store
  }

  private static let isWaiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

  /// Returns the process that waits for a standby, once there is one other than some.
  private static func waiter(
    on connection: PostgresConnection,
    except others: [Value] = []
  ) throws -> Value {
    while true {
      if let found = try connection.values(isWaiting).first(where: { !others.contains($0) }) {
        return found
      }
      usleep(1000)
    }
  }

  /// Cancels the wait of a process other than some, and returns its number.
  private static func cancelWait(
    on connection: PostgresConnection,
    except others: [Value] = []
  ) throws -> Value {
    let process = try waiter(on: connection, except: others)
    _ = try connection.values("SELECT pg_cancel_backend(?1::bigint::int)", [process])
    return process
  }

  /// Lets commits wait for nobody any more.
  private static func wantNoStandby(_ connection: PostgresConnection) throws {
    // The connection takes ALTER for a change of tables, which it commits.
    try connection.execute("SET synchronous_commit = local")
    try connection.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
    try connection.execute("SELECT pg_reload_conf()")
  }

  // MARK: Cancelled by others

  @Test func `a commit whose wait is cancelled is no success`() throws {
    let store = try makeStore(timeout: 5)
    let other = OwnThread { [url = server.url] in
      _ = try Self.cancelWait(on: TestServer.connect(to: url))
    }
    let car = Self.car("A")
    let error = #expect(throws: NacreError.self) { try store.write { _ in try car.save() } }
    #expect(error?.code == .commitUnknown)
    #expect(car.hasChanges && !car.isStored)
    try other.value()
    let connection = try TestServer.connect(to: server.url)
    try Self.wantNoStandby(connection)
    while try !connection.values(Self.isWaiting).isEmpty { usleep(1000) }
    try store.write { _ in try Self.car("B").save() }
    try store.close()
  }

  @Test func `it is one as soon as the server waits no longer`() throws {
    let store = try makeStore(timeout: 60)
    let other = OwnThread { [url = server.url] in
      let connection = try TestServer.connect(to: url)
      let first = try Self.cancelWait(on: connection)
      // The session that looks for the transaction waits as well, and so does the next one.
      let second = try Self.cancelWait(on: connection, except: [first])
      _ = try Self.waiter(on: connection, except: [first, second])
      try Self.wantNoStandby(connection)
    }
    let car = Self.car("A")
    try store.write { _ in try car.save() }
    try other.value()
    #expect(!car.hasChanges && car.isStored)
    #expect(try store.read { _ in try Car.count() } == 2)
    try store.close()
  }

  // MARK: Cancelled by the client

  /// Hands something from one thread to another.
  private final class Box: Sendable {
    let stopper = Mutex<(any StatementStopper)?>(nil)
  }

  @Test func `the store's own stop does not reach a commit that waits`() throws {
    let proxy = try ServerProxy(to: server.url)
    defer { proxy.close() }
    let connection = try TestServer.connect(to: server.url)
    try makeStore(timeout: 60).close()
    try connection.execute("CREATE TABLE \"t\" (\"a\" bigint)")
    let box = Box()
    proxy.meet(.cutBefore) { $0.isCancelRequest }
    let work = OwnThread { [url = server.url] in
      let own = try TestServer.connect(to: proxy.url(url))
      box.stopper.withLock { $0 = own.stopper }
      try own.transaction(.immediate) {
        try own.run("INSERT INTO \"t\" VALUES (?1)", [.integer(1)])
      }
    }
    _ = try Self.waiter(on: connection)
    let stopper = try #require(box.stopper.withLock { $0 })
    stopper.stop()
    // By the end of this, a request would have been sent.
    stopper.release()
    #expect(proxy.counts.cuts == 0)
    try Self.wantNoStandby(connection)
    try work.value()
    #expect(try connection.values("SELECT \"a\" FROM \"t\"") == [.integer(1)])
  }
}
#endif
