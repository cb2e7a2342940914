import Foundation
import NacreCore

/// The columns of a statement by the properties that they go into.
final class KeyColumns {
  fileprivate let names: [String]
  private let columns: [String: Int32]
  /// The columns in the order in which they were asked for last: a type asks in the same order each time.
  // Unchecked, for they are looked up at every value, by the one thread that has the statement.
  @exclusivity(unchecked) private var sequence: [String] = []
  @exclusivity(unchecked) private var found: [Int32?] = []
  @exclusivity(unchecked) private var position = 0

  init(_ columns: [String: Int32]) {
    self.columns = columns
    names = columns.keys.sorted()
  }

  /// Goes on to the next row.
  fileprivate func restart() { position = 0 }

  fileprivate func column(_ key: String) -> Int32? {
    // `contains`, `decodeNil` and `decode` ask for one key after another.
    if position > 0, sequence[position - 1] == key { return found[position - 1] }
    position += 1
    if position <= sequence.count, sequence[position - 1] == key { return found[position - 1] }
    sequence.replaceSubrange((position - 1)..., with: [key])
    found.replaceSubrange((position - 1)..., with: [columns[key]])
    return columns[key]
  }
}

/// Makes a Decodable value of a row.
final class RowDecoder: Decoder {
  private let columns: KeyColumns
  /// Opens a sealed column; it is asked for these alone.
  private let opened: [String: (Int32) throws -> Value]
  fileprivate let row: Statement

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(
    _ row: Statement,
    _ columns: KeyColumns,
    opened: [String: (Int32) throws -> Value]
  ) {
    self.row = row
    self.columns = columns
    self.opened = opened
  }

  /// The value of the row on which the statement is.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    columns.restart()
    return try T(from: self)
  }

  fileprivate func isPresent(_ key: String) -> Bool {
    columns.column(key).map { !row.isNull(at: $0) } ?? false
  }

  /// The column of a key whose value is there.
  fileprivate func present(_ key: String) throws -> Int32 {
    guard let column = columns.column(key), !row.isNull(at: column) else {
      throw mismatch(key, "no value")
    }
    return column
  }

  /// The column of a key, whatever it holds; nil where that is to be opened.
  fileprivate func plain(_ key: String) -> Int32? { isSealed(key) ? nil : columns.column(key) }

  fileprivate func isSealed(_ key: String) -> Bool { !opened.isEmpty && opened[key] != nil }

  fileprivate func value(_ key: String) throws -> Value {
    let column = try present(key)
    if let open = opened[key] { return try open(column) }
    return row.value(at: column)
  }

  fileprivate func mismatch(_ key: String, _ what: String) -> NacreError {
    .dao(.valueMismatch, "the column for “\(key)” holds \(what) for it")
  }

  fileprivate var keys: [String] { columns.names }

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
    if let column = decoder.plain(name), let number = decoder.row.integer(at: column) {
      return Int(truncatingIfNeeded: number)
    }
    return try storable(type, name)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    let name = key.stringValue
    if let column = decoder.plain(name), let number = decoder.row.integer(at: column),
      number == 0 || number == 1
    {
      return number == 1
    }
    return try storable(type, name)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    let name = key.stringValue
    if let column = decoder.plain(name), let number = decoder.row.real(at: column) { return number }
    return try storable(type, name)
  }

  // As the protocol's own, which ask once more whether there is a value.

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    contains(key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    contains(key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    contains(key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    contains(key) ? try decode(type, forKey: key) : nil
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
