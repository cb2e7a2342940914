import NacreEngine

/// The references of a save to rows that it has yet to write, on an engine that checks each statement's references.
///
/// Children are written before their parents, so only cycles, and links from a child back to its parent, have to wait.
final class LaterReferences {
  /// A reference that is written once all rows are there.
  struct Reference {
    let schema: EntitySchema
    let property: Int
    let owner: ObjectID
    let target: ObjectID
  }

  private var unwritten: Set<ObjectID>
  private(set) var references: [Reference] = []

  /// Takes the objects that are written next, of which the new ones have no row yet.
  init(to objects: [any Entity]) {
    unwritten = Set(objects.lazy.filter { !$0.entityState.isStored }.map { $0.ensuredIdentity })
  }

  /// Notes that a row is written.
  func wrote(_ identity: ObjectID) { unwritten.remove(identity) }

  /// Whether a reference has to wait for its target; a row may refer to itself at once.
  func postpone(_ target: ObjectID, from owner: ObjectID, _ schema: EntitySchema, _ property: Int)
    -> Bool
  {
    guard target != owner, unwritten.contains(target) else { return false }
    references.append(
      Reference(schema: schema, property: property, owner: owner, target: target)
    )
    return true
  }
}
