import Foundation

// Properties by their names, for callers who learn them only when the program runs.

extension Entity {
  /// The value of the property of that name; nil is an optional's nil.
  ///
  /// A child is its object, children an array of them, a link a `Link`. `objectID` is a name, too.
  ///
  /// - Parameter name: the property's name in Swift.
  /// - Returns: the value.
  /// - Throws: ``NacreError/Code/noSuchProperty``.
  public func value(forKey name: String) throws -> Any? {
    if name == "objectID" { return objectID }
    return try Self.entitySchema.known(name).access.get(self)
  }

  /// The value at the end of a path of names, such as `"engine.cylinders"`; nil where a child on the way is nil.
  ///
  /// A link on the way is followed where its object is loaded, and counts as nil otherwise. `count` is the number of
  /// elements of what is an array.
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
          detail: "what stands before “\(name)” has no properties"
        )
      }
    }
    return value
  }

  /// Sets the property of that name, converting the value to the property's type.
  ///
  /// A date is also taken as seconds since 1970 or as ISO 8601 text, a URL as text, a UUID as text or 16 bytes, bytes as
  /// Base64, a Decimal as a number or text, a Bool as 0 or 1, an enum by its raw value, a link by an object or objectID, and
  /// what is stored as JSON by what JSON has.
  ///
  /// - Parameters:
  ///   - value: the value; nil and `NSNull` are an optional's nil.
  ///   - name: the property's name in Swift.
  /// - Throws: ``NacreError/Code/noSuchProperty``; ``NacreError/Code/valueMismatch`` for a value that does not fit, with the
  ///   property left as it was.
  public func setValue(_ value: Any?, forKey name: String) throws {
    try Self.entitySchema.setter(of: name, value, entityState)(self)
  }
}

extension EntitySchema {
  /// The property of that name.
  ///
  /// - Throws: `noSuchProperty`.
  func known(_ name: String) throws -> Property {
    if let property = property(named: name) { return property }
    throw NacreError(.noSuchProperty, entity: self.name, property: name)
  }

  /// What sets a property of an object to a value, which is converted now.
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

/// A link, whatever its target.
protocol AnyLink {
  var target: (any Entity)? { get }
  var targetID: UUID { get }
}

extension Link: AnyLink {
  var target: (any Entity)? { loaded }
  var targetID: UUID { objectID }
}
