public import Foundation
import NacreEngine
import NacreStore

/// A number whose values can be added up: an integer, a floating-point number, a `Decimal`, or an
/// optional of one.
public protocol SummableValue: StorableValue {
  /// The type of the sum: `Int` for integers, `Double` for floating-point numbers.
  associatedtype Sum: StorableValue & AdditiveArithmetic
}

extension SummableValue where Self: FixedWidthInteger {
  /// 64 signed bits, whatever the width of the property.
  public typealias Sum = Int
}

extension Int: SummableValue {}
extension Int8: SummableValue {}
extension Int16: SummableValue {}
extension Int32: SummableValue {}
extension Int64: SummableValue {}
extension UInt: SummableValue {}
extension UInt8: SummableValue {}
extension UInt16: SummableValue {}
extension UInt32: SummableValue {}
extension UInt64: SummableValue {}

extension Double: SummableValue {
  /// 64 bits.
  public typealias Sum = Double
}

extension Float: SummableValue {
  /// 64 bits.
  public typealias Sum = Double
}

extension Decimal: SummableValue {
  /// A `Decimal`, which keeps every digit.
  public typealias Sum = Decimal
}

extension Optional: SummableValue where Wrapped: SummableValue {
  /// The sum type of the wrapped values.
  public typealias Sum = Wrapped.Sum
}
