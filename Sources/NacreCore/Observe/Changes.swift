public import Foundation

/// Which objects of an entity a transaction has changed, or several that were committed before anybody asked.
///
/// An object that was inserted and deleted meanwhile is in none of the sets; one that was inserted and then updated is
/// in `inserted` alone; one that was deleted and stored again is in `updated`.
public struct Changes<E: Entity>: Sendable, Equatable {
  /// The objects that were not there before.
  public internal(set) var inserted: Set<UUID> = []
  /// The objects whose stored properties, children or links have changed.
  public internal(set) var updated: Set<UUID> = []
  /// The objects that are no longer there.
  public internal(set) var deleted: Set<UUID> = []

  init(_ changes: RowChanges) {
    for (identity, change) in changes.byObject {
      switch change {
      case .inserted: inserted.insert(identity.uuid)
      case .updated: updated.insert(identity.uuid)
      case .deleted: deleted.insert(identity.uuid)
      }
    }
  }
}

/// What became of one object in a transaction, or in several that were committed before anybody asked.
public enum ObjectChange: Sendable, Equatable {
  /// It is stored, and was not before.
  case inserted
  /// Its stored properties, children or links have changed.
  case updated
  /// It is no longer stored.
  case deleted
}

/// Changes that wait to be taken, at most one an object.
struct RowChanges: Sendable {
  private(set) var byObject: [ObjectID: ObjectChange] = [:]

  /// Adds what happened after all that is here.
  mutating func add(_ change: ObjectChange, to object: ObjectID) {
    byObject[object] =
      switch (byObject[object], change) {
      case (nil, _): change
      case (.inserted, .deleted): nil
      case (.inserted, _): .inserted
      case (.deleted, .deleted): .deleted
      case (.deleted, _): .updated
      case (.updated, .deleted): .deleted
      case (.updated, _): .updated
      }
  }
}
