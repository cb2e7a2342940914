import NacreEngine
import NacreStore

/// An object's identity, the properties that changed since it was stored, and its store.
///
/// It is a value inside the object itself: an allocation of its own would cost a tenth of a fetch.
public struct EntityState {
  /// All zero until the object is asked for its `objectID`.
  @usableFromInline var identity = ObjectID(high: 0, low: 0)
  /// Bit i is set when property i was set; bit 63 stands for all properties from the 64th on.
  @usableFromInline var changes: UInt64 = 0
  /// The number of the last walk that visited the object, so that no walk visits it twice.
  @usableFromInline var walk: UInt64 = 0
  /// The version that the object's row had when it was loaded or stored; 0 if the class does not
  /// detect conflicts.
  @usableFromInline var version: Int64 = 0
  /// The number of the object's store in the process's table of stores; 0 for none.
  @usableFromInline var store: UInt32 = 0
  @usableFromInline var isStored = false
  @usableFromInline var isMarkedForDeletion = false

  /// Makes the state of a new object: no identity yet, nothing stored.
  @inlinable
  public init() {}

  /// A stored row can have the identifier of all zeros, because somebody else has written it.
  var hasIdentity: Bool { isStored || identity.high | identity.low != 0 }

  mutating func assignIdentity(_ version: IdentifierVersion) {
    identity = ObjectID.make(version)
  }

  /// Notes that the property at `index` was set.
  @inlinable
  public mutating func markChanged(_ index: Int) {
    changes |= EntityState.bit(index)
  }

  /// Forgets which properties were set, because the object now matches its row.
  ///
  /// Saves and refreshes end with this call. Anything else that is noted about how the object was
  /// loaded starts anew here, too.
  mutating func settle() { changes = 0 }

  /// Returns the change bits of some properties.
  static func bits(_ properties: some Sequence<Property>) -> UInt64 {
    properties.reduce(0) { $0 | bit($1.index) }
  }

  /// Returns the change bit of the property at `index`.
  @inlinable
  public static func bit(_ index: Int) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: min(index, 63))
  }
}
