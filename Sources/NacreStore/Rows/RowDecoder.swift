import Foundation
import NacreEngine

extension Row {
  /// Decodes the row as a value of a type, with each property from the column of its name.
  func decoded<T: Decodable>() throws -> T {
    do {
      if let stored = T.self as? any StorableValue.Type {
        let value = try onlyValue
        if let made = try stored.init(storedValue: value) as? T { return made }
      }
      return try T(from: RowDecoder(row: self))
    } catch let error as NacreError {
      throw error
    } catch let error as ValueError {
      throw Row.mismatch(names.all.first ?? "", error)
    } catch {
      // The type's own error may quote the value, so it is not passed on.
      throw NacreError(.valueMismatch, detail: "\(T.self)")
    }
  }
}

extension Row {
  /// The value of the only column.
  fileprivate var onlyValue: Value {
    get throws {
      guard let value = values.first, values.count == 1 else {
        throw NacreError(
          .badStatement,
          detail: "one value was asked for, and the row has \(values.count.counted("column"))"
        )
      }
      return value
    }
  }
}

/// Decodes a type from a row.
private struct RowDecoder: Decoder {
  let row: Row
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw ValueError.malformed(type: "array")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    CellDecoder(value: try row.onlyValue)
  }
}

/// The columns of a row by the keys of a type.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: Row
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columns.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { row[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let value = try value(key)
    do {
      return try CellDecoder.decode(type, from: value)
    } catch {
      // The type's own error may quote the value, so it is not passed on.
      throw Row.mismatch(
        key.stringValue,
        error as? ValueError ?? ValueError.malformed(type: "\(type)")
      )
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw Row.mismatch(key.stringValue, ValueError.malformed(type: "nested container"))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw Row.mismatch(key.stringValue, ValueError.malformed(type: "nested container"))
  }

  func superDecoder() throws -> any Decoder { RowDecoder(row: row) }

  func superDecoder(forKey key: Key) throws -> any Decoder { CellDecoder(value: try value(key)) }

  private func value(_ key: Key) throws -> Value {
    guard let value = row[key.stringValue] else {
      throw NacreError(.noSuchColumn, detail: key.stringValue)
    }
    return value
  }
}

/// Decodes a type from one value: from its stored form, or from JSON if the type has parts.
private struct CellDecoder: Decoder, SingleValueDecodingContainer {
  /// Thrown if a type asks for the parts of a value.
  private struct HasParts: Error {}

  let value: Value
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    if let stored = type as? any StorableValue.Type,
      let made = try stored.init(storedValue: value) as? T
    {
      return made
    }
    do {
      return try T(from: CellDecoder(value: value))
    } catch is HasParts {
      let text = try String(storedValue: value)
      return try JSONOptions.current.decoder.decode(type, from: Data(text.utf8))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw HasParts()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw HasParts() }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try Self.decode(type, from: value) }
}
