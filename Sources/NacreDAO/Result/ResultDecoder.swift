import Foundation
import NacreCore

/// Makes Decodable values from a statement's rows.
///
/// The statement keeps it, because making one, and the container that Swift asks for, costs more than reading a row.
final class ResultDecoder<Row: PreparedStatement>: Decoder {
  /// The columns, by the properties that they fill.
  private let columns: ResultColumns
  private let places: [String: SealedProperty]
  // Unchecked: they are looked up at every value, and only the thread that has the statement does so.
  @exclusivity(unchecked) private var keys = KeySlots.Table()
  /// The statement while its rows are decoded; unmanaged, because the caller that decodes holds it, and because each
  /// value would retain it.
  @exclusivity(unchecked) fileprivate private(set) var row: Unmanaged<Row>?
  @exclusivity(unchecked) private var open: RowOpening?
  /// The last `KeptContainer`, whose container holds this decoder.
  @exclusivity(unchecked) private var kept: AnyObject?
  /// The type of its keys.
  @exclusivity(unchecked) private var keptKey: ObjectIdentifier?

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  private init(_ columns: ResultColumns, _ places: [String: SealedProperty]) {
    (self.columns, self.places) = (columns, places)
  }

  /// The object that a statement keeps; when the statement lets go of it, it breaks the cycle of the decoder and its
  /// container.
  final class Kept {
    private let decoder: ResultDecoder
    /// The same, as values take it: at each call, its conformance would have to be looked up.
    private let given: any Decoder

    init(_ columns: ResultColumns, sealed places: [String: SealedProperty]) {
      decoder = ResultDecoder(columns, places)
      given = decoder
    }

    deinit { (decoder.kept, decoder.keptKey) = (nil, nil) }

    /// Passes `body` a decoder for the statement's current row, and for the rows after it.
    func decoding<T>(
      _ row: Row,
      _ open: RowOpening,
      _ body: (any Decoder) throws -> T
    ) rethrows -> T {
      decoder.row = .passUnretained(row)
      if !decoder.places.isEmpty { decoder.open = open }
      defer { (decoder.row, decoder.open) = (nil, nil) }
      return try body(given)
    }
  }

  fileprivate func isPresent(_ name: String) -> Bool {
    guard let row = row?.takeUnretainedValue(), let column = columns[name] else { return false }
    return !row.isNull(at: column)
  }

  /// The statement and the column of a key; throws if the column is missing or NULL.
  fileprivate func present(_ name: String) throws -> (row: Row, column: Int32) {
    guard let row = row?.takeUnretainedValue(), let column = columns[name],
      !row.isNull(at: column)
    else { throw mismatch(name, "no value") }
    return (row, column)
  }

  fileprivate func value(_ name: String) throws -> Value {
    let (row, column) = try present(name)
    let value = row.value(at: column)
    guard let open, let place = places[name] else { return value }
    return try open(value, place)
  }

  fileprivate func mismatch(_ name: String, _ what: String) -> NacreError {
    .dao(.valueMismatch, "the column for “\(name)” holds \(what) for it")
  }

  fileprivate var names: [String] { columns.names }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if let kept, keptKey == ObjectIdentifier(Key.self) {
      // It was made for these keys.
      return unsafeDowncast(kept, to: KeptContainer<KeyedDecodingContainer<Key>>.self).copy()
    }
    return makeContainer(keyedBy: type)
  }

  /// Never inlined, because it looks up the container's type before it does anything.
  @inline(never)
  private func makeContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key>
  {
    let slots = keys.slots(of: type) { [columns, places] name in
      places[name] == nil ? columns[name] ?? KeySlots.none : KeySlots.sealed
    }
    let container = KeyedDecodingContainer(RowContainer<Key, Row>(self, slots))
    kept = KeptContainer(container)
    keptKey = ObjectIdentifier(Key.self)
    return container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NacreError.notKeyed }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw NacreError.notKeyed
  }
}

extension NacreError {
  /// The error of a type that asks for no container with keys.
  static var notKeyed: NacreError {
    .dao(.valueMismatch, "a row can be made only into a type with properties")
  }
}

extension KeySlots {
  /// Stands in for the index of a column whose values are sealed and have to be opened.
  fileprivate static let sealed: Int32 = -2
}

/// A class, because Swift copies a container at every value.
private final class RowContainer<Key: CodingKey, Row: PreparedStatement>:
  KeyedDecodingContainerProtocol
{
  let decoder: ResultDecoder<Row>
  let slots: KeySlots
  var codingPath: [any CodingKey] { [] }

  init(_ decoder: ResultDecoder<Row>, _ slots: KeySlots) {
    (self.decoder, self.slots) = (decoder, slots)
  }

  /// Returns the result of `read` for a key's column; nil if there is no column, or its values have
  /// to be opened first.
  @inline(__always)
  private func plain<T>(_ key: Key, _ read: (Row, Int32) -> T?) -> T? {
    let column = slots.slot(of: key)
    guard column >= 0, let row = decoder.row else { return nil }
    return row._withUnsafeGuaranteedRef { read($0, column) }
  }

  var allKeys: [Key] { decoder.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool {
    plain(key) { !$0.isNull(at: $1) } ?? decoder.isPresent(key.stringValue)
  }

  func decodeNil(forKey key: Key) -> Bool { !contains(key) }

  // A column with the type's own storage class is read directly; every other one follows the type's rules.

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if let text = plain(key, { $0.string(at: $1) }) { return text }
    if slots.slot(of: key) == KeySlots.sealed { return try storable(type, key.stringValue) }
    let (row, column) = try decoder.present(key.stringValue)
    guard let text = row.textOfOther(at: column) else {
      throw decoder.mismatch(key.stringValue, "bytes that are not text")
    }
    return text
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if let number = plain(key, { $0.integer(at: $1) }) { return Int(truncatingIfNeeded: number) }
    return try storable(type, key.stringValue)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if let number = plain(key, { $0.integer(at: $1) }), number == 0 || number == 1 {
      return number == 1
    }
    return try storable(type, key.stringValue)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    if let number = plain(key, { $0.real(at: $1) }) { return number }
    return try storable(type, key.stringValue)
  }

  // The protocol's own versions do the same, but ask once more whether there is a value.

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    if let text = plain(key, { $0.string(at: $1) }) { return text }
    return contains(key) ? try decode(type, forKey: key) : nil
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
      decoder.mismatch(name, "a value that is not of type \(type)")
    }
  }

  private func storable<S: StorableValue>(_ type: S.Type, _ name: String) throws -> S {
    let value = try decoder.value(name)
    do { return try S(storedValue: value) } catch {
      // A whole number that a REAL column has turned into a floating-point one.
      if case .real(let number) = value, let whole = Int64(exactly: number),
        let made = try? S(storedValue: .integer(whole))
      {
        return made
      }
      throw decoder.mismatch(name, "a value that is not of type \(type)")
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

extension PreparedStatement {
  /// A value that is not TEXT, as a text; nil for bytes that are not valid UTF-8, such as sealed ones.
  func textOfOther(at column: Int32) -> String? {
    guard let bytes = bytes(at: column) else { return text(at: column) }
    return String(validating: bytes, as: UTF8.self)
  }
}
