import Foundation
import Logging
import NacreCore
import Synchronization
import Testing
@testable import TestSupport

/// Keeps what is logged.
private final class Entries: Sendable {
  struct Entry {
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata
  }

  let all = Mutex<[Entry]>([])

  var texts: [String] { all.withLock { $0.map(\.message) } }

  func logger(_ level: Logger.Level = .trace) -> Logger {
    Logger(label: "test") { _ in Handler(entries: self, logLevel: level) }
  }

  struct Handler: LogHandler {
    let entries: Entries
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let entry = Entry(
        level: event.level,
        message: "\(event.message)",
        metadata: event.metadata ?? [:]
      )
      entries.all.withLock { $0.append(entry) }
    }
  }
}

@Suite struct StatementLogTests {
  @Test func `the log is switched on and off while the store is open`() throws {
    let entries = Entries()
    let test = try TestStore(isSealed: false)
    let node = Node.create()
    try test.store.write { _ in try node.save() }
    #expect(entries.texts == [])
    test.store.log = StatementLog(entries.logger())
    #expect(try test.store.read { _ in try Node.count() } == 1)
    #expect(entries.texts.contains { $0.hasPrefix("SELECT count(*) FROM \"Node\"") })
    test.store.log = nil
    let count = entries.texts.count
    #expect(try test.store.read { _ in try Node.count() } == 1)
    #expect(entries.texts.count == count)
  }

  @Test func `arguments show only when asked for, and sealed ones never`() throws {
    let entries = Entries()
    let test = try TestStore { $0.log = StatementLog(entries.logger(.debug)) }
    let safe = Safe.create()
    safe.secret = Marker.text
    let badge = Badge.create()
    try test.store.write { database in
      try safe.save()
      try database.execute("CREATE TABLE t (a, b)")
      try database.execute("INSERT INTO t VALUES (?, ?)", "it's x'00' plain", Data([1, 2, 3]))
    }
    #expect(!entries.texts.contains { $0.contains("plain") })
    var log = try #require(test.store.log)
    log.showsArguments = true
    test.store.log = log
    try test.store.write { database in
      try safe.save()
      safe.secret = Marker.text + "!"
      try safe.save()
      try database.execute("INSERT INTO t VALUES (?, ?)", "it's x'00' plain", Data([1, 2, 3]))
    }
    let texts = entries.texts.joined(separator: "\n")
    #expect(texts.contains("VALUES ('it''s x''00'' plain', ‹3 bytes›)"))
    #expect(texts.contains("\"secret\" = ‹sealed› WHERE \"objectID\" = \(safe.objectID)"))
    Marker.expectAbsent(texts)
    withExtendedLifetime(badge) {}
  }

  @Test func `a slow statement is a warning with its plan`() throws {
    let entries = Entries()
    let test = try TestStore(isSealed: false)
    try test.store.write { _ in try Node.create().save() }
    var log = StatementLog(entries.logger(), level: nil)
    log.slowThreshold = 0
    test.store.log = log
    #expect(try test.store.read { _ in try Node.count(where: "label > ?", 5) } == 0)
    let entry = try #require(
      entries.all.withLock { $0.first { $0.message.contains("count(*)") } }
    )
    #expect(entry.level == .warning)
    #expect(entry.message.hasPrefix("slow: SELECT"))
    #expect("\(entry.metadata)".contains("SCAN Node"))
    #expect(entry.metadata["milliseconds"] != nil)
    #expect(try test.store.read { _ in try Trinket.count(where: "decimal > ?", Decimal(5)) } == 0)
    let ofDecimals = try #require(
      entries.all.withLock { $0.first { $0.message.contains("count(*) FROM \"Trinket\"") } }
    )
    #expect("\(ofDecimals.metadata)".contains("SCAN Trinket"))
    log.slowThreshold = 3_600
    test.store.log = log
    let count = entries.texts.count
    #expect(try test.store.read { _ in try Node.count(where: "label > ?", 5) } == 0)
    #expect(entries.texts.count == count)
  }
}
