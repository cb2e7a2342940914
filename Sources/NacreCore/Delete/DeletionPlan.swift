public import Foundation

/// The objects that a delete would take, and the children that it would leave.
public struct DeletionPlan: Sendable {
  /// The objects of one entity.
  public struct Part: Sendable, Equatable {
    /// The entity's name.
    public let entity: String
    /// The objects' identifiers, in order.
    public let objectIDs: [UUID]
  }

  /// The objects that are deleted, grouped by entity.
  public let deleted: [Part]
  /// Children that stay, because something outside the deleted set refers to them.
  public let kept: [Part]

  /// How many objects are deleted.
  public var count: Int { deleted.reduce(0) { $0 + $1.objectIDs.count } }
}

extension DeletionPlan: CustomStringConvertible {
  /// One line for each entity: how many of its objects are deleted, and how many stay.
  public var description: String {
    let names = Set(deleted.map(\.entity) + kept.map(\.entity)).sorted()
    let lines = names.map { name in
      let gone = deleted.first { $0.entity == name }?.objectIDs.count ?? 0
      let stays = kept.first { $0.entity == name }?.objectIDs.count ?? 0
      return "\(name): \(gone) deleted" + (stays == 0 ? "" : ", \(stays) kept")
    }
    return lines.joined(separator: "\n")
  }
}
