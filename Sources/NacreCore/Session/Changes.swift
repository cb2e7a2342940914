public import Foundation
import NacreEngine
import NacreStore

/// The objects of an entity that changed in one transaction, or in several that were committed
/// before the reader asked.
///
/// An object that was inserted and then deleted is in none of the sets. An object that was inserted
/// and then updated is only in `inserted`. An object that was deleted and stored again is in
/// `updated`.
public struct Changes<E: Entity>: Sendable, Equatable {
  /// The objects that were not stored before.
  public internal(set) var inserted: Set<UUID> = []
  /// The objects whose stored properties, children or links have changed.
  public internal(set) var updated: Set<UUID> = []
  /// The objects that are no longer stored.
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

/// The change of one object in one transaction, or in several that were committed before the reader
/// asked.
public enum ObjectChange: Sendable, Equatable {
  /// The object is stored now and was not before.
  case inserted
  /// The object's stored properties, children or links have changed.
  case updated
  /// The object is no longer stored.
  case deleted
}

/// Changes that the reader has not taken yet, at most one per object.
struct RowChanges: Sendable {
  private(set) var byObject: [ObjectID: ObjectChange] = [:]

  /// Adds a change that happened after all changes here.
  mutating func add(_ change: ObjectChange, to object: ObjectID) {
    byObject[object] =
      switch (byObject[object], change) {
      case (nil, _): change
      case (.inserted, .deleted): nil
      case (.inserted, _): .inserted
      case (_, .deleted): .deleted
      case (_, _): .updated
      }
  }
}
