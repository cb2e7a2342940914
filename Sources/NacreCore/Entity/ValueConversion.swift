import Foundation
import NacreEngine
import NacreStore
import NacreUpkeep

/// The conversion of a value from a dictionary, from JSON or from an untyped caller to the stored
/// form of a property.
///
/// A value of the property's own type never comes here; it is used as it is. The conversion makes:
/// - a date from seconds since 1970 or an ISO 8601 text
/// - a URL from text
/// - a UUID from text or 16 bytes
/// - bytes from Base64
/// - a Decimal from a number or text
/// - a Bool from 0 and 1
/// - a whole number from a number without a fraction
/// - an enum from its raw value
/// - a JSON property from any JSON value
///
/// It does not guess: for example, it makes no number from a text.
struct ValueConversion {
  let type: Any.Type
  let storageClass: StorageClass
  let isJSON: Bool

  /// Returns the stored form of a value.
  ///
  /// - Throws: `ValueError`.
  func stored(_ given: Any?) throws -> Value {
    guard let given, !Self.isNil(given) else { return .null }
    if isJSON { return try json(given) }
    do {
      return try adapted(Self.value(of: given, for: type))
    } catch ValueError.outOfRange where type is any BinaryInteger.Type {
      // Name the property's type: the type of the given number can hold the number.
      throw ValueError.outOfRange(type: "\(type)")
    }
  }

  /// Converts a value to a UUID; nil if the value is nil.
  ///
  /// - Throws: `ValueError`.
  static func uuid(_ given: Any?) throws -> UUID? {
    let conversion = ValueConversion(type: UUID.self, storageClass: .blob, isJSON: false)
    return try UUID?(storedValue: conversion.stored(given))
  }

  /// Whether a value means nil: nil itself, `NSNull`, JSON `null`, an empty optional or SQL NULL.
  static func isNil(_ given: Any?) -> Bool {
    guard let given else { return true }
    // By its type, because `given is NSNull` bridges a whole dictionary or array to Foundation's.
    if let value = unwrapped(given), Swift.type(of: value) is NSNull.Type { return true }
    if (given as? JSONValue) == .null { return true }
    if let optional = given as? any AnyOptional { return optional.wrapped == nil }
    return (given as? Value) == .null
  }

  /// Returns the stored form that a value has by its own type.
  private static func value(of given: Any, for type: Any.Type) throws -> Value {
    switch given {
    case let value as Value: return value
    case .integer(let value) as JSONValue: return .integer(value)
    case .number(let value) as JSONValue: return .real(value)
    case .bool(let value) as JSONValue: return .integer(value ? 1 : 0)
    case .string(let value) as JSONValue: return .text(value)
    // Foundation's JSON has its numbers as NSNumber; `as? Bool` would read a 1 as true.
    case let number as NSNumber where Swift.type(of: given) is NSNumber.Type:
      return try number.numberValue
    case let value as any StorableValue: return try value.storedValue
    default: throw ValueError.malformed(type: "\(type)")
    }
  }

  private func adapted(_ value: Value) throws -> Value {
    switch (value, storageClass) {
    case (.text(let text), _) where type == Date.self:
      var reader = TimestampReader(text)
      guard let date = reader.date() else { throw ValueError.malformed(type: "Date") }
      return try dateForm(date)
    case (.integer, _) where type == Date.self, (.real, _) where type == Date.self:
      return try dateForm(Date(storedValue: value))
    case (.text(let text), .blob) where type == UUID.self:
      guard let uuid = UUID(uuidString: text) else { throw ValueError.malformed(type: "UUID") }
      return uuid.storedValue
    case (.text(let text), .blob) where type == Data.self:
      guard let data = Data(base64Encoded: text) else { throw ValueError.malformed(type: "Data") }
      return .blob(data)
    case (.integer(let number), .text) where type == Decimal.self: return .text("\(number)")
    case (.real(let number), .text) where type == Decimal.self:
      // Use the shortest digits that read back to the number, not the digits of its binary
      // fraction.
      return .text("\(number)")
    case (.real(let number), .integer):
      guard let whole = Int64(exactly: number) else {
        throw ValueError.outOfRange(type: "\(type)")
      }
      return .integer(whole)
    default:
      return value
    }
  }

  /// Returns the value that the property's column stores for a date.
  private func dateForm(_ date: Date) throws -> Value {
    let form: DateForm =
      switch storageClass {
      case .integer: .integer
      case .text: .iso8601
      default: .real
      }
    return try form.stored(date)
  }

  private func json(_ given: Any) throws -> Value {
    if let value = given as? JSONValue { return try value.storedValue }
    // For a JSON property, a text is a JSON string, unless it comes from the column itself.
    if case .text(let text) = given as? Value { return .text(text) }
    return try JSONValue(any: given).storedValue
  }
}

extension JSONValue {
  /// Converts Foundation's JSON, or Swift's own arrays and dictionaries.
  ///
  /// - Throws: `ValueError` for a value that JSON can't hold, and for arrays and objects nested
  ///   over 511 levels deep.
  package init(any given: Any, depth: Int = 0) throws {
    if ValueConversion.isNil(given) {
      self = .null
      return
    }
    switch given {
    case let value as JSONValue:
      if value.isDeeper(than: Self.depthLimit - depth) { throw ValueError.malformed(type: "JSON") }
      self = value
    case let array as [Any]:
      let inner = try Self.level(below: depth)
      self = .array(try array.map { try Self(any: $0, depth: inner) })
    case let members as [String: Any]:
      let inner = try Self.level(below: depth)
      self = .object(try members.mapValues { try Self(any: $0, depth: inner) })
    case let number as NSNumber where type(of: given) is NSNumber.Type:
      self = number.isFlag ? .bool(number.boolValue) : Self(try number.numberValue)
    case let flag as Bool: self = .bool(flag)
    case let text as String: self = .string(text)
    case let value as any StorableValue: self = Self(try value.storedValue)
    default: throw ValueError.malformed(type: "JSON")
    }
  }

  /// Returns the depth of the values inside an array or object at `depth`.
  private static func level(below depth: Int) throws -> Int {
    guard depth < depthLimit else { throw ValueError.malformed(type: "JSON") }
    return depth + 1
  }

  // Qualified, because inside JSONValue the name `Value` means the values of a dictionary literal.
  /// Makes JSON of a stored form: bytes as Base64, and NULL as null.
  init(_ value: NacreCore.Value) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .number(number)
    case .text(let text): self = .string(text)
    case .blob(let data): self = .string(data.base64EncodedString())
    case .null: self = .null
    }
  }
}

extension NSNumber {
  /// The stored form of one of Foundation's own numbers.
  ///
  /// - Throws: `ValueError` for a whole number that does not fit in 64 signed bits.
  package var numberValue: Value {
    get throws {
      switch String(cString: objCType) {
      case "d", "f": return .real(doubleValue)
      // Unsigned 64-bit numbers may not fit; all other integers do.
      case "Q", "L":
        guard let number = Int64(exactly: uint64Value) else {
          throw ValueError.outOfRange(type: "Int64")
        }
        return .integer(number)
      default: return .integer(int64Value)
      }
    }
  }

  /// Whether the number is a Bool, as far as Foundation can tell a Bool from an 8-bit number.
  fileprivate var isFlag: Bool { String(cString: objCType) == "c" }
}
