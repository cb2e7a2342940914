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

/// The trace of writes that are sent ahead, whose answers come later.
@Suite struct TraceTests {
  /// What a trace has told of inserts into the wheels' table.
  private final class Inserts: Sendable {
    private let events = Mutex<[TraceEvent]>([])
    /// Is signalled at each end.
    let ends = Mutex<DispatchSemaphore?>(nil)

    func note(_ event: TraceEvent) {
      let (sql, isEnd) =
        switch event {
        case .statement(let sql): (sql, false)
        case .profile(let sql, _): (sql, true)
        }
      guard sql.contains("INSERT INTO \"Wheel\"") else { return }
      events.withLock { $0.append(event) }
      if isEnd { ends.withLock { _ = $0?.signal() } }
    }

    /// Returns the number of beginnings, and the durations in nanoseconds, since the last call.
    func take() -> (begun: Int, durations: [Int64]) {
      let events = events.withLock { events in
        defer { events = [] }
        return events
      }
      let durations = events.compactMap { event -> Int64? in
        if case .profile(_, let nanoseconds) = event { nanoseconds } else { nil }
      }
      return (events.count - durations.count, durations)
    }
  }

  private let inserts = Inserts()
  private let url: String
  private let store: Store

  init() throws {
    url = try TestPlace.newSchema()
    var options = StoreOptions.patient
    options.trace = { [inserts] in inserts.note($0) }
    store = try Store.open(url, options: options)
    // Makes the table.
    try store.save([Wheel.create()])
    _ = inserts.take()
  }

  @Test func `rows that one statement writes are each begun, and end together`() throws {
    try store.save((0..<50).map { _ in Wheel.create() })
    let many = inserts.take()
    #expect(many.begun == 50)
    #expect((1..<50).contains(many.durations.count))
    #expect(many.durations.allSatisfy { $0 > 0 })
    try store.save([Wheel.create()])
    let one = inserts.take()
    #expect(one.begun == 1 && one.durations.count == 1)
  }

  @Test func `the end of a row is told when the server has written it, not with the last one`()
    throws
  {
    let raw = try TestServer.connect(to: url)
    // With a trigger, each row is a statement of its own; the second one waits until the first one's end was told.
    try raw.execute(
      """
      CREATE FUNCTION "wait"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN PERFORM pg_advisory_xact_lock(NEW."size"); RETURN NEW; END $$; \
      CREATE TRIGGER "wait" BEFORE INSERT ON "Wheel" FOR EACH ROW EXECUTE FUNCTION "wait"()
      """
    )
    let key = Int.random(in: 1...1_000_000_000)
    let (isLocked, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    inserts.ends.withLock { $0 = end }
    let opener = OwnThread { [url] in
      let other = try TestServer.connect(to: url, as: .reader)
      try other.transaction(.deferred) {
        _ = try other.values("SELECT 1 FROM pg_advisory_xact_lock(\(key))")
        isLocked.signal()
        #expect(end.wait(timeout: .now() + 240) == .success)
      }
    }
    #expect(isLocked.wait(timeout: .now() + 240) == .success)
    try store.save(
      [0, key].map { size in
        let wheel = Wheel.create()
        wheel.size = size
        return wheel
      }
    )
    try opener.value()
    let (begun, durations) = inserts.take()
    #expect(begun == 2 && durations.count == 2)
  }
}
#endif
