import Foundation
import NacreCore

/// Decodes one column's value: an enum from its raw value, and anything else from JSON text.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  private let value: Value
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  static func decode<T: Decodable>(
    _ type: T.Type,
    _ value: Value,
    _ mismatch: () -> NacreError
  ) throws -> T {
    if let made = try? T(from: ColumnDecoder(value: value)) { return made }
    // The decoder's own error would quote the text.
    guard case .text(let text) = value,
      let made = try? JSONOptions.current.decoder.decode(type, from: Data(text.utf8))
    else { throw mismatch() }
    return made
  }

  private init(value: Value) { self.value = value }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NacreError.notKeyed
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NacreError.notKeyed }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let known = type as? any StorableValue.Type,
      let made = try known.init(storedValue: value) as? T
    else { throw NacreError.notKeyed }
    return made
  }
}
