import NacreStore

extension RowSchema {
  /// Makes an error that names the class or record, and the property if it is about one.
  package func error(
    _ code: NacreError.Code,
    of property: Property? = nil,
    _ detail: String? = nil
  ) -> NacreError {
    NacreError(code, entity: name, property: property?.name, detail: detail)
  }

  /// Makes an error about a key path, such as "is not a stored value".
  ///
  /// It names a stored property, and of any other only the type: the description of a key path to a
  /// computed property is an address, and `@Entity` makes all properties computed ones.
  package func error(_ code: NacreError.Code, _ path: AnyKeyPath, _ what: String) -> NacreError {
    if let property = property(path) { return error(code, of: property, "it \(what)") }
    return error(code, "a key path to \(Swift.type(of: path).valueType) \(what)")
  }

  /// Returns the property behind a key path.
  ///
  /// - Throws: `noSuchProperty`.
  package func stored(_ path: AnyKeyPath) throws -> Property {
    guard let property = property(path) else {
      throw error(.noSuchProperty, path, "is not a stored property")
    }
    return property
  }
}
