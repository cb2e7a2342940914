import Foundation
import NacreEngine
import NacreStore

/// How a column of a foreign file writes a value, where it does not write what the property stores.
///
/// The property's own type decides what is stored. A date, for example, becomes a number of seconds since 1970 or a
/// text, as its `@Column(dates:)` says.
public enum AdoptedForm: String, Sendable, CaseIterable {
  /// A number, also as a text.
  case number
  /// A text, also as a number or as the bytes of UTF-8.
  case text
  /// A truth value: a number, of which 0 is false, or one of the texts yes, no, true, false, y, n, t, f in any case.
  case bool
  /// A UUID as a text or as 16 bytes.
  case uuid
  /// A `Decimal`, as a number or a text.
  case decimal
  /// Bytes as a text in base64.
  case base64
  /// A date in seconds since 1 January 1970, UTC.
  case secondsSince1970
  /// A date in milliseconds since 1 January 1970, UTC.
  case millisecondsSince1970
  /// A date in seconds since 1 January 2001, UTC, as Core Data stores it.
  case secondsSince2001
  /// A date as a text: `2026-03-01T08:30:00Z`, `2026-03-01 08:30:00.125`, `2026-03-01 08:30:00 +0100`, `2026-03-01`.
  ///
  /// Without an offset it is UTC.
  case iso8601
  /// A date in days since noon of 24 November 4714 BC, UTC, as SQLite's function `julianday` returns it.
  case julianDay
  /// Any value, for a property that stores any.
  case any

  /// The storage types of properties that can take the form.
  var types: Set<String> {
    switch self {
    case .number: ["INTEGER", "REAL"]
    case .text, .decimal: ["TEXT"]
    case .bool: ["INTEGER"]
    case .uuid: ["BLOB", "TEXT"]
    case .base64, .any: ["BLOB"]
    case .secondsSince1970, .millisecondsSince1970, .secondsSince2001, .iso8601, .julianDay:
      ["INTEGER", "REAL", "TEXT"]
    }
  }

  /// Returns what a property of a storage type stores for a value in this form; nil if the value does not have it.
  ///
  /// NULL is no value and has no form.
  func stored(_ value: Value, as type: String) -> Value? {
    switch self {
    case .number: AdoptedForm.readNumber(value).flatMap { AdoptedForm.plain($0, as: type) }
    case .text: AdoptedForm.readText(value).map(Value.text)
    case .bool: AdoptedForm.readBool(value).map { .integer($0 ? 1 : 0) }
    case .uuid:
      AdoptedForm.readUUID(value).map { type == "TEXT" ? .text($0.description) : .blob($0.data) }
    case .decimal: AdoptedForm.readDecimal(value)
    case .base64: AdoptedForm.readBase64(value)
    case .any: value
    case .secondsSince1970, .millisecondsSince1970, .secondsSince2001, .iso8601, .julianDay:
      seconds(value).flatMap { AdoptedForm.storedDate($0, as: type) }
    }
  }

  /// Returns a value without a form as a property of a storage type stores it; nil if it has another type.
  ///
  /// A number becomes INTEGER or REAL if nothing of it is lost.
  static func plain(_ value: Value, as type: String) -> Value? {
    switch (type, value) {
    case ("INTEGER", .integer), ("REAL", .real), ("TEXT", .text), ("BLOB", .blob): value
    case ("INTEGER", .real(let number)): Int64(exactly: number).map(Value.integer)
    case ("REAL", .integer(let number)): Double(exactly: number).map(Value.real)
    case ("INTEGER", _), ("REAL", _), ("TEXT", _), ("BLOB", _): nil
    // A column of a record's table with a type of its own.
    default: value
    }
  }

  // MARK: Values

  private static func readNumber(_ value: Value) -> Value? {
    guard case .text(let text) = value else {
      if case .blob = value { return nil }
      return value
    }
    if let integer = Int64(text) { return .integer(integer) }
    // Swift also reads hexadecimal numbers and "nan".
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let real = Double(text), real.isFinite
    else { return nil }
    return .real(real)
  }

  private static func readText(_ value: Value) -> String? {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .blob(let bytes): String(validating: bytes, as: UTF8.self)
    case .null: nil
    }
  }

  private static func readBool(_ value: Value) -> Bool? {
    switch value {
    case .integer(let number): return number != 0
    case .real(let number): return number.isNaN ? nil : number != 0
    case .text(let text):
      if let number = Int64(text) { return number != 0 }
      // In lower case, as names of the schema are compared.
      switch SQLName(text).text {
      case "yes", "true", "y", "t": return true
      case "no", "false", "n", "f": return false
      default: return nil
      }
    case .blob, .null: return nil
    }
  }

  /// Returns the objectID of a UUID that is a text or 16 bytes.
  static func readUUID(_ value: Value) -> ObjectID? {
    switch value {
    case .text(let text): UUID(uuidString: text).map { ObjectID($0) }
    case .blob(let bytes) where bytes.count == 16: bytes.withUnsafeBytes { ObjectID(bytes: $0) }
    default: nil
    }
  }

  private static func readDecimal(_ value: Value) -> Value? {
    guard let text = readText(value), let decimal = try? Decimal(storedValue: .text(text)) else {
      return nil
    }
    return try? decimal.storedValue
  }

  private static func readBase64(_ value: Value) -> Value? {
    guard case .text(let text) = value else { return nil }
    // Mail wraps such texts.
    let digits = Data(text.utf8.filter { $0 != 0x0A && $0 != 0x0D })
    return Data(base64Encoded: digits).map(Value.blob)
  }

  // MARK: Dates

  /// Returns the seconds since 1970.
  private func seconds(_ value: Value) -> Double? {
    if self == .iso8601 {
      guard case .text(let text) = value else { return nil }
      return AdoptedForm.readDate(text)?.timeIntervalSince1970
    }
    let number: Double
    switch AdoptedForm.readNumber(value) {
    case .integer(let integer)?: number = Double(integer)
    case .real(let real)?: number = real
    default: return nil
    }
    return switch self {
    case .millisecondsSince1970: number / 1000
    case .secondsSince2001: number + Date.timeIntervalBetween1970AndReferenceDate
    case .julianDay: (number - 2_440_587.5) * 86_400
    default: number
    }
  }

  private static func storedDate(_ seconds: Double, as type: String) -> Value? {
    guard seconds.isFinite else { return nil }
    let date = Date(timeIntervalSince1970: seconds)
    return switch type {
    case "REAL": .real(seconds)
    case "INTEGER": try? IntegerDate(date).storedValue
    default: try? ISO8601Date(date).storedValue
    }
  }

  /// Reads the spellings of ``iso8601``.
  private static func readDate(_ text: String) -> Date? {
    // The longest one has 36 characters.
    guard (10...40).contains(text.utf8.count) else { return nil }
    var bytes = Array(text.utf8)
    if bytes.count == 10 { bytes += Array("T00:00:00".utf8) }
    if bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
    guard let zone = bytes[11...].firstIndex(where: { "Zz+-".utf8.contains($0) }) else {
      return timestamp(bytes + Array("Z".utf8))
    }
    // `+0100` becomes `+01:00`.
    if bytes.count - zone == 5 { bytes.insert(UInt8(ascii: ":"), at: zone + 3) }
    if bytes[zone - 1] == UInt8(ascii: " ") { bytes.remove(at: zone - 1) }
    return timestamp(bytes)
  }

  private static func timestamp(_ bytes: [UInt8]) -> Date? {
    var reader = TimestampReader(String(decoding: bytes, as: UTF8.self))
    return reader.date()
  }
}
