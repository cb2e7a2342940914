import NacreCore

/// A property of an object, as it was read; in its stored form if that is known already.
enum Field {
  case value(Value)
  case object(Any?)
  /// The object has no such property.
  case missing
}
