import Foundation
import NacreCore

/// Inserts objects one by one through failures of a server, and notes which were acknowledged.
final class Survivor {
  private struct Counts: Encodable {
    let commits: Int
    /// The transactions that failed, and those of them whose commit may be stored nevertheless.
    let failures: Int
    let unknown: Int
    /// The longest time between two commits since this was last asked for.
    let longestGapMilliseconds: Double
  }

  /// The longest time without a commit; after it, the program gives up.
  private static let patience = Duration.seconds(120)
  /// Failures of the server, after which another transaction can succeed.
  private static let passing: Set<NacreError.Code> = [
    .connectionLost, .commitUnknown, .cannotOpen, .readOnly, .busy, .timedOut, .transactionConflict,
    .deadlock,
  ]

  private let store: Store
  private let log: CommitLog
  private var generator: SeededGenerator
  private let commits = Counter()
  private let failures = Counter()
  private let unknown = Counter()
  private let longestMicroseconds = Counter()

  init(_ invocation: Invocation) throws {
    store = try invocation.open()
    log = try CommitLog(path: invocation.values("--log").first)
    generator = try invocation.generator()
  }

  func run() throws {
    let conversation = Conversation { [commits, failures, unknown, longestMicroseconds] in
      Counts(
        commits: commits.value,
        failures: failures.value,
        unknown: unknown.value,
        longestGapMilliseconds: Double(longestMicroseconds.take()) / 1000
      )
    }
    let clock = ContinuousClock()
    var last = clock.now
    while !conversation.isStopped {
      guard try insert() else {
        guard clock.now - last < Self.patience else {
          throw Deviation("no commit for \(Self.patience)")
        }
        usleep(20_000)
        continue
      }
      longestMicroseconds.raise(to: Int((clock.now - last) / .microseconds(1)))
      last = clock.now
    }
    try? store.close()
  }

  /// Inserts one object, in a transaction of its own.
  ///
  /// - Returns: Whether the commit was acknowledged.
  private func insert() throws -> Bool {
    let object = Ledger.create(objectID: generator.objectID())
    object.fill(version: 1)
    do {
      try store.write { _ in try object.save() }
    } catch let error as NacreError where Self.passing.contains(error.code) {
      failures.add()
      guard error.code == .commitUnknown else { return false }
      unknown.add()
      try log.write([Change(objectID: object.objectID, version: 0)])
      return false
    }
    try log.write([Change(objectID: object.objectID, version: 1)])
    commits.add()
    return true
  }
}

/// Holds a store against the logs of those who inserted into it through failures.
struct SurvivorCheck {
  private struct Report: Encodable {
    let objects: Int
    let acknowledged: Int
    /// The objects whose commit had no answer, and those of them that are stored.
    let unknown: Int
    let unknownStored: Int
  }

  private let store: Store
  private var acknowledged: Set<UUID> = []
  private var unknown: Set<UUID> = []

  init(_ invocation: Invocation) throws {
    store = try invocation.open()
    for path in invocation.values("--log") {
      for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count == 2, let id = UUID(uuidString: String(words[0])) else {
          throw Deviation("\(path): \(line) is no line of a log")
        }
        if words[1] == "0" { unknown.insert(id) } else { acknowledged.insert(id) }
      }
    }
  }

  /// Opens every object, and finds each one that was acknowledged once, and no other.
  func run() throws {
    var found: Set<UUID> = []
    var numbers: Set<String> = []
    let cursor = try Ledger.cursor()
    while let object = try cursor.next() {
      try object.check()
      let id = object.objectID
      guard found.insert(id).inserted, numbers.insert(object.number).inserted else {
        throw Deviation("object \(id), or its number, is there twice")
      }
      guard acknowledged.contains(id) || unknown.contains(id) else {
        throw Deviation("object \(id) is there, and its transaction failed")
      }
    }
    let lost = acknowledged.subtracting(found)
    if let first = lost.first {
      throw Deviation("\(lost.count) acknowledged objects are lost, among them \(first)")
    }
    try report(
      Report(
        objects: found.count,
        acknowledged: acknowledged.count,
        unknown: unknown.count,
        unknownStored: unknown.intersection(found).count
      )
    )
    try store.close()
  }
}
