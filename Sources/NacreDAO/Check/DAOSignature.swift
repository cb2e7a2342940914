import NacreCore

/// A method of a protocol, as the configuration must have it.
public struct DAOSignature: Sendable {
  let id: String
  let arguments: [any Any.Type]
  let result: any Any.Type
  let place: String

  /// Describes a method, which is identified by its name without labels and its number of arguments.
  ///
  /// - Parameters:
  ///   - id: the method's name, which is its id in the configuration.
  ///   - arguments: the types of its arguments.
  ///   - result: the type that it returns: a value, a ``DAOResult``, or nothing.
  ///   - place: where it is declared; the error for a mismatch names it.
  public init(
    _ id: String,
    _ arguments: [any Any.Type],
    _ result: any Any.Type,
    at place: String
  ) {
    (self.id, self.arguments, self.result, self.place) = (id, arguments, result, place)
  }
}

extension DAOSignature {
  /// The types of its arguments and its result, or of their elements, that a configuration can name.
  var models: [any Any.Type] {
    (arguments + [result]).map(ContainedType.innermost).filter { type in
      !(type is any StorableValue.Type) && !(type is any NamedValues.Type)
        && !Self.isExistential(type)
    }
  }

  /// Whether a type is an existential; only a value tells which type is in it.
  static func isExistential(_ type: any Any.Type) -> Bool {
    guard let mangled = _mangledTypeName(type) else { return false }
    // The suffixes in the ABI: a protocol; with AnyObject; with a class; with its associated types.
    return ["p", "_Xl", "yXl", "Xc", "XP"].contains(where: mangled.hasSuffix)
  }
}
