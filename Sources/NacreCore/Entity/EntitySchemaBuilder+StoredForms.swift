import NacreEngine
import NacreStore

// Overloads that choose a stored form by the property's type; see StoredForms.swift.

extension EntitySchemaBuilder {
  /// Adds a property whose type is ``StorableValue``.
  public mutating func add<V: StorableValue>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, V>,
    column: ColumnOptions = .init(),
    sealed: SealedOptions? = nil
  ) {
    addValue(name, path, column, sealed, { $0 }, { $0 })
  }

  /// Adds a property that holds an enum, stored by its raw value.
  @_disfavoredOverload
  public mutating func add<V: RawRepresentable>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, V>,
    column: ColumnOptions = .init(),
    sealed: SealedOptions? = nil
  ) where V.RawValue: StorableValue {
    addValue(name, path, column, sealed, { RawStored($0) }, { $0.wrapped })
  }

  /// Adds a property that holds an enum, stored by its raw value, or nil.
  @_disfavoredOverload
  public mutating func add<V: RawRepresentable>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, V?>,
    column: ColumnOptions = .init(),
    sealed: SealedOptions? = nil
  ) where V.RawValue: StorableValue {
    addValue(name, path, column, sealed, { $0.map { RawStored($0) } }, { $0?.wrapped })
  }

  /// Catches a property of any other type, so that the compiler says what to do about it.
  @available(
    *,
    unavailable,
    message: """
      Nacre can't store this type: make a child optional (`Engine?`), make a value Codable or StorableValue, \
      or mark the property @Transient
      """
  )
  @_disfavoredOverload
  public mutating func add<V>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, V>,
    column: ColumnOptions = .init(),
    sealed: SealedOptions? = nil
  ) {}
}

extension EntitySchemaBuilder: JSONFallback {}

extension JSONFallback {
  /// Adds a property that holds a Codable value, or an optional of it, stored as JSON.
  @_disfavoredOverload
  public mutating func add<E, V: Codable>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, V>,
    column: ColumnOptions = .init(),
    sealed: SealedOptions? = nil
  ) where Self == EntitySchemaBuilder<E> {
    self.addValue(name, path, column, sealed, { JSONStored($0) }, { $0.wrapped })
  }
}
