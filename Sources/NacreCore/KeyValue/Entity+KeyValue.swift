import Foundation
import NacreStore

// Access to properties by name, for callers that learn the names only at run time.

extension Entity {
  /// Returns the value of the property with that name; nil if it is an optional that holds nil.
  ///
  /// A child is returned as its object, children as an array of objects, a link as a `Link`.
  /// `objectID` is also a valid name, and so are those of ``ComputedProperties``.
  ///
  /// - Parameter name: the property's name in Swift.
  /// - Returns: the value.
  /// - Throws: ``NacreError/Code/noSuchProperty``.
  public func value(forKey name: String) throws -> Any? {
    if name == "objectID" { return objectID }
    if let property = Self.entitySchema.property(named: name) { return property.access.get(self) }
    if let value = (self as? any ComputedProperties)?.computedValue(name) {
      return unwrapped(value)
    }
    throw Self.entitySchema.unknown(name)
  }

  /// Returns the value at the end of a path of names, such as `"engine.cylinders"`; nil if a child
  /// on the way is nil.
  ///
  /// A link on the way is followed if its object is loaded, and counts as nil otherwise. `count` is
  /// the number of elements of an array.
  ///
  /// - Parameter path: names with dots between them.
  /// - Returns: the value.
  /// - Throws: ``NacreError/Code/noSuchProperty``.
  public func value(forKeyPath path: String) throws -> Any? {
    var value: Any? = self
    for name in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      switch value {
      case nil: return nil
      case let object as any Entity: value = try object.value(forKey: name)
      case let link as any AnyLink: value = try link.target?.value(forKey: name)
      case let array as [Any] where name == "count": value = array.count
      case let members as [String: Any]: value = name == "count" ? members.count : members[name]
      default:
        throw NacreError(
          .noSuchProperty,
          entity: Self.entitySchema.name,
          property: path,
          detail: "the value before “\(name)” in the path has no properties"
        )
      }
    }
    return value
  }

  /// Sets the property of that name, converting the value to the property's type.
  ///
  /// Accepts, besides the property's own type: for a date, seconds since 1970 or ISO 8601 text; for
  /// a URL, text; for a UUID, text or 16 bytes; for bytes, Base64; for a Decimal, a number or text;
  /// for a Bool, 0 or 1; for an enum, its raw value; for a link, an object or objectID; for a
  /// property stored as JSON, any JSON value.
  ///
  /// - Parameters:
  ///   - value: the value; nil and `NSNull` are an optional's nil.
  ///   - name: the property's name in Swift.
  /// - Throws: ``NacreError/Code/noSuchProperty``; ``NacreError/Code/valueMismatch`` for a value
  ///   that does not fit, and then the property keeps its old value.
  public func setValue(_ value: Any?, forKey name: String) throws {
    try Self.entitySchema.setter(of: name, value, entityState)(self)
  }
}

extension EntitySchema {
  /// Returns the property of that name.
  ///
  /// - Throws: `noSuchProperty`.
  func known(_ name: String) throws -> Property {
    if let property = property(named: name) { return property }
    throw unknown(name)
  }

  fileprivate func unknown(_ name: String) -> NacreError {
    NacreError(.noSuchProperty, entity: self.name, property: name)
  }

  /// Converts a value now and returns a closure that sets the property of an object to it.
  func setter(
    of name: String,
    _ value: Any?,
    _ state: EntityState
  ) throws -> (any Entity) -> Void {
    let property = try known(name)
    do {
      return try property.access.setter(value)
    } catch {
      let identity = state.hasIdentity ? state.identity : nil
      throw NacreError.wrap(error, at: self, property: property.index, identity: identity)
    }
  }
}
