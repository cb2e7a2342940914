public import Foundation
import NacreStore

/// References to any number of objects of another entity, which are read by cursor, page or query.
///
/// A property of this type holds no elements: a million of them cost nothing until they are asked for. Additions
/// and removals wait for the owner's next `save()`. Elements have set semantics and come in the order of their
/// objectIDs, which is the order in which they were made.
public final class Links<Target: Entity>: PendingLinks {
  var owner: ObjectID?
  /// The owner's entity and the property's place in it, once the owner is stored.
  private(set) var place: (schema: EntitySchema, index: Int)?
  /// The number of the store that has the stored elements; 0 is none.
  @usableFromInline var store: UInt32 = 0
  @usableFromInline var addedObjects: [Target] = []
  var added: Set<ObjectID> = []
  var removed: Set<ObjectID> = []
  var removesAll = false

  /// Makes links without elements.
  public init() {}

  /// Says whose elements these are.
  @usableFromInline
  func belong(to owner: ObjectID, _ store: UInt32, _ schema: EntitySchema, _ index: Int) {
    self.owner = owner
    self.store = store
    if place == nil { place = (schema, index) }
  }

  /// Whether additions or removals wait for the owner's `save()`.
  @usableFromInline var hasPendingChanges: Bool {
    !added.isEmpty || !removed.isEmpty || removesAll
  }

  /// Whether the stored elements are in another store.
  @usableFromInline
  func comes(fromOtherThan store: UInt32) -> Bool { self.store != store && self.store != 0 }

  /// Adds an object; a new one is saved together with the owner.
  public func add(_ object: Target) {
    let identity = object.ensuredIdentity
    removed.remove(identity)
    if added.insert(identity).inserted { addedObjects.append(object) }
  }

  /// Adds the object that is stored under `objectID`.
  public func add(objectID: UUID) {
    removed.remove(ObjectID(objectID))
    added.insert(ObjectID(objectID))
  }

  /// Removes an object; it stays stored.
  public func remove(_ object: Target) { remove(object.ensuredIdentity) }

  /// Removes the object that is stored under `objectID`; it stays stored.
  public func remove(objectID: UUID) { remove(ObjectID(objectID)) }

  /// Removes all elements; they stay stored.
  public func removeAll() {
    removesAll = true
    added = []
    addedObjects = []
    removed = []
  }

  private func remove(_ identity: ObjectID) {
    if added.remove(identity) != nil {
      addedObjects.removeAll { $0.ensuredIdentity == identity }
    }
    removed.insert(identity)
  }
}

/// Additions and removals that wait for the owner's `save()`.
@usableFromInline
struct LinkChanges {
  var added: Set<ObjectID> = []
  var removed: Set<ObjectID> = []
  var removesAll = false
  var objects: [any Entity] = []
}

/// To-many links whose changes are not written yet, whatever their target.
@usableFromInline
protocol PendingLinks: AnyObject {
  /// Whether additions or removals wait for the owner's `save()`.
  var hasPendingChanges: Bool { get }
  /// The number of the store that has the stored elements; 0 is none.
  var store: UInt32 { get set }
  /// Says whose elements these are.
  func belong(to owner: ObjectID, _ store: UInt32, _ schema: EntitySchema, _ index: Int)
  /// The stored elements' identities.
  func storedElements() throws -> Set<ObjectID>
  /// The additions and removals that wait for the owner's `save()`.
  var pendingChanges: LinkChanges { get }
  /// Puts back what waited before a rollback, beneath what was added and removed since.
  func restore(_ former: LinkChanges)
  /// Forgets what waited, because it is written.
  func settle()
}

extension Links {
  @usableFromInline var pendingChanges: LinkChanges {
    LinkChanges(
      added: added,
      removed: removed,
      removesAll: removesAll,
      objects: addedObjects
    )
  }

  @usableFromInline
  func restore(_ former: LinkChanges) {
    // All that was added and removed before goes with it.
    if removesAll { return }
    let later = added.union(removed)
    added.formUnion(former.added.subtracting(removed))
    removed.formUnion(former.removed.subtracting(later))
    removesAll = former.removesAll
    addedObjects += former.objects.compactMap { object in
      later.contains(object.entityState.identity) ? nil : object as? Target
    }
  }

  @usableFromInline
  func settle() {
    added = []
    removed = []
    removesAll = false
    addedObjects = []
  }
}
