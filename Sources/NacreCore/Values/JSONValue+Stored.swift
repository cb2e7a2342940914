public import NacreSQLite

extension JSONValue: Codable {
  /// Takes whatever stands in the text.
  ///
  /// A whole number of more than 64 signed bits becomes the Double nearest to it.
  ///
  /// - Throws: the decoder's error for what is no JSON.
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

  /// Writes the value.
  ///
  /// - Throws: the encoder's error, such as for a NaN.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue: StorableValue {
  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// The JSON text, as ``StoreOptions/json`` wants it.
  ///
  /// - Throws: ``ValueError/malformed(type:)`` for a NaN or infinity.
  public var storedValue: NacreCore.Value { get throws { try JSONStored(self).storedValue } }

  /// Makes the value from a JSON text.
  ///
  /// - Throws: ``ValueError`` when the value is no text or the text no JSON.
  public init(storedValue: NacreCore.Value) throws {
    self = try JSONStored<JSONValue>(storedValue: storedValue).wrapped
  }
}
