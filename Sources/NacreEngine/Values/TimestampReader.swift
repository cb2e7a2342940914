package import Foundation

/// Reads `2026-11-21T08:30:00.125Z`, character by character.
package struct TimestampReader {
  private var rest: Substring.UTF8View

  package init(_ text: String) { rest = text[...].utf8 }

  /// The date, or nil unless the whole text is such a time.
  package mutating func date() -> Date? {
    guard let year = digits(4), rest.take("-"), let month = digits(2), rest.take("-"),
      let day = digits(2), rest.take("Tt"), let hour = digits(2), rest.take(":"),
      let minute = digits(2), rest.take(":"), let second = digits(2), let fraction = fraction(),
      let offset = offset(), rest.isEmpty
    else { return nil }
    guard let calendarDay = CalendarDay(year: year, month: month, day: day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let seconds =
      calendarDay.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
    // One division of the whole milliseconds, so that they read back exactly, to the last bit.
    let milliseconds = seconds * 1000 + fraction / 1_000_000
    let below = Double(fraction % 1_000_000) / 1_000_000_000
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000 + below)
  }

  private mutating func digits(_ count: Int) -> Int64? {
    let taken = rest.prefix(count)
    guard taken.count == count,
      taken.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    rest = rest.dropFirst(count)
    return Int64(Substring(taken))
  }

  /// The nanoseconds; 0 if there is no fraction, nil if no digit follows the point.
  private mutating func fraction() -> Int64? {
    guard rest.take(".,") else { return 0 }
    var (nanoseconds, count): (Int64, Int) = (0, 0)
    while count < 9, let digit = digits(1) {
      nanoseconds = nanoseconds * 10 + digit
      count += 1
    }
    guard count > 0 else { return nil }
    return (count..<9).reduce(nanoseconds) { number, _ in number * 10 }
  }

  /// Seconds east of UTC.
  private mutating func offset() -> Int64? {
    if rest.take("Zz") { return 0 }
    let isEast = rest.take("+")
    guard isEast || rest.take("-"), let hours = digits(2), rest.take(":"), let minutes = digits(2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isEast ? 1 : -1)
  }
}

/// A day of the Gregorian calendar, which also counts the days before it was introduced.
///
/// Both conversions are Howard Hinnant's, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that
/// the leap day is the last day of its year. Years are counted in eras of 400, which all have the same number of days.
package struct CalendarDay: Equatable {
  let year: Int64
  let month: Int64
  let day: Int64

  /// Nil for a day that does not exist, such as 30 February.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[Int(month) - 1] else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  init(daysSince1970: Int64) {
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
