import Foundation

/// Whether what is stored compares as the values in Swift do.
enum StoredComparison {
  /// How values of a type are ordered.
  enum Order {
    /// As their stored forms are.
    case stored
    /// By a function.
    case decimal
  }

  /// Refuses a type whose stored forms can differ although its values are equal.
  static func checkEquality(_ type: Any.Type) throws {
    let type = unwrapped(type)
    if type is any StorableValue.Type || type is any RawRepresentable.Type { return }
    throw NacreError.untranslatable(
      "a comparison of \(type), which is stored as JSON",
      instead: "make the type a StorableValue, or compare a property of its own"
    )
  }

  /// How values of a type are ordered; a type whose order is its own is refused.
  static func order(of type: Any.Type) throws -> Order {
    let type = unwrapped(type)
    if type == Decimal.self { return .decimal }
    if type == String.self || type == Date.self || type == UUID.self { return .stored }
    if type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type { return .stored }
    throw NacreError.untranslatable(
      "the order of \(type), which need not be that of what is stored",
      instead: "order by a number or text"
    )
  }

  /// Refuses a comparison of two properties that store the same type each in another form.
  static func check(_ a: Property, _ b: Property, _ schema: EntitySchema) throws {
    guard case .value(let one) = a.kind, case .value(let other) = b.kind, a !== b else { return }
    // A date has several forms; one moment tells them apart.
    let moment = Date(timeIntervalSince1970: 0.5)
    let (first, second) = (try? one.encode(moment), try? other.encode(moment))
    if one.storageClass == other.storageClass && first == second { return }
    throw NacreError(
      .untranslatablePredicate,
      entity: schema.name,
      property: a.name,
      detail: "\(a.name) and \(b.name) are stored in different forms"
    )
  }
}
