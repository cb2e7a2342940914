public import NacreEngine

extension JSONValue: Codable {
  /// Decodes any JSON value.
  ///
  /// A whole number that does not fit in 64 signed bits becomes the nearest Double.
  ///
  /// - Throws: The decoder's error if the text is not JSON.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Encodes the value.
  ///
  /// - Throws: The encoder's error, for example for a NaN; ``ValueError/outOfRange(type:)`` if
  ///   arrays and objects are nested over 511 levels deep, counting those around the value, because
  ///   Foundation's encoder would refuse them.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array, .object:
      // Check here: the encoder recurses once per level and would run out of stack.
      if isDeeper(than: Self.depthLimit - encoder.codingPath.count) {
        throw ValueError.outOfRange(type: "JSONValue")
      }
    default: break
    }
    try Measured(value: self).encode(to: encoder)
  }

  /// How many levels of arrays and objects may be nested, counting empty ones.
  ///
  /// Foundation's encoder writes this many levels, and its decoder reads one more.
  package static let depthLimit = 511

  /// Returns whether arrays and objects are nested more than `limit` levels deep; it looks no
  /// deeper than that.
  package func isDeeper(than limit: Int) -> Bool {
    switch self {
    case .array(let value): limit <= 0 || value.contains { $0.isDeeper(than: limit - 1) }
    case .object(let value): limit <= 0 || value.values.contains { $0.isDeeper(than: limit - 1) }
    default: false
    }
  }
}

/// A value that was checked against the depth limit, so that the values inside it are not checked
/// again.
private struct Measured: Encodable {
  let value: JSONValue

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value.map(Measured.init))
    case .object(let value): try container.encode(value.mapValues(Measured.init))
    }
  }
}

extension JSONValue: StorableValue {
  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// The JSON text, written with the options in ``StoreOptions/json``.
  ///
  /// - Throws: ``ValueError/malformed(type:)`` for a NaN or infinity,
  ///   ``ValueError/outOfRange(type:)`` if the value is nested over 511 levels deep.
  public var storedValue: NacreStore.Value { get throws { try JSONStored(self).storedValue } }

  /// Makes the value from a JSON text.
  ///
  /// - Throws: ``ValueError`` if the value is not a text, or the text is not JSON.
  public init(storedValue: NacreStore.Value) throws {
    self = try JSONStored<JSONValue>(storedValue: storedValue).wrapped
  }
}
