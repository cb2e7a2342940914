public import Foundation
import NacreStore

/// A reference to one object of another entity: stored as its objectID, loaded when asked for.
///
/// Links are never loaded with their object and never followed by a cascading delete; when the target is
/// deleted, the link becomes nil.
/// ```swift
/// car.owner = Link(person)            // a new person is saved with the car
/// let person = try car.owner?.get()
/// ```
public struct Link<Target: Entity> {
  @usableFromInline let identity: ObjectID
  @usableFromInline let holder: LinkHolder<Target>?
  @usableFromInline let store: UInt32

  /// Links to an object; one that is not stored yet is saved together with the object that holds the link.
  public init(_ object: Target) {
    identity = object.ensuredIdentity
    holder = LinkHolder(object)
    store = object.entityState.store
  }

  /// Links to the object that is stored under `objectID`.
  public init(objectID: UUID) {
    self.init(identity: ObjectID(objectID), store: 0)
  }

  @usableFromInline
  init(identity: ObjectID, store: UInt32, holder: LinkHolder<Target>? = nil) {
    self.identity = identity
    self.store = store
    self.holder = holder
  }

  /// The identifier of the object that the link refers to.
  public var objectID: UUID { identity.uuid }

  /// The object, if the link was made from it or a fetch has prefetched it, and it is still alive.
  public var loaded: Target? { holder?.object }
}

/// The holder of a link's object: it keeps the object strongly until that is committed, so that a
/// new object is not lost before it is saved, and weakly from then on, so that two objects that
/// link to each other don't keep each other alive.
@usableFromInline
final class LinkHolder<Target: Entity>: LinkHolding {
  private var strong: Target?
  private weak var weakly: Target?

  @usableFromInline var object: Target? { strong ?? weakly }

  init(_ object: Target) {
    strong = object
    weakly = object
  }

  @usableFromInline
  func letGo() { strong = nil }
}

/// A link's holder, whatever its target.
@usableFromInline
protocol LinkHolding: AnyObject {
  /// Keeps the object only weakly from now on.
  func letGo()
}
