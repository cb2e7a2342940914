import Foundation
import NacreCore

/// Reads properties of a Codable value by letting it encode itself: without reflection, and each value as it is.
///
/// A value of one kind encodes the same keys in the same order each time, so that a key is mostly where it was before.
final class FieldCapture: Encoder {
  private let names: [String]
  // Unchecked, for they are looked up at every value, by the one thread that encodes.

  /// What was captured, for each of the names.
  @exclusivity(unchecked) private(set) var fields: [Field]
  /// How many of them are bound already.
  @exclusivity(unchecked) private(set) var boundCount = 0
  /// The keys in the order in which they came last, each with the index of its name.
  @exclusivity(unchecked) private var sequence: [(key: String, slot: Int?)] = []
  @exclusivity(unchecked) private var position = 0
  /// Where numbers and texts are bound at once, and to which parameters.
  private let statement: Statement?
  private let parameters: [Int32]

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Prepares to capture the fields of these names, or to bind them.
  init(_ names: [String], _ statement: Statement? = nil, _ parameters: [Int32] = []) {
    self.names = names
    self.statement = statement
    self.parameters = parameters
    fields = Array(repeating: .missing, count: names.count)
  }

  /// Captures the fields of a value; those that it does not encode are missing.
  func take(_ value: some Encodable) throws {
    for slot in fields.indices { fields[slot] = .missing }
    (boundCount, position) = (0, 0)
    do {
      try value.encode(to: self)
    } catch is NotKeyed {
      // It is a single value or a list, and has no fields.
    }
  }

  /// Why a value has no fields.
  struct NotKeyed: Error {}

  func note(_ key: String, _ field: @autoclosure () -> Field) {
    guard let slot = slot(key) else { return }
    if case .bound = fields[slot] { boundCount -= 1 }
    fields[slot] = field()
  }

  func note(_ key: String, text: String) throws {
    try bind(key, .value(.text(text))) { try $0.bind(text: text, at: $1) }
  }

  func note(_ key: String, integer: Int64) throws {
    try bind(key, .value(.integer(integer))) { try $0.bind(integer, at: $1) }
  }

  func note(_ key: String, real: Double) throws {
    // A NaN is refused by whoever gives it its stored form.
    if real.isNaN { return note(key, .object(real)) }
    try bind(key, .value(.real(real))) { try $0.bind(real, at: $1) }
  }

  func note(_ key: String, flag: Bool) throws {
    // Where it is not bound it stays a flag, for an expression tells that from a number.
    try bind(key, .object(flag)) { try $0.bind(flag ? 1 : 0 as Int64, at: $1) }
  }

  func noteNil(_ key: String) throws {
    try bind(key, .value(.null)) { try $0.bindNull(at: $1) }
  }

  private func bind(
    _ key: String,
    _ field: @autoclosure () -> Field,
    _ body: (Statement, Int32) throws -> Void
  ) throws {
    guard let slot = slot(key) else { return }
    guard let statement else { return fields[slot] = field() }
    if case .bound = fields[slot] {} else { boundCount += 1 }
    try body(statement, parameters[slot])
    fields[slot] = .bound
  }

  /// The index of the key among the names.
  private func slot(_ key: String) -> Int? {
    let slot: Int?
    if position < sequence.count, sequence[position].key == key {
      slot = sequence[position].slot
    } else {
      slot = names.firstIndex(of: key)
      sequence.removeSubrange(min(position, sequence.count)...)
      sequence.append((key, slot))
    }
    position += 1
    return slot
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldContainer(capture: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { NoContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer { NoContainer() }
}

private struct FieldContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let capture: FieldCapture
  var codingPath: [any CodingKey] { [] }

  private func note<T: BinaryInteger>(integer value: T, _ key: Key) throws {
    guard let number = Int64(exactly: value) else {
      return capture.note(key.stringValue, .object(value))
    }
    try capture.note(key.stringValue, integer: number)
  }

  func encodeNil(forKey key: Key) throws { try capture.noteNil(key.stringValue) }
  func encode(_ value: Bool, forKey key: Key) throws {
    try capture.note(key.stringValue, flag: value)
  }
  func encode(_ value: String, forKey key: Key) throws {
    try capture.note(key.stringValue, text: value)
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try capture.note(key.stringValue, real: value)
  }
  func encode(_ value: Float, forKey key: Key) { capture.note(key.stringValue, .object(value)) }
  func encode(_ value: Int, forKey key: Key) throws { try note(integer: value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try note(integer: value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try note(integer: value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try note(integer: value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try note(integer: value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try note(integer: value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try note(integer: value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try note(integer: value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try note(integer: value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try note(integer: value, key) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) {
    capture.note(key.stringValue, .object(value))
  }

  // The default of each leaves nil out, as if there were no such property.
  private func note<T>(_ value: T?, _ key: Key, _ encode: (T, Key) throws -> Void) throws {
    if let value { try encode(value, key) } else { try encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    // What is encoded into it belongs to another level; it is found by reflection instead.
    KeyedEncodingContainer(FieldContainer<Nested>(capture: FieldCapture([])))
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { NoContainer() }
  func superEncoder() -> any Encoder { capture }
  func superEncoder(forKey key: Key) -> any Encoder { capture }
}

/// What refuses everything.
private struct NoContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() throws { throw FieldCapture.NotKeyed() }
  func encode<T: Encodable>(_ value: T) throws { throw FieldCapture.NotKeyed() }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(FieldContainer<Nested>(capture: FieldCapture([])))
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { FieldCapture([]) }
}
