public import Observation

/// An entity whose properties a view or a task can observe; `@Entity` writes the conformance.
///
/// Each property is computed over a stored one and tells ``EntityObservation`` of reads and
/// changes. Loaders and savers use the stored property and notify no observer.
public protocol ObservableEntity: Entity, Observable {}

/// The observation of an object; it stays empty until a property is read while reads are tracked.
///
/// It is a property beside `entityState` and not a part of it, so that copying the state stays a
/// copy of bytes.
public struct EntityObservation {
  // A class of ours, because Observation's own registrar has no fixed size: each access to the
  // object's other properties would have to ask for its offset.
  @usableFromInline var registrar: ObjectRegistrar?

  /// Makes the observation of an object that nobody observes.
  @inlinable
  public init() {}

  /// Notes that a property is read, if the current thread tracks reads.
  @inlinable
  public mutating func access<E: Observable, V>(
    _ object: E,
    _ path: @autoclosure () -> KeyPath<E, V>
  ) {
    if registrar == nil { registrar = TrackingProbe.registrarIfTracked() }
    if let registrar { registrar.access(object, path()) }
  }

  /// Tells the property's observers that it is about to change.
  @inlinable
  public func willSet<E: Observable, V>(
    _ object: E,
    _ path: @autoclosure () -> KeyPath<E, V>
  ) {
    if let registrar { registrar.willSet(object, path()) }
  }

  /// Tells the property's observers that it has changed.
  @inlinable
  public func didSet<E: Observable, V>(
    _ object: E,
    _ path: @autoclosure () -> KeyPath<E, V>
  ) {
    if let registrar { registrar.didSet(object, path()) }
  }
}

/// Observation's registrar for one object.
@usableFromInline
final class ObjectRegistrar {
  let base = ObservationRegistrar()

  init() {}

  @usableFromInline
  func access<E: Observable, V>(_ object: E, _ path: KeyPath<E, V>) {
    base.access(object, keyPath: path)
  }

  @usableFromInline
  func willSet<E: Observable, V>(_ object: E, _ path: KeyPath<E, V>) {
    base.willSet(object, keyPath: path)
  }

  @usableFromInline
  func didSet<E: Observable, V>(_ object: E, _ path: KeyPath<E, V>) {
    base.didSet(object, keyPath: path)
  }
}
