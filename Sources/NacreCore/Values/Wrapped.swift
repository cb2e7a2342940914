import Foundation
public import NacreSQLite

extension Optional: StorableValue where Wrapped: StorableValue {
  /// The storage class of the wrapped type.
  @inlinable public static var storageClass: StorageClass { Wrapped.storageClass }

  /// The wrapped value, or NULL.
  @inlinable
  public var storedValue: Value { get throws { try self?.storedValue ?? .null } }

  /// Makes nil from NULL, and a wrapped value from everything else.
  ///
  /// - Throws: ``ValueError`` when the wrapped type can't take the value.
  @inlinable
  public init(storedValue: Value) throws {
    self = storedValue == .null ? nil : try Wrapped(storedValue: storedValue)
  }

  /// Binds the wrapped value, or NULL.
  @inlinable
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    guard let wrapped = self else { return try statement.bindNull(at: index) }
    try wrapped.bind(to: statement, at: index)
  }

  /// Reads nil from NULL, and a wrapped value from everything else.
  @inlinable
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> Self {
    if statement.isNull(at: index) { return nil }
    return try Wrapped.read(from: statement, at: index)
  }

  /// True.
  @inlinable public static var acceptsNull: Bool { true }
}

/// An enum with raw values, stored as its raw value.
public struct RawStored<Wrapped: RawRepresentable>: StorableValue
where Wrapped.RawValue: StorableValue {
  /// The enum's value.
  public let wrapped: Wrapped

  /// Wraps a value.
  @inlinable public init(_ wrapped: Wrapped) { self.wrapped = wrapped }

  /// The storage class of the raw value.
  @inlinable public static var storageClass: StorageClass { Wrapped.RawValue.storageClass }

  /// The raw value.
  public var storedValue: Value { get throws { try wrapped.rawValue.storedValue } }

  /// Makes the enum's value from its raw value.
  ///
  /// - Throws: ``ValueError`` when no case has that raw value.
  public init(storedValue: Value) throws {
    self = try Self.make(Wrapped.RawValue(storedValue: storedValue))
  }

  /// Binds the raw value.
  @inlinable
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    try wrapped.rawValue.bind(to: statement, at: index)
  }

  /// Reads the raw value.
  @inlinable
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> Self {
    try make(Wrapped.RawValue.read(from: statement, at: index))
  }

  @usableFromInline
  static func make(_ rawValue: Wrapped.RawValue) throws -> Self {
    guard let wrapped = Wrapped(rawValue: rawValue) else {
      throw ValueError.malformed(type: "\(Wrapped.self)")
    }
    return Self(wrapped)
  }
}

/// A Codable value, stored as JSON text with the options in ``StoreOptions/json``; an optional's nil is stored as NULL.
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
  /// - Throws: ``ValueError/malformed(type:)`` when encoding the value fails, or the ``ValueError`` that encoding
  ///   throws.
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
  /// - Throws: ``ValueError`` when the value is not a text, or the JSON does not decode as this type.
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
