public import Foundation

/// How a store writes JSON into its columns and reads it back: ``StoreOptions/json``.
///
/// It applies to the properties that are stored as JSON: arrays, dictionaries, ``JSONValue`` and other Codable values.
public struct JSONOptions: Sendable {
  /// How a Date inside JSON is written, and read back.
  public enum Dates: Sendable {
    /// A number of seconds since 2001, as Foundation's own coders write it: exact.
    case secondsSince2001
    /// A number of seconds since 1970.
    case secondsSince1970
    /// A number of milliseconds since 1970.
    case millisecondsSince1970
    /// A text such as `2026-11-21T08:30:00.125Z`, as ``ISO8601Date`` writes it.
    case iso8601
  }

  /// How Data inside JSON is written, and read back.
  public enum Bytes: Sendable {
    /// A text in Base64.
    case base64
    /// An array of numbers from 0 to 255.
    case numbers
  }

  /// The layout of the JSON that is written.
  ///
  /// Without `.sortedKeys` two equal dictionaries can become different texts, and `fetchOne(_:equals:)` misses one.
  public var writing: JSONEncoder.OutputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  /// How dates inside JSON are written, and read back.
  public var dates = Dates.secondsSince2001
  /// How bytes inside JSON are written, and read back.
  public var data = Bytes.base64
  /// Whether the reader also accepts JSON5: comments, single quotes, trailing commas and so on.
  public var allowsJSON5 = false

  /// The usual options.
  public init() {}

  package var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = writing
    switch dates {
    case .secondsSince2001: break
    case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
    case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
    case .iso8601:
      encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(try ISO8601Date(date).text)
      }
    }
    if data == .numbers { encoder.dataEncodingStrategy = .deferredToData }
    return encoder
  }

  package var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = allowsJSON5
    switch dates {
    case .secondsSince2001: break
    case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
    case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
    case .iso8601:
      decoder.dateDecodingStrategy = .custom { decoder in
        let text = try decoder.singleValueContainer().decode(String.self)
        return try ISO8601Date(text).date
      }
    }
    if data == .numbers { decoder.dataDecodingStrategy = .deferredToData }
    return decoder
  }
}
