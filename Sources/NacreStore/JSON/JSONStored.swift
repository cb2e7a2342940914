import Foundation
public import NacreEngine

/// A Codable value, stored as JSON text with the options in ``StoreOptions/json``; an optional's
/// nil is stored as NULL.
public struct JSONStored<Wrapped: Codable>: StorableValue {
  /// The value.
  public let wrapped: Wrapped

  /// Wraps a value.
  public init(_ wrapped: Wrapped) { self.wrapped = wrapped }

  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// Whether the value is an optional.
  public static var acceptsNull: Bool { Wrapped.self is any ExpressibleByNilLiteral.Type }

  /// The value as JSON.
  ///
  /// - Throws: ``ValueError/malformed(type:)`` if encoding the value fails, or the ``ValueError``
  ///   that encoding throws.
  public var storedValue: Value {
    get throws {
      do {
        let json = String(decoding: try JSONOptions.current.encoder.encode(wrapped), as: UTF8.self)
        return Self.acceptsNull && json == "null" ? .null : .text(json)
      } catch let error as ValueError {
        throw error
      } catch {
        throw ValueError.malformed(type: "\(Wrapped.self)")
      }
    }
  }

  /// Makes the value from its JSON.
  ///
  /// - Throws: ``ValueError`` if the value is not a text, or the JSON does not decode as this type.
  public init(storedValue: Value) throws {
    let isNil = Self.acceptsNull && storedValue == .null
    let text = isNil ? "null" : try String(storedValue: storedValue)
    do {
      wrapped = try JSONOptions.current.decoder.decode(Wrapped.self, from: Data(text.utf8))
    } catch {
      // The decoder's own error would quote the text, which may be a sealed property's plaintext.
      throw ValueError.malformed(type: "\(Wrapped.self)")
    }
  }
}
