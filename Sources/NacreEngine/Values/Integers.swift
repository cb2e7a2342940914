/// Stores integers of every width as INTEGER and never wraps a value: storing one that SQLite's 64 signed bits can't
/// hold is an error, and so is reading one that the property's width can't hold.
extension StorableValue where Self: FixedWidthInteger {
  /// INTEGER.
  @inlinable public static var storageClass: StorageClass { .integer }

  /// The number as 64 signed bits.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a number above `Int64.max`.
  @inlinable
  public var storedValue: Value {
    get throws { .integer(try signed()) }
  }

  /// Makes the number from an INTEGER.
  ///
  /// - Throws: ``ValueError`` when the value is not an INTEGER or the type can't hold it.
  @inlinable
  public init(storedValue: Value) throws {
    guard case .integer(let integer) = storedValue else {
      throw ValueError.unexpected(found: storedValue.storageClass, expected: .integer)
    }
    self = try Self.exact(integer)
  }

  /// Binds the number.
  @inlinable
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    try statement.bind(try signed(), at: index)
  }

  /// Reads the number.
  @inlinable
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> Self {
    guard let integer = statement.integer(at: index) else {
      throw statement.mismatch(.integer, at: index)
    }
    return try exact(integer)
  }

  @inlinable
  func signed() throws -> Int64 {
    guard let value = Int64(exactly: self) else {
      throw ValueError.outOfRange(type: "\(Self.self)")
    }
    return value
  }

  @inlinable
  static func exact(_ integer: Int64) throws -> Self {
    guard let value = Self(exactly: integer) else {
      throw ValueError.outOfRange(type: "\(Self.self)")
    }
    return value
  }
}

extension Int: StorableValue {}
extension Int8: StorableValue {}
extension Int16: StorableValue {}
extension Int32: StorableValue {}
extension Int64: StorableValue {}
extension UInt: StorableValue {}
extension UInt8: StorableValue {}
extension UInt16: StorableValue {}
extension UInt32: StorableValue {}
extension UInt64: StorableValue {}

extension Bool: StorableValue {
  /// INTEGER.
  @inlinable public static var storageClass: StorageClass { .integer }

  /// 1 for true and 0 for false.
  @inlinable
  public var storedValue: Value { .integer(self ? 1 : 0) }

  /// Makes a Bool from 0 or 1.
  ///
  /// - Throws: ``ValueError`` for anything else.
  public init(storedValue: Value) throws {
    self = try Bool.exact(try Int64(storedValue: storedValue))
  }

  /// Binds 1 or 0.
  @inlinable
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    try statement.bind(self ? 1 : 0 as Int64, at: index)
  }

  /// Reads 0 or 1.
  @inlinable
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> Bool {
    guard let integer = statement.integer(at: index) else {
      throw statement.mismatch(.integer, at: index)
    }
    return try exact(integer)
  }

  @inlinable
  static func exact(_ integer: Int64) throws -> Bool {
    guard integer == 0 || integer == 1 else { throw ValueError.outOfRange(type: "Bool") }
    return integer == 1
  }
}
