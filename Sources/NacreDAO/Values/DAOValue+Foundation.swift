import Foundation
import NacreCore

// Values of types that stand for a text, a number or a date, and are no `String`, `Int` or `Date`.

extension DAOValue {
  /// The text of a part of a text, of a character, or of one of Foundation's own texts; nil for any other value.
  static func otherText(_ value: Any) -> String? {
    // Comparing types costs next to nothing; a cast also looks for conversions.
    let type = type(of: value)
    if type == Substring.self { return (value as? Substring).map { String($0) } }
    if type == Character.self { return (value as? Character).map { String($0) } }
    guard type is NSString.Type, let text = value as? NSString else { return nil }
    return text.substring(from: 0)
  }

  /// The stored form of one of Foundation's own numbers or dates; nil for any other value.
  ///
  /// - Throws: `ValueError` for a number that has no stored form.
  static func foundationValue(_ value: Any) throws -> Value? {
    let type = type(of: value)
    if type is NSNumber.Type, let number = value as? NSNumber { return try number.numberValue }
    if type is NSDate.Type, let date = value as? NSDate {
      let seconds = date.timeIntervalSinceReferenceDate
      return try Date(timeIntervalSinceReferenceDate: seconds).storedValue
    }
    return nil
  }

  /// One of Foundation's own numbers or dates, or a text that is no `String`, as an operand; nil for any other value.
  static func otherOperand(_ value: Any) -> Operand? {
    if let text = otherText(value) { return .text(text) }
    guard type(of: value) is AnyClass else { return nil }
    do {
      switch try foundationValue(value) {
      case .integer(let number): return .integer(number)
      case .real(let number): return .real(number)
      default: return nil
      }
    } catch {
      // A whole number beyond 64 signed bits.
      return (value as? NSNumber).map { .real($0.doubleValue) }
    }
  }
}
