/// An optional of any wrapped type.
package protocol AnyOptional {
  static var wrappedType: Any.Type { get }
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  package static var wrappedType: Any.Type { Wrapped.self }
  package var wrapped: Any? { self }
}

/// Returns the value inside any number of nested optionals, or nil.
func unwrapped(_ value: Any) -> Any? {
  // Comparing types costs next to nothing; asking for the protocol costs a thousand instructions.
  let type = type(of: value)
  if type == Int.self || type == String.self || type == Bool.self || type == Double.self {
    return value
  }
  guard let optional = value as? any AnyOptional else { return value }
  return optional.wrapped.flatMap { unwrapped($0) }
}

/// Returns a type without its optionals.
package func unwrapped(_ type: Any.Type) -> Any.Type {
  guard let optional = type as? any AnyOptional.Type else { return type }
  return unwrapped(optional.wrappedType)
}
