import Foundation
import NacreEngine
import NacreStore
import NacreUpkeep

/// Access to one property's value in memory by the property's name instead of a key path.
@usableFromInline
struct PropertyAccess {
  /// Returns the value; nil if it is an optional that holds nil.
  private(set) var get: (any Entity) -> Any?
  /// Converts a value to the property's type and returns a closure that sets it.
  ///
  /// If the value does not fit, it throws and changes nothing.
  let setter: (Any?) throws -> (any Entity) -> Void
  /// Sets the property from a column that holds the property's own stored form; nil for children
  /// and links.
  private(set) var fill: ((any Entity, any EngineStatement, Int32) throws -> Void)?
  /// Reads the property of an object and returns a closure that sets it on another object of the
  /// class.
  private(set) var take: (any Entity) -> (any Entity) -> Void
  /// The property's type, without an optional around it.
  let type: Any.Type
  /// Whether the property is stored as JSON.
  private(set) var isJSON = false

  /// Makes the access to a property that takes what `convert` makes of a given value.
  private init<E: Entity, V>(
    _ path: ReferenceWritableKeyPath<E, V>,
    _ type: Any.Type,
    converting convert: @escaping (Any?) throws -> V
  ) {
    self.type = type
    get = { ($0 as? E).flatMap { unwrapped($0[keyPath: path]) } }
    take = { source in
      guard let source = source as? E else { return { _ in } }
      let value = source[keyPath: path]
      return { ($0 as? E)?[keyPath: path] = value }
    }
    setter = { given in
      let value = try convert(given)
      return { ($0 as? E)?[keyPath: path] = value }
    }
  }

  /// Makes the access to a value.
  init<E: Entity, V, S: StorableValue>(
    _ path: ReferenceWritableKeyPath<E, V>,
    storedAs stored: S.Type,
    _ decode: @escaping (S) -> V
  ) {
    let type = unwrapped(V.self)
    let isJSON = S.self is any StoredAsJSON.Type
    self.init(path, type) { given in
      if let given, let known = given as? V { return known }
      let conversion = ValueConversion(type: type, storageClass: S.storageClass, isJSON: isJSON)
      return decode(try S(storedValue: conversion.stored(given)))
    }
    self.isJSON = isJSON
    fill = { object, row, index in
      guard let object = object as? E else { return }
      object[keyPath: path] = decode(try S.read(from: row, at: index))
    }
  }

  /// Makes the access to a child.
  @usableFromInline
  init<E: Entity, C: Entity>(child path: ReferenceWritableKeyPath<E, C?>) {
    self.init(path, C.self) { try PropertyAccess.cast($0, to: C.self) }
  }

  /// Makes the access to children.
  @usableFromInline
  init<E: Entity, C: Entity>(children path: ReferenceWritableKeyPath<E, [C]>) {
    self.init(path, C.self) { given in
      guard let objects = given as? [Any] else {
        throw ValueError.malformed(type: "[\(C.self)]")
      }
      return try objects.compactMap { try PropertyAccess.cast($0, to: C.self) }
    }
  }

  /// Makes the access to a link, which an object or an objectID can also set.
  @usableFromInline
  init<E: Entity, T: Entity>(link path: ReferenceWritableKeyPath<E, Link<T>?>) {
    self.init(path, Link<T>.self) { given in
      if let known = given as? Link<T> { return known }
      if let object = given as? T { return Link(object) }
      return try ValueConversion.uuid(given).map { Link(objectID: $0) }
    }
    take = { source in
      let link = (source as? E)?[keyPath: path]
      return { object in
        // Keep a link to the same object, because it may have loaded that object.
        guard let object = object as? E, object[keyPath: path]?.identity != link?.identity else {
          return
        }
        object[keyPath: path] = link
      }
    }
  }

  /// Makes the access to links, which only their own methods can change.
  @usableFromInline
  init<E: Entity, T: Entity>(links path: ReferenceWritableKeyPath<E, Links<T>>) {
    self.init(none: Links<T>.self)
    get = { ($0 as? E)?[keyPath: path] }
  }

  /// Makes the access to a property that nothing can set by its name.
  init(none type: Any.Type) {
    self.type = type
    take = { _ in { _ in } }
    get = { _ in nil }
    setter = { _ in throw ValueError.malformed(type: "\(type)") }
  }

  private static func cast<C: Entity>(_ given: Any?, to type: C.Type) throws -> C? {
    if ValueConversion.isNil(given) { return nil }
    guard let object = given as? C else { throw ValueError.malformed(type: "\(C.self)") }
    return object
  }
}

/// A type that is stored as JSON text.
protocol StoredAsJSON {}

extension JSONStored: StoredAsJSON {}
extension JSONValue: StoredAsJSON {}
extension Optional: StoredAsJSON where Wrapped: StoredAsJSON {}
