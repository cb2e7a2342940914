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
  /// Objects that stay, and whose links to deleted children become nil, because the children's
  /// relationship says ``DeleteRule/cascadeNullifyingLinks``.
  public let unlinked: [Part]

  /// How many objects are deleted.
  public var count: Int { deleted.reduce(0) { $0 + $1.objectIDs.count } }
}

extension DeletionPlan: CustomStringConvertible {
  /// One line for each entity: how many of its objects are deleted, stay, or lose a link.
  public var description: String {
    let names = Set((deleted + kept + unlinked).map(\.entity)).sorted()
    let lines = names.map { name in
      let count = { (parts: [Part]) in parts.first { $0.entity == name }?.objectIDs.count ?? 0 }
      let others = [(count(kept), "kept"), (count(unlinked), "unlinked")]
      return "\(name): \(count(deleted)) deleted"
        + others.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    }
    return lines.joined(separator: "\n")
  }
}
