public import Foundation

/// One value of a column, of one of SQLite's five storage classes.
public enum Value: Hashable, Sendable {
  /// SQL NULL.
  case null
  /// A signed integer of 64 bits.
  case integer(Int64)
  /// An IEEE 754 number of 64 bits.
  case real(Double)
  /// UTF-8 text.
  case text(String)
  /// Bytes.
  case blob(Data)

  /// The storage class of the value.
  public var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}

// Not ExpressibleByNilLiteral: comparing an optional `Value` with nil must not compare it with NULL.
extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral
{
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// Makes text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Makes 1 for true and 0 for false.
  public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension Value: StorableValue {
  /// A column of type `Value` holds any storage class; BLOB affinity stores each value unchanged.
  public static var storageClass: StorageClass { .blob }
  /// True: NULL is a value like any other.
  public static var acceptsNull: Bool { true }
  /// The value itself.
  public var storedValue: Value { self }
  /// Takes any value.
  public init(storedValue: Value) { self = storedValue }
}
