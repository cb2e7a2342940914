#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A commit whose answer is lost while a standby takes over.
@Suite struct StandbyTests {
  private let primary: Cluster
  private let standby: Cluster

  init() throws {
    primary = try Cluster(access: "local all all trust\nlocal replication all trust")
    standby = try Cluster(standbyOf: primary)
  }

  private static func car(_ name: String) -> Car {
    let car = Car.create()
    car.name = name
    return car
  }

  private func names(_ store: Store) throws -> [String] {
    try store.read { _ in try Car.all.ordered(by: "name").fetchAll().map(\.name) }
  }

  @Test(arguments: [false, true])
  func `the server decides that has taken over`(isCopied: Bool) throws {
    let direct = try Store.open(primary.url)
    try direct.write { _ in try Self.car("first").save() }
    let count = "SELECT count(*) FROM \"Car\""
    try standby.wait(for: "1", from: count)
    let proxy = try ServerProxy(to: primary.url)
    defer { proxy.close() }
    var options = StoreOptions.patient
    options.postgres.connectTimeout = 60
    // The primary through the proxy, or the standby: whichever can be written.
    let both = proxy.url(primary.url).replacingOccurrences(
      of: "&port",
      with: ",\(standby.directory)&target_session_attrs=read-write&port"
    )
    let store = try Store.open(both, options: options)
    #expect(try names(store) == ["first"])
    if !isCopied {
      try standby.execute("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
      try standby.wait(for: "0", from: "SELECT count(*) FROM pg_stat_wal_receiver")
    }
    let car = Self.car("A")
    proxy.meet(.cutOff) { $0.completes("COMMIT") }
    let url = standby.url
    let change = OwnThread {
      while proxy.counts.cuts == 0 { usleep(100) }
      let connection = try TestServer.connect(to: url, as: .inspector)
      while isCopied, try connection.values(count) != [.integer(2)] { usleep(1000) }
      try connection.execute("SELECT pg_promote()")
    }
    let error = Result { try store.write { _ in try car.save() } }.code
    #expect(error == (isCopied ? nil : .connectionLost))
    #expect(car.hasChanges == !isCopied)
    try change.value()
    // The connection that reads was lost, too, and nobody notices.
    #expect(try names(store) == (isCopied ? ["A", "first"] : ["first"]))
    // The former primary has it in both cases, but nobody asks it any more.
    #expect(try names(direct) == ["A", "first"])
    try store.close()
    try direct.close()
  }
}

extension Result where Failure == any Error {
  /// The code of the error; nil for a success.
  fileprivate var code: NacreError.Code? {
    guard case .failure(let error) = self else { return nil }
    return (error as? NacreError)?.code ?? .database
  }
}
#endif
