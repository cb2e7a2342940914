import Foundation
import NacreCore

/// Fetches objects, searches for them by a sealed property, and reads all of them now and then.
final class Reader {
  private struct Counts: Encodable {
    let reads: Int
    let searches: Int
    let scans: Int
  }

  private static let readsBetweenScans = 20_000

  private let store: Store
  private let pause: Int
  private var generator: SeededGenerator
  private var identities: [UUID] = []
  private let reads = Counter()
  private let searches = Counter()
  private let scans = Counter()

  init(_ invocation: Invocation) throws {
    store = try invocation.open()
    pause = try invocation.number("--pause-us", default: 0)
    generator = try invocation.generator()
  }

  func run() throws {
    let conversation = Conversation { [reads, searches, scans] in
      Counts(reads: reads.value, searches: searches.value, scans: scans.value)
    }
    while !conversation.isStopped {
      try scan()
      for _ in 0..<Reader.readsBetweenScans where !conversation.isStopped {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: try search()
        case 1: try store.read { _ in try searchInOneState() }
        default: try fetch()?.check()
        }
        if pause > 0 { usleep(UInt32(pause)) }
      }
    }
    try store.close()
  }

  /// Reads everything, in one state of the store.
  private func scan() throws {
    var seen = Set<UUID>()
    var numbers = Set<String>()
    let cursor = try Ledger.cursor()
    while let object = try cursor.next() {
      try object.check()
      reads.add()
      guard seen.insert(object.objectID).inserted, numbers.insert(object.number).inserted else {
        throw Deviation("object \(object.objectID), or its number, is there twice")
      }
    }
    scans.add()
    identities = Array(seen)
  }

  /// An object, unless somebody has deleted it.
  private func fetch() throws -> Ledger? {
    guard let identity = identities.randomElement(using: &generator) else {
      throw Deviation("the store is empty")
    }
    reads.add()
    return try Ledger.fetch(id: identity)
  }

  /// Searches for an object that is there: exactly it must be found.
  private func searchInOneState() throws {
    guard let object = try fetch() else { return }
    try object.check()
    searches.add()
    let found = try Ledger.fetchAll(\.holder, equals: object.holder)
    guard found.map(\.objectID) == [object.objectID], found[0].version == object.version,
      try Ledger.fetchOne(\.number, equals: object.number)?.objectID == object.objectID
    else { throw Deviation("object \(object.objectID) is not found by its values") }
    try found[0].check()
  }

  /// The same in one state of the store after another, where the object may have been changed meanwhile.
  private func search() throws {
    guard let object = try fetch() else { return }
    searches.add()
    let found = try Ledger.fetchAll(\.holder, equals: object.holder)
    for other in found { try other.check() }
    if found.map(\.objectID) == [object.objectID] { return }
    let isThere = try Ledger.fetch(id: object.objectID)?.version == object.version
    guard found.isEmpty, !isThere else {
      throw Deviation("object \(object.objectID) is not found by its holder, or another one is")
    }
  }
}
