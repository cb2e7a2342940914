/// Asks a Decodable type whether a name is one of its coding keys: the type begins to decode, and the probe stops it
/// before the first value.
///
/// A type shows the keys of all containers that it asks for before it asks for a value. The probe asks the superclasses
/// for their keys as well.
final class CodingKeyProbe: Decoder {
  private let name: String
  private var isKey = false
  /// Whether every text is a key, as with a key type that is a struct.
  private var isAnyKey = false

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// The error that ends the decoding.
  fileprivate struct Stop: Error {}

  private init(_ name: String) { self.name = name }

  /// Whether a name is a coding key of a type; nil if every text is one, because then only a value can tell.
  static func hasKey(_ name: String, _ type: any Decodable.Type) -> Bool? {
    let probe = CodingKeyProbe(name)
    var next: (any Decodable.Type)? = type
    while let type = next {
      _ = try? type.init(from: probe)
      next = (type as? AnyClass).flatMap(_getSuperclass) as? any Decodable.Type
    }
    return probe.isAnyKey ? nil : probe.isKey
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    // Nobody writes a key with this name.
    if Key(stringValue: "\u{0}\u{FFFF}") != nil { isAnyKey = true }
    if Key(stringValue: name) != nil { isKey = true }
    return KeyedDecodingContainer(NoValues())
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Stop() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Stop() }
}

/// A container that claims to have every key, and throws as soon as a value is asked for.
private struct NoValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  // A type that asks first whether a key is there must go on and ask for its value as well.
  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { throw CodingKeyProbe.Stop() }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    throw CodingKeyProbe.Stop()
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw CodingKeyProbe.Stop()
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw CodingKeyProbe.Stop()
  }
  func superDecoder() throws -> any Decoder { throw CodingKeyProbe.Stop() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw CodingKeyProbe.Stop() }
}
