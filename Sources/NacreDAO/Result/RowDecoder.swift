import Foundation
import NacreCore

/// Makes a Decodable value of a row.
final class RowDecoder: Decoder {
  /// The columns by the properties that they go into.
  private let columns: [String: Int32]
  private let names: [String]
  /// Opens a sealed column; it is asked for these alone.
  private let opened: [String: (Int32) throws -> Value]
  fileprivate let row: Statement
  /// The columns in the order in which they were asked for last: a type asks in the same order each time.
  private var sequence: [(key: String, column: Int32?)] = []
  private var position = 0

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(
    _ row: Statement,
    columns: [String: Int32],
    opened: [String: (Int32) throws -> Value]
  ) {
    self.row = row
    self.columns = columns
    self.opened = opened
    names = columns.keys.sorted()
  }

  /// The value of the row on which the statement is.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    position = 0
    return try T(from: self)
  }

  fileprivate func column(_ key: String) -> Int32? {
    // `contains`, `decodeNil` and `decode` ask for one key after another.
    if position > 0, sequence[position - 1].key == key { return sequence[position - 1].column }
    if position < sequence.count, sequence[position].key == key {
      position += 1
      return sequence[position - 1].column
    }
    sequence.removeSubrange(position...)
    sequence.append((key, columns[key]))
    position += 1
    return columns[key]
  }

  fileprivate func isPresent(_ key: String) -> Bool {
    column(key).map { !row.isNull(at: $0) } ?? false
  }

  /// The column of a key whose value is there.
  fileprivate func present(_ key: String) throws -> Int32 {
    guard let column = column(key), !row.isNull(at: column) else { throw mismatch(key, "no value") }
    return column
  }

  fileprivate func isSealed(_ key: String) -> Bool { !opened.isEmpty && opened[key] != nil }

  fileprivate func value(_ key: String) throws -> Value {
    let column = try present(key)
    if let open = opened[key] { return try open(column) }
    return row.value(at: column)
  }

  fileprivate func mismatch(_ key: String, _ what: String) -> NacreError {
    .dao(.valueMismatch, "the column for “\(key)” holds \(what) for it")
  }

  fileprivate var keys: [String] { names }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.notKeyed }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.notKeyed }

  static var notKeyed: NacreError {
    .dao(.valueMismatch, "a row is made into a type with properties")
  }
}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { decoder.isPresent(key.stringValue) }
  func decodeNil(forKey key: Key) -> Bool { !decoder.isPresent(key.stringValue) }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    let name = key.stringValue
    if decoder.isSealed(name) { return try storable(type, name) }
    return decoder.row.text(at: try decoder.present(name))
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    let name = key.stringValue
    if !decoder.isSealed(name), let number = decoder.row.integer(at: try decoder.present(name)) {
      return Int(truncatingIfNeeded: number)
    }
    return try storable(type, name)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try storable(type, key.stringValue)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try storable(type, key.stringValue)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let name = key.stringValue
    if let known = type as? any StorableValue.Type {
      if let value = try storable(known, name) as? T { return value }
    }
    return try ColumnDecoder.decode(type, try decoder.value(name)) {
      decoder.mismatch(name, "another value than \(type)")
    }
  }

  private func storable<S: StorableValue>(_ type: S.Type, _ name: String) throws -> S {
    let value = try decoder.value(name)
    do { return try S(storedValue: value) } catch {
      // A number that a REAL column has made a fraction of, without one.
      if case .real(let number) = value, let whole = Int64(exactly: number),
        let made = try? S(storedValue: .integer(whole))
      {
        return made
      }
      throw decoder.mismatch(name, "another value than \(type)")
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw decoder.mismatch(key.stringValue, "no nested container")
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw decoder.mismatch(key.stringValue, "no nested container")
  }
  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder { decoder }
}
