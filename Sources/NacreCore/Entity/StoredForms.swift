import NacreEngine
import NacreStore

// Overloads that choose a stored form by the property's type. A `StorableValue` is stored as it is,
// an enum by its raw value, and any other Codable value, or an optional of it, as JSON. The
// overloads are disfavoured, so that a type's own conformance to `StorableValue` wins. Those for
// JSON extend a protocol, because the compiler prefers the overloads of the type itself. So a
// Codable enum is stored by its raw value.

/// A type that stores a Codable value as JSON if none of the type's own overloads takes the value.
public protocol JSONFallback {}

extension RowBinder: JSONFallback {}

extension RowReader: JSONFallback {}

extension RowBinder {
  /// Binds an enum by its raw value.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func bind<V: RawRepresentable>(_ value: V, at index: Int) throws
  where V.RawValue: StorableValue {
    try bind(RawStored(value), at: index)
  }

  /// Binds an enum by its raw value, or NULL.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func bind<V: RawRepresentable>(_ value: V?, at index: Int) throws
  where V.RawValue: StorableValue {
    try bind(value.map { RawStored($0) }, at: index)
  }

  /// Seals an enum by its raw value.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func seal<V: RawRepresentable>(_ value: V, at index: Int) throws
  where V.RawValue: StorableValue {
    try seal(RawStored(value), at: index)
  }

  /// Seals an enum by its raw value, or NULL.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func seal<V: RawRepresentable>(_ value: V?, at index: Int) throws
  where V.RawValue: StorableValue {
    try seal(value.map { RawStored($0) }, at: index)
  }
}

extension JSONFallback where Self == RowBinder {
  /// Binds a Codable value, or an optional of it, as JSON.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func bind<V: Codable>(_ value: V, at index: Int) throws {
    try bind(JSONStored(value), at: index)
  }

  /// Seals a Codable value, or an optional of it, as JSON.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func seal<V: Codable>(_ value: V, at index: Int) throws {
    try seal(JSONStored(value), at: index)
  }
}

extension RowReader {
  /// Reads an enum by its raw value.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func read<V: RawRepresentable>(at index: Int) throws -> V
  where V.RawValue: StorableValue {
    try (read(at: index) as RawStored<V>).wrapped
  }

  /// Reads an enum by its raw value, or NULL.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func read<V: RawRepresentable>(at index: Int) throws -> V?
  where V.RawValue: StorableValue {
    try (read(at: index) as RawStored<V>?)?.wrapped
  }

  /// Opens an enum by its raw value.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func open<V: RawRepresentable>(at index: Int) throws -> V
  where V.RawValue: StorableValue {
    try (open(at: index) as RawStored<V>).wrapped
  }

  /// Opens an enum by its raw value, or NULL.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func open<V: RawRepresentable>(at index: Int) throws -> V?
  where V.RawValue: StorableValue {
    try (open(at: index) as RawStored<V>?)?.wrapped
  }
}

extension JSONFallback where Self == RowReader {
  /// Reads a Codable value, or an optional of it, as JSON.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func read<V: Codable>(at index: Int) throws -> V {
    try (read(at: index) as JSONStored<V>).wrapped
  }

  /// Opens a Codable value, or an optional of it, as JSON.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func open<V: Codable>(at index: Int) throws -> V {
    try (open(at: index) as JSONStored<V>).wrapped
  }
}
