public import Foundation
public import NacreSQLite

extension Double: StorableValue {
  /// REAL.
  @inlinable public static var storageClass: StorageClass { .real }

  /// The number; SQLite stores a NaN as NULL, so it is refused.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  @inlinable
  public var storedValue: Value {
    get throws {
      if isNaN { throw ValueError.outOfRange(type: "Double") }
      return .real(self)
    }
  }

  /// Makes the number from a REAL, or from an INTEGER that a Double holds exactly.
  ///
  /// - Throws: ``ValueError`` for anything else.
  @inlinable
  public init(storedValue: Value) throws {
    switch storedValue {
    case .real(let value): self = value
    case .integer(let value):
      guard let exact = Double(exactly: value) else { throw ValueError.outOfRange(type: "Double") }
      self = exact
    default: throw ValueError.unexpected(found: storedValue.storageClass, expected: .real)
    }
  }

  /// Binds the number.
  @inlinable
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    if isNaN { throw ValueError.outOfRange(type: "Double") }
    try statement.bind(self, at: index)
  }

  /// Reads the number.
  @inlinable
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> Double {
    guard let real = statement.real(at: index) else { throw statement.mismatch(.real, at: index) }
    return real
  }
}

extension Float: StorableValue {
  /// REAL.
  @inlinable public static var storageClass: StorageClass { .real }

  /// The number, widened to 64 bits.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value { get throws { try Double(self).storedValue } }

  /// Makes the number from a REAL, rounded to 32 bits.
  ///
  /// - Throws: ``ValueError`` when the value is no number.
  public init(storedValue: Value) throws { self = Float(try Double(storedValue: storedValue)) }
}

extension Decimal: StorableValue {
  /// TEXT: every digit is kept.
  ///
  /// The columns of entities and records have the collation `nacre_decimal`, by which texts compare as the numbers that
  /// they are; behind all numbers comes what is none. A table that an earlier version made has columns without it, to
  /// which 10 is less than 9: there an order, and a condition that asks for one, names it, as in
  /// `where("cost COLLATE nacre_decimal > ?", cost)`, or `migrate` rebuilds the table. So do tables of your own SQL.
  public static var storageClass: StorageClass { .text }

  /// The digits.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value {
    get throws {
      if isNaN { throw ValueError.outOfRange(type: "Decimal") }
      return .text(description)
    }
  }

  /// Makes the number from its digits.
  ///
  /// - Throws: ``ValueError`` when the value is no text or the text is no number.
  public init(storedValue: Value) throws {
    let text = try String(storedValue: storedValue)
    guard Decimal.isNumber(text.utf8[...]),
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN
    else { throw ValueError.malformed(type: "Decimal") }
    self = value
  }

  /// Whether a text is a number to its end: `Decimal(string:)` takes what stands before the first other character.
  static func isNumber(_ text: String.UTF8View.SubSequence) -> Bool {
    var rest = text
    func skipOne(of characters: StaticString) -> Bool {
      guard let first = rest.first,
        characters.withUTF8Buffer({ $0.contains(first) })
      else { return false }
      rest = rest.dropFirst()
      return true
    }
    func skipDigits() -> Int {
      let count = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
      rest = rest.dropFirst(count)
      return count
    }
    _ = skipOne(of: "+-")
    var digitCount = skipDigits()
    if skipOne(of: ".") { digitCount += skipDigits() }
    guard digitCount > 0 else { return false }
    if skipOne(of: "eE") {
      _ = skipOne(of: "+-")
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}

extension Date: StorableValue {
  /// REAL: seconds since 1970.
  @inlinable public static var storageClass: StorageClass { .real }

  /// Seconds since 1970.
  ///
  /// `Date` itself counts from 2001, so that a date of today can come back up to 0.24 µs off; whole seconds are exact.
  public var storedValue: Value { get throws { try timeIntervalSince1970.storedValue } }

  /// Makes the date from seconds since 1970.
  ///
  /// - Throws: ``ValueError`` when the value is no number.
  public init(storedValue: Value) throws {
    self.init(timeIntervalSince1970: try Double(storedValue: storedValue))
  }

  /// Binds the seconds since 1970.
  @inlinable
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    try timeIntervalSince1970.bind(to: statement, at: index)
  }

  /// Reads the seconds since 1970.
  @inlinable
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> Date {
    Date(timeIntervalSince1970: try Double.read(from: statement, at: index))
  }
}
