import NacreCore

/// The value if it has exactly that type, or else nil; a cast, which also looks for conversions, costs many times as
/// much.
///
/// An object that was put into an `Any` as its superclass is not found as its own class here; a cast finds it.
@inline(__always)
func exact<T>(_ value: Any, _ type: T.Type) -> T? {
  func open<V>(_ value: V) -> T? { V.self == T.self ? unsafeBitCast(value, to: T.self) : nil }
  return _openExistential(value, do: open)
}

/// A function of the values of one type.
private final class Taker<T> {
  let body: (T) throws -> Void

  init(_ body: @escaping (T) throws -> Void) { self.body = body }
}

/// Makes a function of any value from one of the values of a type; it leaves out values of other types.
func onValue<T>(_ body: @escaping (T) throws -> Void) -> (Any) throws -> Void {
  let taker = Taker(body)
  return { value in
    func open<V>(_ opened: V) throws {
      if V.self == T.self {
        // The types are the same, so the classes are. A cast of the value would copy it.
        try unsafeDowncast(taker, to: Taker<V>.self).body(opened)
      } else {
        try withCast(value, T.self, body)
      }
    }
    try _openExistential(value, do: open)
  }
}

/// Casts a value, in a function of its own, because an optional of a type that is not known here costs a look-up.
@inline(never)
private func withCast<T>(_ value: Any, _ type: T.Type, _ body: (T) throws -> Void) rethrows {
  if let value = value as? T { try body(value) }
}

/// The value if it is an entity, or else nil.
///
/// Only an object of a class can be one. Asked of a dictionary or a struct, a cast would first make an object of that,
/// with all that is in it.
func asEntity(_ value: Any) -> (any Entity)? {
  type(of: value) is AnyClass ? value as? any Entity : nil
}
