@testable import NacreCore
import NacreSQLite
import Synchronization
import Testing
@testable import TestSupport

/// When a cursor gives its reader back.
@Suite struct CursorReaderTests {
  @Test func `a cursor releases its source before it gives the reader back`() throws {
    let events = Events()
    let scene = try Scene()
    try scene.open().close()
    let store = try scene.open { options in
      options.trace = { event in
        if case .statement(let sql) = event, sql.hasPrefix("ROLLBACK") { events.note("given back") }
      }
    }
    let reader = try BatchReader<Int64, Source>(store) { database in
      (try database.connection.prepare("SELECT 1"), Source(events))
    } making: { _, statement, _, _ in
      try statement.step() ? [statement.int64(at: 0)] : []
    }
    #expect(try reader.next() == 1)
    reader.close()
    #expect(events.all == ["released", "given back"])
    #expect(try reader.next() == nil)
  }

  /// What goes with a statement.
  private final class Source {
    private let events: Events

    init(_ events: Events) { self.events = events }

    deinit { events.note("released") }
  }

  /// What happened, in order.
  private final class Events: Sendable {
    private let noted = Mutex<[String]>([])

    var all: [String] { noted.withLock { $0 } }

    func note(_ event: String) { noted.withLock { $0.append(event) } }
  }
}
