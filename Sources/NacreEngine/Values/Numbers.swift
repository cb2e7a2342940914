public import Foundation

extension Double: StorableValue {
  /// REAL.
  @inlinable public static var storageClass: StorageClass { .real }

  /// The number; a NaN is an error, because SQLite would store it as NULL.
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
  /// - Throws: ``ValueError`` when the value is not a number.
  public init(storedValue: Value) throws { self = Float(try Double(storedValue: storedValue)) }
}

extension Decimal: StorableValue {
  /// TEXT, which keeps every digit.
  ///
  /// Columns of entities and records have the collation `nacre_decimal`, which compares their texts as numbers; texts
  /// that are not numbers come after all numbers. In a table that an earlier version made, or that your own SQL makes,
  /// the columns lack this collation, and 10 sorts before 9. To order or compare by such a column, name the collation,
  /// as in `where("cost COLLATE nacre_decimal > ?", cost)`, or let `migrate` rebuild the table.
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
  /// - Throws: ``ValueError`` when the value is not a text, or the text is not a number.
  public init(storedValue: Value) throws {
    let text = try String(storedValue: storedValue)
    guard Decimal.isNumber(text.utf8[...]),
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN
    else { throw ValueError.malformed(type: "Decimal") }
    self = value
  }

  /// Whether the whole text is a number; `Decimal(string:)` also accepts a number that other characters follow.
  package static func isNumber(_ text: String.UTF8View.SubSequence) -> Bool {
    var rest = text
    func skipDigits() -> Int {
      let count = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
      rest = rest.dropFirst(count)
      return count
    }
    _ = rest.take("+-")
    var digitCount = skipDigits()
    if rest.take(".") { digitCount += skipDigits() }
    guard digitCount > 0 else { return false }
    if rest.take("eE") {
      _ = rest.take("+-")
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
  /// `Date` itself counts from 2001, so a present-day date can come back up to 0.24 µs off; whole seconds are exact.
  public var storedValue: Value { get throws { try timeIntervalSince1970.storedValue } }

  /// Makes the date from seconds since 1970.
  ///
  /// - Throws: ``ValueError`` when the value is not a number.
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
