public import Foundation

/// How a column stores a Date property, chosen by `@Column(dates:)`.
///
/// Nacre binds a Date argument of a condition in the form that the entity's columns use: `"due < ?", Date()`. If the
/// columns use several forms, wrap the argument in the form of the column that it is compared with: `"due < ?",
/// ISO8601Date(now)`.
public enum DateForm: Sendable {
  /// REAL: seconds since 1970 with their fraction.
  case real
  /// INTEGER: whole seconds since 1970; fractions of a second are lost, see ``IntegerDate``.
  case integer
  /// TEXT: `2026-11-21T08:30:00.125Z`; fractions of a millisecond are lost, see ``ISO8601Date``.
  case iso8601
}

/// A date that is stored as REAL, in seconds since 1970, like a plain Date.
///
/// Use it in a condition on date columns of several forms: `"begun < ? AND due < ?", RealDate(now), IntegerDate(now)`.
public struct RealDate: StorableValue, Hashable, Sendable {
  /// The date.
  public let date: Date

  /// Wraps a date.
  public init(_ date: Date) { self.date = date }

  /// REAL.
  public static var storageClass: StorageClass { .real }

  /// Seconds since 1970 with their fraction.
  ///
  /// - Throws: ``ValueError`` for a date that is not a number.
  public var storedValue: Value { get throws { try date.storedValue } }

  /// Makes the date from its seconds since 1970.
  ///
  /// - Throws: ``ValueError`` when the value is not a number.
  public init(storedValue: Value) throws { date = try Date(storedValue: storedValue) }
}

/// A date that is stored as INTEGER, in whole seconds since 1970.
///
/// The seconds are always rounded down, also before 1970, so that the stored numbers sort as the dates do.
public struct IntegerDate: StorableValue, Hashable, Sendable {
  /// The date.
  public let date: Date

  /// Wraps a date.
  public init(_ date: Date) { self.date = date }

  /// INTEGER.
  public static var storageClass: StorageClass { .integer }

  /// Whole seconds since 1970.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a date that does not fit in 64 bits.
  public var storedValue: Value {
    get throws {
      guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else {
        throw ValueError.outOfRange(type: "Date")
      }
      return .integer(seconds)
    }
  }

  /// Makes the date from its seconds since 1970.
  ///
  /// - Throws: ``ValueError`` when the value is not an INTEGER, or a Double can't hold it exactly.
  public init(storedValue: Value) throws {
    guard let seconds = Double(exactly: try Int64(storedValue: storedValue)) else {
      throw ValueError.outOfRange(type: "Date")
    }
    date = Date(timeIntervalSince1970: seconds)
  }
}

/// A date that is stored as TEXT in UTC with milliseconds: `2026-11-21T08:30:00.125Z` (ISO 8601, RFC 3339).
///
/// The texts of the years 0000 to 9999 sort as the dates do; other years are refused.
public struct ISO8601Date: StorableValue, Hashable, Sendable {
  /// The date.
  public let date: Date

  /// Wraps a date.
  public init(_ date: Date) { self.date = date }

  /// Reads a date and time with its offset from UTC in the form of RFC 3339 (section 5.6), with up to nine digits of a
  /// second's fraction and without leap seconds.
  ///
  /// A comma may stand for the point, as ISO 8601 allows.
  ///
  /// - Throws: ``ValueError/malformed(type:)`` for any other text.
  public init(_ text: String) throws {
    var reader = TimestampReader(text)
    guard let date = reader.date() else { throw ValueError.malformed(type: "Date") }
    self.date = date
  }

  /// The text, to the nearest millisecond.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a date outside of the years 0000 to 9999.
  public var text: String {
    get throws {
      let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
      guard Self.years.contains(milliseconds), let count = Int64(exactly: milliseconds) else {
        throw ValueError.outOfRange(type: "Date")
      }
      let millisecondsPerDay: Int64 = 86_400_000
      let time = (count % millisecondsPerDay + millisecondsPerDay) % millisecondsPerDay
      let day = CalendarDay(daysSince1970: (count - time) / millisecondsPerDay)
      func digits(_ number: Int64, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(count - digits.count, 0)) + digits
      }
      let clock = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60].map { digits($0, 2) }
      return "\(digits(day.year, 4))-\(digits(day.month, 2))-\(digits(day.day, 2))"
        + "T\(clock.joined(separator: ":")).\(digits(time % 1000, 3))Z"
    }
  }

  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// The ``text``.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a date outside of the years 0000 to 9999.
  public var storedValue: Value { get throws { .text(try text) } }

  /// Makes the date from its text.
  ///
  /// - Throws: ``ValueError`` when the value is not a text, or the text is not a date and time with an offset.
  public init(storedValue: Value) throws { try self.init(String(storedValue: storedValue)) }

  /// The years 0000 to 9999, in milliseconds since 1970.
  private static let years = -62_167_219_200_000.0...253_402_300_799_999
}
