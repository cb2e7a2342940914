import Synchronization

private let lastWalk = Atomic<UInt64>(0)

/// A walk over connected objects that visits each one once, without recursion.
///
/// Every walk has its own number, which it leaves in the objects that it has visited. Comparing
/// that number is cheaper than a set of visited objects, which would hash each one. An object
/// belongs to one task at a time, so two walks never meet in it.
public final class GraphWalk {
  /// How far a walk follows children and the new objects that links hold.
  @usableFromInline
  enum Reach {
    /// Follows them.
    case cascade
    /// Stays at the first object, and notes a child that is not stored or is in another store.
    case rowOnly
  }

  // Unchecked, because one thread walks, and each object that it visits accesses these.
  @exclusivity(unchecked) @usableFromInline var number: UInt64 = 0
  /// The number of the store that the walk is for.
  @usableFromInline let store: UInt32
  @exclusivity(unchecked) @usableFromInline var reach: Reach
  @exclusivity(unchecked) @usableFromInline var pending: [any Entity] = []
  /// The first child that a walk of one row found unstored.
  @exclusivity(unchecked) @usableFromInline var unstored: (property: Int, child: any Entity)?
  /// The children in other stores that a walk of one row found.
  @exclusivity(unchecked) @usableFromInline var childrenElsewhere:
    [(property: Int, child: any Entity)] = []
  /// To-many links with additions or removals that are not written yet, or with elements in another
  /// store.
  @exclusivity(unchecked) @usableFromInline var changedLinks:
    [(property: Int, links: any PendingLinks)] = []
  /// The holders of new objects, which links hold strongly until the objects are committed.
  @exclusivity(unchecked) @usableFromInline var holders: [any LinkHolding] = []

  /// The objects that the walk visited, in that order.
  @exclusivity(unchecked) var seen: [any Entity] = []

  init(reach: Reach, store: UInt32) {
    self.reach = reach
    self.store = store
    begin(reach)
  }

  func begin(_ reach: Reach) {
    number = lastWalk.add(1, ordering: .relaxed).newValue
    self.reach = reach
  }

  /// Releases everything, so that the next walk can use the memory.
  func end() {
    let keeps = seen.count < 4096
    pending.removeAll(keepingCapacity: keeps)
    seen.removeAll(keepingCapacity: keeps)
    unstored = nil
    childrenElsewhere.removeAll()
    changedLinks.removeAll()
    holders.removeAll()
  }

  /// Visits a to-one child.
  @inlinable
  public func visit<C: Entity>(_ child: C?, at index: Int) {
    guard let child else { return }
    note(child, at: index)
  }

  /// Visits to-many children.
  @inlinable
  public func visit<C: Entity>(_ children: [C], at index: Int) {
    for child in children { note(child, at: index) }
  }

  /// Visits the object that a link holds, if it is new.
  @inlinable
  public func visit<T: Entity>(_ link: Link<T>?, at index: Int) {
    guard let holder = link?.holder, let object = holder.object, !object.entityState.isStored
    else { return }
    holders.append(holder)
    note(object, at: index)
  }

  /// Visits the new objects that were added to to-many links.
  @inlinable
  public func visit<T: Entity>(_ links: Links<T>, at index: Int) {
    guard links.hasPendingChanges || links.comes(fromOtherThan: store) else { return }
    changedLinks.append((index, links))
    for object in links.pendingChanges.objects where !object.entityState.isStored {
      note(object, at: index)
    }
  }

  /// Does nothing for a property that is neither child nor link.
  @_disfavoredOverload
  @inlinable
  public func visit<V>(_ value: V, at index: Int) {}

  @inlinable
  func note<C: Entity>(_ child: C, at index: Int) {
    switch reach {
    case .cascade:
      guard child.entityState.walk != number else { return }
      child.entityState.walk = number
      pending.append(child)
    case .rowOnly:
      if !child.entityState.isStored {
        if unstored == nil { unstored = (index, child) }
      } else if child.entityState.store != store {
        childrenElsewhere.append((index, child))
      }
    }
  }
}
