import NacreEngine
import NacreStore

/// What the type of a property says of the values in its column.
package struct ValueForm: Sendable {
  let storageClass: StorageClass
  /// Whether the property is a `Value`, which can be of any storage class.
  let takesAnyClass: Bool
  /// The form in which a date is stored; nil for a value of another type.
  let dateForm: DateForm?
  /// Whether the value is stored as the digits of a `Decimal`.
  let isDecimal: Bool
  let acceptsNull: Bool
  /// Whether the values are stored as their own type stores them.
  let isOwn: Bool
  /// Whether the type has so few values that an index reveals each of them.
  let hasFewValues: Bool

  /// Asks the type of a property, and the type as which its values are stored.
  package init<V, S: StorableValue>(_ type: V.Type, storedAs stored: S.Type) {
    storageClass = S.storageClass
    takesAnyClass = S.self == Value.self || S.self == Value?.self
    dateForm = DateForm(storedAs: S.self)
    isDecimal = S.self is any StoredAsDecimal.Type
    acceptsNull = S.acceptsNull
    isOwn = V.self == S.self
    hasFewValues = Self.hasFewValues(type)
  }

  /// Returns whether a type has so few values that an index reveals them to anyone who counts.
  ///
  /// These are Bool, types that list their cases, and enums that are stored by their raw value.
  private static func hasFewValues(_ type: Any.Type) -> Bool {
    let wrapped = unwrapped(type)
    return wrapped == Bool.self || wrapped is any CaseIterable.Type
      || (wrapped is any RawRepresentable.Type && !(wrapped is any StorableValue.Type))
  }
}
