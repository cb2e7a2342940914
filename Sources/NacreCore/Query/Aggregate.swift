import Foundation
import NacreEngine
import NacreStore

/// What ``Query/groups(by:_:)`` computes for each group of rows: a sum, an average, the least or
/// greatest value, or a number of rows or values.
///
/// A sealed property is an error that names it, because the database sees only its envelopes.
public struct Aggregate<Row, Result> {
  let kind: RowSQL.Aggregate
  /// The property; nil for the number of rows.
  let path: PartialKeyPath<Row>?
  /// Makes the result of what the database computed of the property; nil stands for the objectID.
  let read: (Value, Property?) throws -> Result

  private init(
    _ kind: RowSQL.Aggregate,
    _ path: PartialKeyPath<Row>?,
    _ read: @escaping (Value, Property?) throws -> Result
  ) {
    (self.kind, self.path, self.read) = (kind, path, read)
  }

  /// The sum of a property's values, which is 0 if there are none.
  ///
  /// A sum that does not fit in its type is an error.
  public static func sum<V: SummableValue>(_ property: KeyPath<Row, V>) -> Aggregate
  where Result == V.Sum {
    // SQLite would add the texts of decimals as floating-point numbers.
    guard V.Sum.self == Decimal.self else {
      return Aggregate(.sum, property) { value, _ in
        value == .null ? .zero : try V.Sum(storedValue: value)
      }
    }
    return Aggregate(.texts, property) { value, _ in
      guard let sum = try sumOfDecimals(value) as? V.Sum else {
        throw ValueError.malformed(type: "\(V.Sum.self)")
      }
      return sum
    }
  }

  /// The mean of a property's values; nil if there are none.
  public static func average<V: SummableValue>(_ property: KeyPath<Row, V>) -> Aggregate
  where Result == Double? {
    Aggregate(.average, property) { value, _ in try Optional<Double>(storedValue: value) }
  }

  /// The least value of a property, in the order that a sort uses; nil if there are no values.
  public static func min<V: StorableValue & Comparable>(_ property: KeyPath<Row, V>) -> Aggregate
  where Result == V? {
    Aggregate(.minimum, property) { try extreme($0, $1) }
  }

  /// The least value of an optional property; nil if there are no values.
  public static func min<V: StorableValue & Comparable>(_ property: KeyPath<Row, V?>) -> Aggregate
  where Result == V? {
    Aggregate(.minimum, property) { try extreme($0, $1) }
  }

  /// The greatest value of a property, in the order that a sort uses; nil if there are no values.
  public static func max<V: StorableValue & Comparable>(_ property: KeyPath<Row, V>) -> Aggregate
  where Result == V? {
    Aggregate(.maximum, property) { try extreme($0, $1) }
  }

  /// The greatest value of an optional property; nil if there are no values.
  public static func max<V: StorableValue & Comparable>(_ property: KeyPath<Row, V?>) -> Aggregate
  where Result == V? {
    Aggregate(.maximum, property) { try extreme($0, $1) }
  }

  /// Adds decimals whose texts stand between blanks; no text is no decimals.
  private static func sumOfDecimals(_ texts: Value) throws -> Decimal {
    if texts == .null { return 0 }
    var sum = Decimal(0)
    for text in try String(storedValue: texts).split(separator: " ") {
      sum += try Decimal(storedValue: .text(String(text)))
    }
    if sum.isNaN { throw NacreError(.overflow) }
    return sum
  }

  private static func extreme<V: StorableValue>(_ value: Value, _ property: Property?) throws -> V?
  {
    if value == .null { return nil }
    // Decode by the property, because its column may have another form than the type usually has.
    guard case .value(let kind)? = property?.kind else { return try V(storedValue: value) }
    return try kind.decode(value) as? V
  }
}

extension Aggregate where Result == Int {
  /// How many rows the group has.
  public static var count: Aggregate {
    Aggregate(.rowCount, nil) { value, _ in try Int(storedValue: value) }
  }

  /// How many different values a property has; nil does not count as a value.
  public static func count<V>(distinct property: KeyPath<Row, V>) -> Aggregate {
    Aggregate(.distinctCount, property) { value, _ in try Int(storedValue: value) }
  }
}
