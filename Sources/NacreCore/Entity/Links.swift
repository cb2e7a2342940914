public import Foundation
import NacreEngine
import NacreStore

/// References to any number of objects of another entity, which are read by cursor, page or query.
///
/// A property of this type holds no elements: a million of them cost nothing until they are read.
/// Additions and removals wait for the owner's next `save()`. Links contain each element once.
/// Elements come in the order of their objectIDs, which is the order in which they were made if
/// these are UUIDs of version 7.
public final class Links<Target: Entity>: PendingLinks {
  var owner: ObjectID?
  /// The owner's entity and the property's place in it, once the owner is stored.
  private(set) var place: (schema: EntitySchema, index: Int)?
  /// The number of the store that has the stored elements; 0 for none.
  @usableFromInline var store: UInt32 = 0
  @usableFromInline var pendingChanges = LinkChanges()

  /// Makes links without elements.
  public init() {}

  /// Sets the owner, its store and the property that holds the links.
  @usableFromInline
  func belong(to owner: ObjectID, _ store: UInt32, _ schema: EntitySchema, _ index: Int) {
    self.owner = owner
    self.store = store
    if place == nil { place = (schema, index) }
  }

  /// Whether additions or removals wait for the owner's `save()`.
  @usableFromInline var hasPendingChanges: Bool { !pendingChanges.isEmpty }

  /// Whether the stored elements are in another store.
  @usableFromInline
  func comes(fromOtherThan store: UInt32) -> Bool { self.store != store && self.store != 0 }

  /// Adds an object; a new object is saved together with the owner.
  public func add(_ object: Target) {
    let identity = object.ensuredIdentity
    pendingChanges.removed.remove(identity)
    if pendingChanges.added.insert(identity).inserted { pendingChanges.objects.append(object) }
  }

  /// Adds the object that is stored under `objectID`.
  public func add(objectID: UUID) {
    pendingChanges.removed.remove(ObjectID(objectID))
    pendingChanges.added.insert(ObjectID(objectID))
  }

  /// Removes an object from the links; it stays stored.
  public func remove(_ object: Target) { remove(object.ensuredIdentity) }

  /// Removes the object under `objectID` from the links; it stays stored.
  public func remove(objectID: UUID) { remove(ObjectID(objectID)) }

  /// Removes all elements from the links; they stay stored.
  public func removeAll() { pendingChanges = LinkChanges(removesAll: true) }

  private func remove(_ identity: ObjectID) {
    if pendingChanges.added.remove(identity) != nil {
      pendingChanges.objects.removeAll { $0.ensuredIdentity == identity }
    }
    pendingChanges.removed.insert(identity)
  }
}

/// Additions and removals that wait for the owner's `save()`.
@usableFromInline
struct LinkChanges {
  var added: Set<ObjectID> = []
  var removed: Set<ObjectID> = []
  /// Whether the stored elements are removed before the others are added.
  var removesAll = false
  /// The objects that were added as such, and not by their objectIDs.
  @usableFromInline var objects: [any Entity] = []

  var isEmpty: Bool { added.isEmpty && removed.isEmpty && !removesAll }

  /// Puts back the changes that waited before a rollback; additions and removals made since take
  /// precedence.
  mutating func restore(_ former: LinkChanges) {
    // A later `removeAll()` also undoes everything that was added and removed before it.
    if removesAll { return }
    let later = added.union(removed)
    added.formUnion(former.added.subtracting(removed))
    removed.formUnion(former.removed.subtracting(later))
    removesAll = former.removesAll
    objects += former.objects.filter { !later.contains($0.entityState.identity) }
  }
}

/// To-many links with changes that are not written yet, for any target.
@usableFromInline
protocol PendingLinks: AnyObject {
  /// Whether additions or removals wait for the owner's `save()`.
  var hasPendingChanges: Bool { get }
  /// The number of the store that has the stored elements; 0 for none.
  var store: UInt32 { get set }
  /// Sets the owner, its store and the property that holds the links.
  func belong(to owner: ObjectID, _ store: UInt32, _ schema: EntitySchema, _ index: Int)
  /// Returns the identities of the stored elements.
  func storedElements() throws -> Set<ObjectID>
  /// The additions and removals that wait for the owner's `save()`.
  var pendingChanges: LinkChanges { get set }
}
