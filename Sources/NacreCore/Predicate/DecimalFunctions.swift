import Foundation
import NacreSQLite

/// The order of decimals, which are stored as text.
package enum DecimalFunctions {
  /// -1, 0 or 1; NULL where a text is no number.
  static let compare = ScalarFunction("nacre_compare_decimal", argumentCount: 2) { arguments in
    if arguments.hasNull { return .null }
    guard let a = decimal(arguments.utf8(at: 0)), let b = decimal(arguments.utf8(at: 1)) else {
      return .null
    }
    return .integer(a < b ? -1 : a == b ? 0 : 1)
  }

  /// The same order for columns, and for the application's own SQL; what is no number comes behind all numbers, in the
  /// order of the text.
  package static let collation = Collation("nacre_decimal") { one, other in
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

/// A decimal of few digits, compared without making one: an index compares at every step of a search.
///
/// It orders as `Decimal` does, which holds that many digits exactly.
private struct PlainDigits: Comparable {
  private var isNegative = false
  private var whole: UInt64 = 0
  /// In units of the 18th place behind the point.
  private var fraction: UInt64 = 0

  /// How many digits stand before the point, or behind it, at most.
  private static let digitLimit = 18

  /// Nil for a text of another form, such as one with an exponent.
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

  /// How many digits were taken; nil for none, and for too many.
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
