// Overloads that choose a stored form by the property's type: what is `StorableValue` is taken as it is, an enum
// by its raw value, any other Codable value as JSON. The last two are disfavoured, so that a type's own
// conformance wins; those for `RawRepresentable & Codable` settle the case of both.

extension RowBinder {
  /// Binds an enum by its raw value.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func bind<V: RawRepresentable>(_ value: V, at index: Int) throws where V.RawValue: StorableValue {
    try bind(RawStored(value), at: index)
  }

  /// Binds an enum by its raw value, or NULL.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func bind<V: RawRepresentable>(_ value: V?, at index: Int) throws where V.RawValue: StorableValue {
    try bind(value.map { RawStored($0) }, at: index)
  }

  /// Binds an enum by its raw value.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func bind<V: RawRepresentable & Codable>(_ value: V, at index: Int) throws where V.RawValue: StorableValue {
    try bind(RawStored(value), at: index)
  }

  /// Binds an enum by its raw value, or NULL.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func bind<V: RawRepresentable & Codable>(_ value: V?, at index: Int) throws where V.RawValue: StorableValue {
    try bind(value.map { RawStored($0) }, at: index)
  }

  /// Binds a Codable value as JSON.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func bind<V: Codable>(_ value: V, at index: Int) throws {
    try bind(JSONStored(value), at: index)
  }

  /// Binds a Codable value as JSON, or NULL.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func bind<V: Codable>(_ value: V?, at index: Int) throws {
    try bind(value.map { JSONStored($0) }, at: index)
  }

  /// Seals an enum by its raw value.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func seal<V: RawRepresentable>(_ value: V, at index: Int) throws where V.RawValue: StorableValue {
    try seal(RawStored(value), at: index)
  }

  /// Seals an enum by its raw value, or NULL.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func seal<V: RawRepresentable>(_ value: V?, at index: Int) throws where V.RawValue: StorableValue {
    try seal(value.map { RawStored($0) }, at: index)
  }

  /// Seals an enum by its raw value.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func seal<V: RawRepresentable & Codable>(_ value: V, at index: Int) throws where V.RawValue: StorableValue {
    try seal(RawStored(value), at: index)
  }

  /// Seals an enum by its raw value, or NULL.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func seal<V: RawRepresentable & Codable>(_ value: V?, at index: Int) throws where V.RawValue: StorableValue {
    try seal(value.map { RawStored($0) }, at: index)
  }

  /// Seals a Codable value as JSON.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func seal<V: Codable>(_ value: V, at index: Int) throws {
    try seal(JSONStored(value), at: index)
  }

  /// Seals a Codable value as JSON, or NULL.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @_disfavoredOverload
  @inlinable
  public func seal<V: Codable>(_ value: V?, at index: Int) throws {
    try seal(value.map { JSONStored($0) }, at: index)
  }
}

extension RowReader {
  /// Reads an enum by its raw value.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func read<V: RawRepresentable>(_ value: inout V, at index: Int) throws where V.RawValue: StorableValue {
    var stored = RawStored(value)
    try read(&stored, at: index)
    value = stored.wrapped
  }

  /// Reads an enum by its raw value, or NULL.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func read<V: RawRepresentable>(_ value: inout V?, at index: Int) throws where V.RawValue: StorableValue {
    var stored: RawStored<V>?
    try read(&stored, at: index)
    value = stored?.wrapped
  }

  /// Reads an enum by its raw value.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func read<V: RawRepresentable & Codable>(_ value: inout V, at index: Int) throws where V.RawValue: StorableValue {
    var stored = RawStored(value)
    try read(&stored, at: index)
    value = stored.wrapped
  }

  /// Reads an enum by its raw value, or NULL.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func read<V: RawRepresentable & Codable>(_ value: inout V?, at index: Int) throws where V.RawValue: StorableValue {
    var stored: RawStored<V>?
    try read(&stored, at: index)
    value = stored?.wrapped
  }

  /// Reads a Codable value as JSON.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func read<V: Codable>(_ value: inout V, at index: Int) throws {
    var stored = JSONStored(value)
    try read(&stored, at: index)
    value = stored.wrapped
  }

  /// Reads a Codable value as JSON, or NULL.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func read<V: Codable>(_ value: inout V?, at index: Int) throws {
    var stored: JSONStored<V>?
    try read(&stored, at: index)
    value = stored?.wrapped
  }

  /// Opens an enum by its raw value.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func open<V: RawRepresentable>(_ value: inout V, at index: Int) throws where V.RawValue: StorableValue {
    var stored = RawStored(value)
    try open(&stored, at: index)
    value = stored.wrapped
  }

  /// Opens an enum by its raw value, or NULL.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func open<V: RawRepresentable>(_ value: inout V?, at index: Int) throws where V.RawValue: StorableValue {
    var stored: RawStored<V>?
    try open(&stored, at: index)
    value = stored?.wrapped
  }

  /// Opens an enum by its raw value.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func open<V: RawRepresentable & Codable>(_ value: inout V, at index: Int) throws where V.RawValue: StorableValue {
    var stored = RawStored(value)
    try open(&stored, at: index)
    value = stored.wrapped
  }

  /// Opens an enum by its raw value, or NULL.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func open<V: RawRepresentable & Codable>(_ value: inout V?, at index: Int) throws where V.RawValue: StorableValue {
    var stored: RawStored<V>?
    try open(&stored, at: index)
    value = stored?.wrapped
  }

  /// Opens a Codable value as JSON.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func open<V: Codable>(_ value: inout V, at index: Int) throws {
    var stored = JSONStored(value)
    try open(&stored, at: index)
    value = stored.wrapped
  }

  /// Opens a Codable value as JSON, or NULL.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @_disfavoredOverload
  @inlinable
  public func open<V: Codable>(_ value: inout V?, at index: Int) throws {
    var stored: JSONStored<V>?
    try open(&stored, at: index)
    value = stored?.wrapped
  }
}
