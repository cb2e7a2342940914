import Foundation
import NacreEngine

/// Compares and adds decimals, which are stored as text.
enum DecimalFunctions {
  /// Returns -1, 0 or 1, or NULL if one of the texts is not a number.
  static let compare = ScalarFunction("nacre_compare_decimal", argumentCount: 2) {
    arguments in
    if arguments.hasNull { return .null }
    guard let a = decimal(arguments.utf8(at: 0)), let b = decimal(arguments.utf8(at: 1)) else {
      return .null
    }
    return .integer(a < b ? -1 : a == b ? 0 : 1)
  }

  /// Returns the exact sum, or NULL if one of the texts is not a number or the sum would be rounded.
  static let add = ScalarFunction("nacre_add_decimal", argumentCount: 2) { arguments in
    if arguments.hasNull { return .null }
    guard let a = decimal(arguments.utf8(at: 0)), let b = decimal(arguments.utf8(at: 1)) else {
      return .null
    }
    // A rounded sum gives back only one of its parts, or neither; Foundation reports no error.
    let sum = a + b
    guard !sum.isNaN, sum - a == b, sum - b == a else { return .null }
    return .string(sum.description)
  }

  /// The same order for columns, and for the application's own SQL.
  ///
  /// Texts that are not numbers come after all numbers, ordered as texts.
  static let collation = Collation(EngineCollation.decimals) { one, other in
    if one.elementsEqual(other) { return 0 }
    if let a = PlainDigits(one), let b = PlainDigits(other) { return a < b ? -1 : a == b ? 0 : 1 }
    return switch (decimal(one), decimal(other)) {
    case (let a?, let b?): a < b ? -1 : a == b ? 0 : 1
    case (.some, nil): -1
    case (nil, .some): 1
    case (nil, nil):
      one.lexicographicallyPrecedes(other) ? -1 : one.elementsEqual(other) ? 0 : 1
    }
  }

  private static func decimal(_ utf8: UnsafeRawBufferPointer) -> Decimal? {
    try? Decimal(storedValue: .text(String(decoding: utf8, as: UTF8.self)))
  }
}

/// A decimal with few digits, compared without making a `Decimal`, because an index compares at
/// every step of a search.
///
/// Its order is that of `Decimal`, which holds this many digits exactly.
private struct PlainDigits: Comparable {
  private var isNegative = false
  private var whole: UInt64 = 0
  /// The digits after the point, in units of the 18th decimal place.
  private var fraction: UInt64 = 0

  /// The maximum number of digits before the point, and after it.
  private static let digitLimit = 18

  /// Is nil if the text has another form, such as an exponent.
  init?(_ utf8: UnsafeRawBufferPointer) {
    var rest = utf8[...]
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest = rest.dropFirst()
    }
    guard PlainDigits.take(&rest, &whole) != nil else { return nil }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard let count = PlainDigits.take(&rest, &fraction) else { return nil }
      for _ in count..<PlainDigits.digitLimit { fraction *= 10 }
    }
    guard rest.isEmpty else { return nil }
    if whole == 0 && fraction == 0 { isNegative = false }
  }

  /// Reads digits and returns how many; nil if there are none or too many.
  private static func take(
    _ rest: inout Slice<UnsafeRawBufferPointer>,
    _ number: inout UInt64
  ) -> Int? {
    var count = 0
    while let digit = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit {
      count += 1
      if count > digitLimit { return nil }
      number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
      rest = rest.dropFirst()
    }
    return count == 0 ? nil : count
  }

  static func < (a: PlainDigits, b: PlainDigits) -> Bool {
    if a.isNegative != b.isNegative { return a.isNegative }
    let (lesser, greater) = a.isNegative ? (b, a) : (a, b)
    return (lesser.whole, lesser.fraction) < (greater.whole, greater.fraction)
  }
}
