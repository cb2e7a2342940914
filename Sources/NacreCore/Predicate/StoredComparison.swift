import Foundation
import NacreEngine
import NacreStore

/// Checks whether stored forms compare like the values in Swift.
enum StoredComparison {
  /// Refuses a type of which equal values can have different stored forms.
  static func checkEquality(_ type: Any.Type) throws {
    let type = unwrapped(type)
    let isStored = type is any StorableValue.Type || type is any RawRepresentable.Type
    if isStored && !(type is any StoredAsJSON.Type) { return }
    throw NacreError.untranslatable(
      "a comparison of \(type), which is stored as JSON",
      instead: "make the type a StorableValue, or compare a property of its own"
    )
  }

  /// The function that orders values of a type; nil if their stored forms have the same order.
  ///
  /// - Throws: `untranslatablePredicate` for a type with an order of its own.
  static func order(of type: Any.Type) throws -> EngineFunction? {
    let type = unwrapped(type)
    if type == Decimal.self { return .compareDecimals }
    if type == String.self || type == Date.self || type == UUID.self { return nil }
    if type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type { return nil }
    throw NacreError.untranslatable(
      "the order of \(type), which may differ from the order of its stored values",
      instead: "order by a number or text"
    )
  }

  /// Refuses a comparison of two properties that store the same type in different forms.
  static func check(_ a: Property, _ b: Property, _ schema: RowSchema) throws {
    guard case .value(let one) = a.kind, case .value(let other) = b.kind, a !== b else { return }
    // A date has several forms; encoding one sample date tells them apart.
    let moment = Date(timeIntervalSince1970: 0.5)
    let (first, second) = (try? one.encode(moment), try? other.encode(moment))
    if one.storageClass == other.storageClass && first == second { return }
    throw schema.error(
      .untranslatablePredicate,
      of: a,
      "\(a.name) and \(b.name) are stored in different forms"
    )
  }
}
