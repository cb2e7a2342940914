import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep

/// What a store says of its content: every object's values, and the slots.
struct StoreState: Equatable {
  var objects: [UUID: [String]] = [:]
  var slots: [Int64] = []

  /// Reads it by a connection of its own, without the class.
  init(at path: String) throws {
    let inspection: StoreInspection
    do {
      inspection = try StoreInspection(path: path, unlock: Session.unlock(1))
    } catch let error as NacreError where error.code == .wrongSecret {
      inspection = try StoreInspection(path: path, unlock: Session.unlock(2))
    }
    slots = try inspection.describe().slots.map(\.id)
    try inspection.rows(of: "Parcel", limit: .max, opensSealed: true) { row in
      objects[row.objectID] = try row.cells.map { cell in
        switch cell.content {
        case .plain(let value), .opened(let value): "\(value)"
        case .sealed, .failed: throw Deviation("\(cell.property.name) does not open")
        }
      }
    }
  }

  /// Says in what the store differs from another state, without the values.
  func difference(from other: StoreState) -> String {
    let differing = Set(objects.keys).union(other.objects.keys)
      .filter { objects[$0] != other.objects[$0] }
    let slots = slots == other.slots ? "the same slots" : "slots \(slots) for \(other.slots)"
    return "\(differing.count) other objects of \(objects.count), and \(slots)"
  }

  /// Verifies an open store, reads it, and closes it.
  init(of store: Store) throws {
    try Self.verify(store)
    try self.init(at: store.path)
    try store.close()
  }

  /// Holds that nothing in a store is broken.
  static func verify(_ store: Store) throws {
    try store.verify().requireSound()
    let answer = try store.read { try $0.query("PRAGMA integrity_check") }
    guard answer.count == 1, answer[0][0] == .text("ok") else {
      throw Deviation("integrity_check says \(answer)")
    }
  }
}
