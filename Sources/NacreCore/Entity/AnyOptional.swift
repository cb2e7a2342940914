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
  guard let optional = value as? any AnyOptional else { return value }
  return optional.wrapped.flatMap { unwrapped($0) }
}

/// Returns a type without its optionals.
package func unwrapped(_ type: Any.Type) -> Any.Type {
  guard let optional = type as? any AnyOptional.Type else { return type }
  return unwrapped(optional.wrappedType)
}
