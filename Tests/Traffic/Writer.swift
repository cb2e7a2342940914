import Foundation
import NacreCore

/// Inserts, updates and deletes objects in small transactions, one after another.
final class Writer {
  private struct Counts: Encodable {
    let commits: Int
    /// The longest time from asking for a transaction to its commit since this was last asked for.
    let longestCommitMilliseconds: Double
  }

  private let store: Store
  private let log: CommitLog
  private let pause: Int
  private var generator: SeededGenerator
  private var identities: [UUID] = []
  private let commits = Counter()
  private let longestMicroseconds = Counter()

  init(_ invocation: Invocation) throws {
    store = try invocation.open()
    log = try CommitLog(path: invocation.values("--log").first)
    pause = try invocation.number("--pause-us", default: 0)
    generator = try invocation.generator()
  }

  func run() throws {
    let rows = try store.read { try $0.query("SELECT objectID FROM Ledger") }
    identities = try rows.map { try UUID(storedValue: $0[0]) }
    let conversation = Conversation { [commits, longestMicroseconds] in
      Counts(
        commits: commits.value,
        longestCommitMilliseconds: Double(longestMicroseconds.take()) / 1000
      )
    }
    let clock = ContinuousClock()
    while !conversation.isStopped {
      let begun = clock.now
      let changes = try store.write { _ in try change() }
      longestMicroseconds.raise(to: Int((clock.now - begun) / .microseconds(1)))
      try log.write(changes)
      commits.add()
      if pause > 0 { usleep(UInt32(pause)) }
    }
    try store.close()
  }

  /// One transaction of one to four changes.
  private func change() throws -> [Change] {
    var changes: [Change] = []
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: changes.append(try insert())
      case 1: changes += try delete()
      default: changes += try update()
      }
    }
    return changes
  }

  private func insert() throws -> Change {
    let object = Ledger.create(objectID: generator.objectID())
    object.fill(version: 1)
    try object.save()
    identities.append(object.objectID)
    return Change(objectID: object.objectID, version: 1)
  }

  private func update() throws -> [Change] {
    guard let identity = identities.randomElement(using: &generator),
      // Nil where the other writer has deleted it.
      let object = try Ledger.fetch(id: identity)
    else { return [] }
    try object.check()
    object.fill(version: object.version + 1)
    try object.save()
    return [Change(objectID: identity, version: object.version)]
  }

  private func delete() throws -> [Change] {
    guard let index = identities.indices.randomElement(using: &generator),
      let object = try Ledger.fetch(id: identities[index])
    else { return [] }
    try object.check()
    try object.delete()
    identities.swapAt(index, identities.count - 1)
    return [Change(objectID: identities.removeLast(), version: nil)]
  }
}
