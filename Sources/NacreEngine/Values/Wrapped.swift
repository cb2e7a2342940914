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
