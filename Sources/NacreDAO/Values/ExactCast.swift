/// A value of just that type, or nil: a cast, which also looks for conversions, costs many times as much.
///
/// An object that was made an `Any` as one of its superclass is none of its own class here; a cast finds it.
@inline(__always)
func exact<T>(_ value: Any, _ type: T.Type) -> T? {
  func open<V>(_ value: V) -> T? { V.self == T.self ? unsafeBitCast(value, to: T.self) : nil }
  return _openExistential(value, do: open)
}

/// Gives `body` a value of a type, where it is one.
///
/// Of a type that is not known where this is compiled, an optional would cost a look-up.
@inline(__always)
func withValue<T>(_ value: Any, _ type: T.Type, _ body: (T) throws -> Void) rethrows {
  func open<V>(_ opened: V) throws {
    if V.self == T.self {
      try withUnsafePointer(to: opened) { pointer in
        try pointer.withMemoryRebound(to: T.self, capacity: 1) { try body($0.pointee) }
      }
    } else if let value = value as? T {
      try body(value)
    }
  }
  try _openExistential(value, do: open)
}
