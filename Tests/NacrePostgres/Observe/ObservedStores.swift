#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A store on a server that is observed, and others of the same schema that change it.
///
/// It looks by itself only every 500 seconds, so whoever is told before that was told by a notice. The functions are not
/// async, because the store's own would otherwise be, too.
struct ObservedStores {
  let url: String
  let store: Store

  init(
    _ url: String? = nil,
    through proxy: ServerProxy? = nil,
    interval: Double = 10
  ) throws {
    self.url = try url ?? TestPlace.newSchema()
    store = try Self.open(proxy?.url(self.url) ?? self.url, interval: interval)
  }

  static func open(_ url: String, interval: Double = 10) throws -> Store {
    try Store.open(url, unlock: Scene.unlock, options: options(interval: interval))
  }

  static func options(interval: Double) -> StoreOptions {
    var options = StoreOptions.patient
    options.observationInterval = interval
    options.entities = [Wheel.self, Vault.self]
    return options
  }

  /// Opens the same store as another process would.
  func another() throws -> Store { try Self.open(url) }

  static func close(_ stores: Store...) { for store in stores { try? store.close() } }

  static func write(in store: Store, _ body: () throws -> Void) throws {
    try store.write { (_) throws in try body() }
  }

  /// Runs something, and expects its outcome in less time than a store takes to look by itself.
  static func soon<T>(
    within limit: Duration = .seconds(240),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> T
  ) async rethrows -> T {
    let start = ContinuousClock.now
    let result = try await body()
    let time = ContinuousClock.now - start
    #expect(time < limit, "it took \(time)", sourceLocation: sourceLocation)
    return result
  }

  /// Saves a new wheel in one of the stores, and returns its objectID.
  @discardableResult
  static func save(in store: Store, size: Int = 1) throws -> UUID {
    let wheel = Wheel.create()
    wheel.size = size
    try store.save([wheel])
    return wheel.objectID
  }

  // MARK: What the server knows

  /// A session that listens to the store's channel.
  func listener() throws -> PostgresConnection {
    let connection = try TestServer.connect(to: url)
    let channel = try #require(connection.session.channel)
    try connection.execute(channel.listen)
    return connection
  }

  /// Tells the listeners something.
  func tell(_ payload: String) throws {
    let connection = try TestServer.connect(to: url)
    let channel = try #require(connection.session.channel)
    try connection.run("SELECT pg_notify(?1, ?2)", [.text(channel.name), .text(payload)])
  }

  /// Returns the processes of the server whose sessions listen to the store's channel.
  func listeners() throws -> [Int32] {
    let connection = try TestServer.connect(to: url)
    let schema = try #require(connection.session.channel?.schema)
    return try connection.values(
      """
      SELECT "pid"::bigint FROM pg_locks WHERE "locktype" = 'advisory' AND "mode" = 'ShareLock' \
      AND "classid" = 1851876210 AND "objid"::bigint = \(schema) AND "granted"
      """
    ).compactMap { if case .integer(let number) = $0 { Int32(number) } else { nil } }
  }

  /// Waits until as many sessions listen, at most half a minute.
  func waitForListeners(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      let found = try listeners().count
      if found == count { return }
      try #require(
        ContinuousClock.now < deadline,
        "\(found) sessions listen, and not \(count)",
        sourceLocation: sourceLocation
      )
      usleep(5000)
    }
  }
}

extension PostgresConnection {
  /// Returns the payloads of the notices before one that says `end`, at most after half a minute.
  func notices(until end: String) throws -> [String] {
    var notices: [String] = []
    let deadline = ContinuousClock.now + .seconds(30)
    while !notices.contains(end) {
      try #require(ContinuousClock.now < deadline, "the notice never came")
      _ = try values("SELECT 1::bigint")
      notices += session.takeNotices()
    }
    return notices.filter { $0 != end }
  }
}
#endif
