import Foundation
import NacreCore

/// Reads properties of a Codable value by letting it encode itself; this needs no reflection, and gives each value as
/// it is.
final class FieldCapture: Encoder {
  private let names: [String]
  // Unchecked: they are looked up at every value, and only the thread that encodes does so.

  /// The fields that were captured and not bound, one for each name.
  @exclusivity(unchecked) private(set) var fields: [Field]
  /// Whether any of the fields is not missing.
  @exclusivity(unchecked) private var hasFields = false
  /// The names that are bound already, each as the bit at its index.
  @exclusivity(unchecked) private var bound: UInt64 = 0
  @exclusivity(unchecked) private var keys = KeySlots.Table()
  /// The object in the last container, which holds this capture; making one costs more than binding a parameter.
  @exclusivity(unchecked) private var kept: AnyObject?
  /// The type of the last container's keys.
  @exclusivity(unchecked) private var keptKey: ObjectIdentifier?
  /// The statement to which numbers and texts are bound at once, and its parameters; unretained, because the caller
  /// that binds retains it.
  private unowned(unsafe) let statement: (any PreparedStatement)?
  private let parameters: [Int32]

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Prepares to capture the fields with these names, or to bind the first of them if there are parameters for these.
  init(_ names: [String], _ statement: (any PreparedStatement)? = nil, _ parameters: [Int32] = []) {
    self.names = names
    self.statement = names.count <= UInt64.bitWidth ? statement : nil
    self.parameters = parameters
    fields = Array(repeating: .missing, count: names.count)
  }

  /// Whether all fields of the last value that have a parameter are bound.
  var isBound: Bool { bound.nonzeroBitCount == parameters.count }

  /// Whether the field of the name at an index is bound.
  func isBound(_ index: Int) -> Bool { index < UInt64.bitWidth && bound & (1 << index) != 0 }

  /// Captures the fields of a value; those that it does not encode are missing.
  func take(_ value: some Encodable) throws {
    bound = 0
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
  func field(_ name: String) -> Field {
    names.firstIndex(of: name).map { fields[$0] } ?? .missing
  }

  /// Releases the container that is kept from one value to the next.
  func end() { (kept, keptKey) = (nil, nil) }

  /// Thrown for a value that has no fields.
  struct NotKeyed: Error {}

  func note(_ slot: Int32, _ field: @autoclosure () -> Field) {
    if slot < 0 { return }
    if bound != 0 { bound &= ~(1 << UInt64(slot)) }
    fields[Int(slot)] = field()
    hasFields = true
  }

  func note(_ slot: Int32, text: String) throws {
    if try binds(slot, { try $0.bind(text: text, at: $1) }) { return }
    note(slot, .value(.text(text)))
  }

  func note(_ slot: Int32, integer: Int64) throws {
    if try binds(slot, { try $0.bind(integer, at: $1) }) { return }
    note(slot, .value(.integer(integer)))
  }

  func note(_ slot: Int32, real: Double) throws {
    // The conversion to the stored form refuses a NaN.
    if real.isNaN { return note(slot, .object(real)) }
    if try binds(slot, { try $0.bind(real, at: $1) }) { return }
    note(slot, .value(.real(real)))
  }

  func note(_ slot: Int32, flag: Bool) throws {
    if try binds(slot, { try $0.bind(flag ? 1 : 0 as Int64, at: $1) }) { return }
    // A flag stays a flag, because an expression tells it from a number.
    note(slot, .object(flag))
  }

  func noteNil(_ slot: Int32) throws {
    if try binds(slot, { try $0.bindNull(at: $1) }) { return }
    note(slot, .value(.null))
  }

  /// Binds the parameter of a slot; returns false if it has none.
  @inline(__always)
  private func binds(_ slot: Int32, _ body: (any PreparedStatement, Int32) throws -> Void) throws
    -> Bool
  {
    guard let statement, UInt32(bitPattern: slot) < UInt32(truncatingIfNeeded: parameters.count)
    else { return false }
    bound |= 1 << UInt64(slot)
    try body(statement, parameters[Int(slot)])
    return true
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A container is nothing but the reference to its object; looking up the container's type costs more than a value.
    if let kept, keptKey == ObjectIdentifier(Key.self) {
      return unsafeBitCast(kept, to: KeyedEncodingContainer<Key>.self)
    }
    let slots = keys.slots(of: type) { [names] name in
      names.firstIndex(of: name).map(Int32.init) ?? KeySlots.none
    }
    let container = KeyedEncodingContainer(FieldContainer<Key>(self, slots))
    // A container is kept only for binding: a caller that captures single values never calls `end`.
    if statement != nil {
      kept = unsafeBitCast(container, to: AnyObject.self)
      keptKey = ObjectIdentifier(Key.self)
    }
    return container
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { NoContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer { NoContainer() }
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
