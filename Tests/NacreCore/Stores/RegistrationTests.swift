import NacreCore
import Synchronization
import Testing
@testable import TestSupport

/// When an entity is compared with the catalog: once a state of the file, and not at every connection.
@Suite struct RegistrationTests {
  private final class Lookups: Sendable {
    private let count = Mutex(0)

    func note(_ event: TraceEvent) {
      guard case .statement(let sql) = event, sql.contains("nacre_property") else { return }
      count.withLock { $0 += 1 }
    }

    /// How many statements looked at the properties of the catalog.
    func during(_ body: () throws -> Void) rethrows -> Int {
      count.withLock { $0 = 0 }
      try body()
      return count.withLock { $0 }
    }
  }

  private func reopened(
    _ lookups: Lookups,
    _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws -> TestStore {
    let former = try TestStore(isSealed: false)
    let node = Node.create()
    node.use(former.store)
    try node.save()
    try former.store.close()
    return try TestStore(in: former.directory, isSealed: false) { options in
      options.trace = { lookups.note($0) }
      change(&options)
    }
  }

  @Test func `the second fetch on a fresh connection compares nothing`() throws {
    let lookups = Lookups()
    let test = try reopened(lookups)
    func fetch() throws { #expect(try test.store.read { _ in try Node.count() } == 1) }
    #expect(try lookups.during(fetch) == 1)
    #expect(try lookups.during(fetch) == 0)
  }

  @Test func `a connection after the first compares nothing`() throws {
    let lookups = Lookups()
    let test = try reopened(lookups)
    _ = try test.store.read { _ in try Node.count() }
    let onWriter = try lookups.during {
      for _ in 0..<2 { try test.store.write { _ in _ = try Node.count() } }
    }
    #expect(onWriter == 0)
  }

  @Test func `an entity that was compared at opening is not compared again`() throws {
    let lookups = Lookups()
    let test = try reopened(lookups) { $0.entities = [Node.self] }
    let later = try lookups.during {
      for _ in 0..<2 { _ = try test.store.read { _ in try Node.count() } }
      _ = try test.store.changes(of: Node.self)
    }
    #expect(later == 0)
  }

  @Test func `a read that makes the tables goes on in a state that has them`() throws {
    let test = try TestStore(isSealed: false)
    let counts = try test.store.read { database in
      _ = try database.query("SELECT count(*) FROM nacre_store")
      return [try Node.count(), try Node.count()]
    }
    #expect(counts == [0, 0])
  }
}
