public import Foundation
import NacreEngine
import NacreStore

/// A reference to one object of another entity, which is stored as its objectID and loaded on
/// request.
///
/// A fetch does not load links with their object, and a cascading delete does not follow them. When
/// the target is deleted, the link becomes nil.
/// ```swift
/// car.owner = Link(person)            // a new person is saved with the car
/// let person = try car.owner?.get()
/// ```
public struct Link<Target: Entity> {
  @usableFromInline let identity: ObjectID
  @usableFromInline let holder: LinkHolder<Target>?
  @usableFromInline let store: UInt32

  /// Makes a link to an object.
  ///
  /// If the object is not stored yet, it is saved together with the object that holds the link.
  public init(_ object: Target) {
    identity = object.ensuredIdentity
    holder = LinkHolder(object)
    store = object.entityState.store
  }

  /// Makes a link to the object that is stored under `objectID`.
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

  /// The object, if the link was made from it or a fetch has prefetched it, and if it is still
  /// alive.
  public var loaded: Target? { holder?.object }
}

/// A link to an object of any class.
protocol AnyLink {
  var identity: ObjectID { get }
  var objectID: UUID { get }
  /// The object, if it is known and still alive.
  var target: (any Entity)? { get }
}

extension Link: AnyLink {
  var target: (any Entity)? { loaded }
}

extension Entity {
  /// Makes the link to a stored object of this class.
  static func makeLink(to identity: ObjectID, in store: UInt32) -> Any {
    Link<Self>(identity: identity, store: store)
  }
}

/// The holder of a link's object, which it holds strongly until the object is committed.
///
/// The strong reference keeps a new object from being lost before it is saved. From then on the
/// holder is weak, so that two objects that link to each other don't keep each other alive.
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

/// A link's holder, for any target.
@usableFromInline
protocol LinkHolding: AnyObject {
  /// Holds the object only weakly from now on.
  func letGo()
}
