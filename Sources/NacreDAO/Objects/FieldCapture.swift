import Foundation
import NacreCore

/// Reads properties of a Codable value by letting it encode itself; this needs no reflection, and gives each value as
/// it is.
class FieldCapture: Encoder {
  private let names: [String]
  // Unchecked: they are looked up at every value, and only the thread that encodes does so.

  /// The captured fields, one for each name.
  @exclusivity(unchecked) private(set) var fields: [Field]
  /// Whether any of the fields is not missing.
  @exclusivity(unchecked) private var hasFields = false
  @exclusivity(unchecked) private var keys = KeySlots.Table()

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Prepares to capture the fields with these names.
  init(_ names: [String]) {
    self.names = names
    fields = Array(repeating: .missing, count: names.count)
  }

  /// Captures the fields of a value; those that it does not encode are missing.
  final func capture(_ value: some Encodable) throws {
    if hasFields {
      for index in fields.indices { fields[index] = .missing }
      hasFields = false
    }
    do {
      try value.encode(to: self)
    } catch is NotKeyed {
      // It is a single value or a list, and has no fields.
    }
  }

  /// The captured field with a name.
  final func field(_ name: String) -> Field {
    names.firstIndex(of: name).map { fields[$0] } ?? .missing
  }

  /// Thrown for a value that has no fields.
  struct NotKeyed: Error {}

  func note(_ slot: Int32, _ field: Field) {
    if slot < 0 { return }
    fields[Int(slot)] = field
    hasFields = true
  }

  func note(_ slot: Int32, text: String) throws { note(slot, .value(.text(text))) }

  func note(_ slot: Int32, integer: Int64) throws { note(slot, .value(.integer(integer))) }

  func note(_ slot: Int32, real: Double) throws {
    // The conversion to the stored form refuses a NaN.
    note(slot, real.isNaN ? .object(real) : .value(.real(real)))
  }

  /// A flag stays a flag, because an expression tells it from a number.
  func note(_ slot: Int32, flag: Bool) throws { note(slot, .object(flag)) }

  func noteNil(_ slot: Int32) throws { note(slot, .value(.null)) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let slots = keys.slots(of: type) { [names] name in
      names.firstIndex(of: name).map(Int32.init) ?? KeySlots.none
    }
    return KeyedEncodingContainer(FieldContainer<Key>(self, slots))
  }

  final func unkeyedContainer() -> any UnkeyedEncodingContainer { NoContainer() }

  final func singleValueContainer() -> any SingleValueEncodingContainer { NoContainer() }
}

/// A class, because Swift copies a container at every value.
private final class FieldContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let capture: FieldCapture
  let slots: KeySlots
  var codingPath: [any CodingKey] { [] }

  init(_ capture: FieldCapture, _ slots: KeySlots) {
    (self.capture, self.slots) = (capture, slots)
  }

  private func note<T: BinaryInteger>(integer value: T, _ key: Key) throws {
    guard let number = Int64(exactly: value) else {
      return capture.note(slots.slot(of: key), .object(value))
    }
    try capture.note(slots.slot(of: key), integer: number)
  }

  func encodeNil(forKey key: Key) throws { try capture.noteNil(slots.slot(of: key)) }
  func encode(_ value: Bool, forKey key: Key) throws {
    try capture.note(slots.slot(of: key), flag: value)
  }
  func encode(_ value: String, forKey key: Key) throws {
    try capture.note(slots.slot(of: key), text: value)
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try capture.note(slots.slot(of: key), real: value)
  }
  func encode(_ value: Float, forKey key: Key) { capture.note(slots.slot(of: key), .object(value)) }
  func encode(_ value: Int, forKey key: Key) throws {
    try capture.note(slots.slot(of: key), integer: Int64(value))
  }
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
    capture.note(slots.slot(of: key), .object(value))
  }

  // The default implementations skip nil, as if the value had no such property.
  private func note<T>(_ value: T?, _ key: Key, _ encode: (T, Key) throws -> Void) throws {
    if let value { try encode(value, key) } else { try encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try note(value, key, encode) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }
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
    // Values encoded into it belong to another level; reflection finds the property instead.
    FieldCapture([]).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { NoContainer() }
  func superEncoder() -> any Encoder { capture }
  func superEncoder(forKey key: Key) -> any Encoder { capture }
}

/// A container that refuses every value.
private struct NoContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() throws { throw FieldCapture.NotKeyed() }
  func encode<T: Encodable>(_ value: T) throws { throw FieldCapture.NotKeyed() }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    FieldCapture([]).container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { FieldCapture([]) }
}
