import NacreStore

/// An object's identity, what of it changed since it was stored, and which store it belongs to.
///
/// One value inside the object itself: an allocation of its own would cost a tenth of a fetch.
public struct EntityState {
  /// All zero until the object is asked for its `objectID`.
  @usableFromInline var identity = ObjectID(high: 0, low: 0)
  /// Bit i is set when property i was set; bit 63 stands for all properties from the 64th on.
  @usableFromInline var changes: UInt64 = 0
  /// The number of the last walk that saw the object, so that no walk sees it twice.
  @usableFromInline var walk: UInt64 = 0
  /// The version that the object's row had when it was loaded or stored; 0 where the class does not detect conflicts.
  @usableFromInline var version: Int64 = 0
  /// The number of the object's store in the process's table of stores; 0 is none.
  @usableFromInline var store: UInt32 = 0
  @usableFromInline var isStored = false
  @usableFromInline var isMarkedForDeletion = false

  /// Makes the state of a new object: no identity yet, nothing stored.
  @inlinable
  public init() {}

  var hasIdentity: Bool { identity.high | identity.low != 0 }

  mutating func assignIdentity(_ version: IdentifierVersion) {
    identity = ObjectID.make(version)
  }

  /// Notes that the property at `index` was set.
  @inlinable
  public mutating func markChanged(_ index: Int) {
    changes |= EntityState.bit(index)
  }

  /// Forgets what was set: the object is as its row is.
  ///
  /// Anything else that is noted of how the object was loaded begins anew here, too: saves and
  /// refreshes end with this call.
  mutating func settle() { changes = 0 }

  /// The change bit of the property at `index`.
  @inlinable
  public static func bit(_ index: Int) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: min(index, 63))
  }
}
