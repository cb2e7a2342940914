import Foundation
import NacreCore

/// Converts values of any type to their stored forms.
enum ArgumentBinding {
  /// The stored form of a reference's value.
  ///
  /// Numbers, texts, bytes, dates and the rest of `StorableValue` keep their own stored form. An enum becomes its raw
  /// value. Arrays, dictionaries and other Codable values become JSON text.
  ///
  /// - Throws: `DAOValue.Failure`, which names the path, for a value that has no stored form.
  static func stored(_ given: Any?, _ path: ReferencePath?) throws -> Value {
    guard let given else { return .null }
    if let number = exact(given, Int.self) { return .integer(Int64(number)) }
    switch given {
    case let text as String: return .text(text)
    case let number as Int: return .integer(Int64(number))
    case let number as Int64: return .integer(number)
    case let flag as Bool: return .integer(flag ? 1 : 0)
    case let data as Data: return .blob(data)
    default: break
    }
    guard let value = DAOValue.unwrapped(given) else { return .null }
    do {
      if let value = try known(value) ?? raw(value) ?? json(value) { return value }
    } catch ValueError.outOfRange where given is any BinaryInteger || given is NSNumber {
      throw DAOValue.Failure(message: "“\(name(path))” is outside of what 64 signed bits can hold")
    } catch {
      throw DAOValue.Failure(message: "“\(name(path))” has a value that can't be stored")
    }
    throw DAOValue.Failure(
      message: "“\(name(path))” is of a type that can't be stored: \(type(of: value))"
    )
  }

  /// Binds a number, a flag or a text; returns false for a value of any other type, and for one that is no number.
  static func bind(_ value: Any, to statement: any PreparedStatement, at index: Int32) throws
    -> Bool
  {
    if let number = exact(value, Int.self) {
      try statement.bind(Int64(number), at: index)
    } else if let text = exact(value, String.self) {
      try statement.bind(text: text, at: index)
    } else if let number = exact(value, Double.self), !number.isNaN {
      try statement.bind(number, at: index)
    } else if let flag = exact(value, Bool.self) {
      try statement.bind(flag ? 1 : 0 as Int64, at: index)
    } else {
      return false
    }
    return true
  }

  private static func name(_ path: ReferencePath?) -> String { path?.description ?? "a value" }

  private static func known(_ value: Any) throws -> Value? {
    if let text = DAOValue.otherText(value) { return .text(text) }
    if let stored = try DAOValue.foundationValue(value) { return stored }
    switch value {
    case let data as NSData: return .blob(Data(referencing: data))
    case let value as any StorableValue: return try value.storedValue
    default: return nil
    }
  }

  private static func raw(_ value: Any) throws -> Value? {
    guard let value = value as? any RawRepresentable else { return nil }
    return try known(value.rawValue)
  }

  private static func json(_ value: Any) throws -> Value? {
    if let value = value as? any Encodable {
      let data = try JSONOptions.current.encoder.encode(value)
      return .text(String(decoding: data, as: UTF8.self))
    }
    let isContainer = value is [Any] || value is [String: Any]
    return isContainer ? try JSONValue(any: value).storedValue : nil
  }
}
