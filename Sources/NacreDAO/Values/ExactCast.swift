/// A value of just that type, or nil: a cast, which also looks for conversions, costs many times as much.
///
/// An object that was made an `Any` as one of its superclass is none of its own class here; a cast finds it.
@inline(__always)
func exact<T>(_ value: Any, _ type: T.Type) -> T? {
  func open<V>(_ value: V) -> T? { V.self == T.self ? unsafeBitCast(value, to: T.self) : nil }
  return _openExistential(value, do: open)
}

/// Gives `body` a value of a type, where it is one.
@inline(__always)
func withValue<T>(_ value: Any, _ type: T.Type, _ body: (T) throws -> Void) rethrows {
  func open<V>(_ opened: V) throws {
    if V.self == T.self {
      try body(unsafeBitCast(opened, to: T.self))
    } else {
      try withCast(value, type, body)
    }
  }
  try _openExistential(value, do: open)
}

/// Apart, for an optional of a type that is not known here costs a look-up.
@inline(never)
private func withCast<T>(_ value: Any, _ type: T.Type, _ body: (T) throws -> Void) rethrows {
  if let value = value as? T { try body(value) }
}
