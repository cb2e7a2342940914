public import Foundation
import NacreEngine
import NacreStore

/// A change that ``Query/updateAll(_:)-(Assignment<Row>...)`` makes to one property of each object
/// or record.
public struct Assignment<Row> {
  private let make: (RowSchema) throws -> PropertyChange

  private init(
    _ path: AnyKeyPath,
    _ kind: @escaping (Property, RowSchema) throws -> PropertyChange.Kind
  ) {
    make = { schema in
      guard let property = schema.property(path), property.hasColumn else {
        throw schema.error(.noSuchProperty, path, "is neither a stored value nor a link")
      }
      do {
        return PropertyChange(property: property, kind: try kind(property, schema))
      } catch {
        throw NacreError.wrap(error, at: schema, property: property.index, identity: nil)
      }
    }
  }

  /// Returns the change, with its value encoded by the store's options.
  func change(in schema: RowSchema, for store: Store) throws -> PropertyChange {
    try JSONOptions.using(store) { try make(schema) }
  }

  /// Sets a property, plain or sealed, to a value.
  ///
  /// Nil sets a record's column to its default, if it has one.
  public static func set<V>(_ property: KeyPath<Row, V>, to value: V) -> Assignment {
    Assignment(property) { property, schema in
      guard case .value(let kind) = property.kind else {
        throw NacreError(.noSuchProperty, detail: "a child can be set only by saving its parent")
      }
      let value = try kind.encode(value)
      return .set(value == .null ? try schema.preset(property) : value)
    }
  }

  /// Sets a link to a stored object, or to nil.
  public static func set<T: Entity>(
    _ property: KeyPath<Row, Link<T>?>,
    to link: Link<T>?
  ) -> Assignment {
    Assignment(property) { _, _ in .set(link.map { .blob($0.identity.data) } ?? .null) }
  }

  /// Adds an amount to a plain property of each row; nil stays nil.
  ///
  /// A sum that the property can't hold is an error, and nothing is changed then.
  public static func increment<V: SummableValue & FixedWidthInteger>(
    _ property: KeyPath<Row, V>,
    by amount: V
  ) -> Assignment {
    increment(property, amount)
  }

  /// Adds an amount to an optional plain property of each row; nil stays nil.
  ///
  /// A sum that the property can't hold is an error, and nothing is changed then.
  public static func increment<V: SummableValue & FixedWidthInteger>(
    _ property: KeyPath<Row, V?>,
    by amount: V
  ) -> Assignment {
    increment(property, amount)
  }

  /// Adds an amount to a plain property of each row.
  public static func increment<V: SummableValue & BinaryFloatingPoint>(
    _ property: KeyPath<Row, V>,
    by amount: V
  ) -> Assignment {
    increment(property, Double(amount))
  }

  /// Adds an amount to an optional plain property of each row; nil stays nil.
  public static func increment<V: SummableValue & BinaryFloatingPoint>(
    _ property: KeyPath<Row, V?>,
    by amount: V
  ) -> Assignment {
    increment(property, Double(amount))
  }

  /// Adds an amount to a plain decimal of each row, without rounding.
  ///
  /// A sum with more digits than a `Decimal` keeps is an error, and nothing is changed then.
  public static func increment(
    _ property: KeyPath<Row, Decimal>,
    by amount: Decimal
  ) -> Assignment {
    increment(property, amount)
  }

  /// Adds an amount to an optional plain decimal of each row, without rounding; nil stays nil.
  ///
  /// A sum with more digits than a `Decimal` keeps is an error, and nothing is changed then.
  public static func increment(
    _ property: KeyPath<Row, Decimal?>,
    by amount: Decimal
  ) -> Assignment {
    increment(property, amount)
  }

  private static func increment(_ path: AnyKeyPath, _ amount: Decimal) -> Assignment {
    Assignment(path) { property, _ in
      try refuseSealed(property)
      return .addDecimal(try amount.storedValue)
    }
  }

  private static func increment(_ path: AnyKeyPath, _ amount: Double) -> Assignment {
    Assignment(path) { property, _ in
      try refuseSealed(property)
      // SQLite would treat a NaN as NULL.
      if amount.isNaN { throw ValueError.outOfRange(type: "Double") }
      return .addReal(amount)
    }
  }

  private static func increment<V: SummableValue & FixedWidthInteger>(
    _ path: AnyKeyPath,
    _ amount: V
  ) -> Assignment {
    Assignment(path) { property, _ in
      try refuseSealed(property)
      guard let amount = Int64(exactly: amount) else {
        throw ValueError.outOfRange(type: "\(V.self)")
      }
      return .addInteger(amount, bounds: Int64(clamping: V.min)...Int64(clamping: V.max))
    }
  }

  private static func refuseSealed(_ property: Property) throws {
    guard property.isSealed else { return }
    throw NacreError(.sealedCondition, detail: "the database can't add to a sealed value")
  }
}

/// One change of one property.
package struct PropertyChange: Sendable {
  enum Kind: Sendable {
    case set(Value)
    /// Adds to an integer; the property can hold only values inside the bounds.
    case addInteger(Int64, bounds: ClosedRange<Int64>)
    case addReal(Double)
    /// Adds to a decimal, which is stored as text, as the amount is.
    case addDecimal(Value)
  }

  /// The property.
  package let property: Property
  let kind: Kind

  /// Returns how an UPDATE on a connection makes the change.
  package func valueChange(on session: EntitySession) throws -> ValueChange {
    switch kind {
    case .set: .set
    case .addInteger, .addReal: .add
    case .addDecimal: .call(try session.name(of: .addDecimals))
    }
  }

  /// The argument of the statement that makes the change.
  package var argument: Value {
    switch kind {
    case .set(let value): value
    case .addInteger(let amount, _): .integer(amount)
    case .addReal(let amount): .real(amount)
    case .addDecimal(let amount): amount
    }
  }

  /// The greatest or least old value for which the sum stays within bounds; nil if the change has
  /// no such limit.
  var limit: (isGreater: Bool, value: Int64)? {
    guard case .addInteger(let amount, let bounds) = kind, amount != 0 else { return nil }
    if amount > 0 {
      return (true, bounds.upperBound.subtractingReportingOverflow(amount).partialValue)
    }
    let (least, overflow) = bounds.lowerBound.subtractingReportingOverflow(amount)
    return (false, overflow ? .max : least)
  }
}
