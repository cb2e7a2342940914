import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep

/// Looks at everything that is in a store, and at everything that must be there.
final class Checker {
  private struct Report: Encodable {
    struct Key: Encodable {
      let id: String
      let purpose: String
      let state: String
      let values: Int
    }

    let objects: Int
    let values: Int
    let slots: [Int64]
    let keys: [Key]
    /// The journal's rows that are not finished, and the phase of the last row.
    let unfinished: Int
    let phase: String?
    /// Whether `holder` is `sealed`, `plain` or `converting`.
    let holder: String
  }

  /// Ends a transaction that is not to be committed.
  private struct Undo: Error {}

  private static let sampleSize = 100

  private let store: Store
  private let unlock: Unlock
  private let expectation: Expectation?

  init(_ invocation: Invocation) throws {
    store = try invocation.open()
    unlock = try invocation.unlock()
    let logs = invocation.values("--log")
    expectation = logs.isEmpty ? nil : try Expectation(logs: logs)
  }

  func run() throws {
    let inspection = try StoreInspection(path: store.path, unlock: unlock)
    let verification = try store.verify()
    try verification.requireSound()
    let entity = try inspection.entity(named: "Ledger")
    let holder = entity.properties.first { $0.name == "holder" }
    let form =
      holder?.column != "holder" ? "converting" : holder?.isSealed == true ? "sealed" : "plain"
    let found =
      switch form {
      case "sealed": try objects()
      case "plain": try plainObjects()
      default: try identities()
      }
    if let expectation { try compare(found, with: expectation.versions) }
    try report(try summary(inspection, found.count, verification, form))
    try store.close()
  }

  private func compare(_ found: [UUID: Int], with expected: [UUID: Int]) throws {
    for (id, version) in expected where found[id] != version {
      let there = found[id].map { "version \($0) is" } ?? "nothing is"
      throw Deviation("object \(id): version \(version) was committed, and \(there) there")
    }
    guard found.count == expected.count else {
      throw Deviation("\(found.count) objects are there, and \(expected.count) were committed")
    }
  }

  // MARK: Objects

  /// Every object, computed again; and searches for some of them.
  private func objects() throws -> [UUID: Int] {
    var found: [UUID: Int] = [:]
    var numbers = Set<String>()
    let step = max(1, try Ledger.count() / Checker.sampleSize)
    var sample: [Ledger] = []
    let cursor = try Ledger.cursor()
    while let object = try cursor.next() {
      try object.check()
      guard numbers.insert(object.number).inserted else {
        throw Deviation("object \(object.objectID): another one has its number")
      }
      found[object.objectID] = object.version
      if found.count.isMultiple(of: step) { sample.append(object) }
    }
    guard try Ledger.count() == found.count else { throw Deviation("the count is another") }
    try search(for: sample)
    return found
  }

  private func search(for sample: [Ledger]) throws {
    for object in sample {
      guard
        try Ledger.fetchAll(\.holder, equals: object.holder).map(\.objectID) == [object.objectID],
        try Ledger.fetchOne(\.number, equals: object.number)?.objectID == object.objectID,
        try Ledger.fetchOne(\.number, equals: object.holder) == nil
      else { throw Deviation("object \(object.objectID) is not found by its values alone") }
    }
    if let object = sample.first { try refuseTwin(of: object) }
  }

  /// Holds that no second object with the same number can be stored, whichever key its index is by.
  private func refuseTwin(of object: Ledger) throws {
    do {
      try store.write { _ in
        let twin = Ledger.create()
        twin.fill(version: 1)
        twin.number = object.number
        do {
          try twin.save()
        } catch let error as NacreError where error.code == .constraint {
          throw Undo()
        }
      }
    } catch is Undo {
      return
    }
    throw Deviation("object \(object.objectID): a second one with its number was stored")
  }

  // MARK: While `holder` is not sealed

  /// Every object as a conversion that is not done has left it: the class can't be used meanwhile.
  private func identities() throws -> [UUID: Int] {
    let rows = try store.read { try $0.query("SELECT objectID, version FROM Ledger") }
    return try Dictionary(uniqueKeysWithValues: rows.map(Checker.versionByID))
  }

  /// Every object of a store in which `holder` was made plain.
  private func plainObjects() throws -> [UUID: Int] {
    let rows = try store.read { try $0.query("SELECT objectID, version, holder FROM Ledger") }
    return try Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let (id, version) = try Checker.versionByID(row)
        guard row[2] == .text(Contents(of: id, version: version).holder) else {
          throw Deviation("object \(id), version \(version): its plain holder is not that of it")
        }
        return (id, version)
      }
    )
  }

  private static func versionByID(_ row: [Value]) throws -> (UUID, Int) {
    (try UUID(storedValue: row[0]), try Int(storedValue: row[1]))
  }

  // MARK: Summary

  private func summary(
    _ inspection: StoreInspection,
    _ count: Int,
    _ verification: VerificationReport,
    _ form: String
  ) throws -> Report {
    let counts = Dictionary(grouping: try inspection.sealedCounts(), by: \.keyID)
    let description = try inspection.describe()
    let unfinished = try store.read {
      try $0.query("SELECT count(*) FROM nacre_rotation WHERE finished IS NULL")
    }
    return Report(
      objects: count,
      values: verification.openedCount,
      slots: description.slots.map(\.id),
      keys: (description.ring?.keys ?? []).map { key in
        Report.Key(
          id: "\(key.id)",
          purpose: "\(key.purpose)",
          state: "\(key.state)",
          values: counts[key.id, default: []].reduce(0) { $0 + $1.count }
        )
      },
      unfinished: try Int(storedValue: unfinished[0][0]),
      phase: try store.rotationState()?.phase,
      holder: form
    )
  }
}
