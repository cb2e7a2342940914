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

/// A rotation that begins while somebody writes who has read the ring before.
@Suite struct RotationRaceTests {
  private static func save(_ name: String) throws {
    let car = Car.create()
    (car.name, car.vin) = (name, "VIN \(name)")
    try car.save()
  }

  /// Waits until a session waits for a lock on a table of the schema, at most half a minute.
  private func waitForWaiter(_ raw: PostgresConnection) throws {
    let waiters = """
      SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
      WHERE NOT l.granted AND c.relnamespace = current_schema()::regnamespace
      """
    let deadline = ContinuousClock.now + .seconds(30)
    while try raw.values(waiters) == [.integer(0)] {
      try #require(ContinuousClock.now < deadline, "the rotation did not wait for the writer")
      usleep(10_000)
    }
  }

  private static let levels = [
    "read uncommitted", "read committed", "repeatable read", "serializable",
  ]

  /// Returns the URL of a new schema, whose sessions have a level of isolation by default.
  private func newSchema(at level: String) throws -> String {
    try TestPlace.newSchema() + "%20-cdefault_transaction_isolation%3D"
      + level.replacing(" ", with: "%5C%20")
  }

  @Test(arguments: levels)
  func `a transaction of a store sees one state, whatever the default isolation`(level: String)
    throws
  {
    let url = try newSchema(at: level)
    try Store.open(url).close()
    for role in [ConnectionRole.writer, .reader] {
      let connection = try TestServer.connect(to: url, as: role)
      #expect(try connection.values("SHOW default_transaction_isolation") == [.text(level)])
      // In the first and in a later one, which begin by different statements.
      for kind in [TransactionKind.deferred, .immediate, .immediate] {
        try connection.begin(kind)
        #expect(try connection.values("SHOW transaction_isolation") == [.text("repeatable read")])
        try connection.rollback()
      }
    }
  }

  @Test(arguments: levels)
  func `a writer that knows the old key alone leaves no row under it`(level: String) throws {
    let directory = try TemporaryDirectory()
    let url = try newSchema(at: level)
    let raw = try TestServer.connect(to: url)
    let unlock = Unlock.keyFile(directory.file("store.key"), createIfMissing: true)
    let writer = try Store.open(url, unlock: unlock, options: .patient)
    let rotator = try Store.open(url, unlock: unlock, options: .patient)
    defer {
      try? writer.close()
      try? rotator.close()
    }
    try writer.write { _ in try Self.save("before") }
    let (hasSaved, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let writing = OwnThread {
      try writer.write { _ in
        try Self.save("meanwhile")
        hasSaved.signal()
        guard goOn.wait(timeout: .now() + 60) == .success else { throw CocoaError(.userCancelled) }
        try Self.save("later")
      }
    }
    try #require(hasSaved.wait(timeout: .now() + 60) == .success)
    let rotating = OwnThread { try rotator.rotate(.patient).outcome }
    try waitForWaiter(raw)
    goOn.signal()
    try writing.value()
    #expect(try rotating.value() == .finished)
    let keys = try raw.values(
      "SELECT encode(substr(\"vin\", 2, 4), 'hex') FROM \"Car\" GROUP BY 1"
    )
    let primary = try raw.values(
      "SELECT lpad(to_hex(\"id\"), 8, '0') FROM \"nacre_key\" WHERE \"purpose\" = 1 AND \"state\" = 2"
    )
    #expect(keys == primary && keys.count == 1)
    #expect(try rotator.read { _ in try Car.count() } == 3)
    #expect(try rotator.verify().isSound)
  }
}
#endif
