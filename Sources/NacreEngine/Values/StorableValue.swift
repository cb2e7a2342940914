import Foundation

/// How one Swift type is bound to and read from a column.
///
/// The first three requirements are enough; the last two are shortcuts past ``Value`` for types on the hot path.
/// ```swift
/// struct Money: StorableValue {
///   var cents: Int64
///   static var storageClass: StorageClass { .integer }
///   var storedValue: Value { .integer(cents) }
///   init(storedValue: Value) throws { cents = try Int64(storedValue: storedValue) }
/// }
/// ```
/// Values are bound and read on any thread, so a conformance can't be isolated to an actor.
public protocol StorableValue: QueryArgument, SendableMetatype {
  /// The storage class of a column of this type.
  static var storageClass: StorageClass { get }

  /// The value as it is stored.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  var storedValue: Value { get throws }

  /// Makes the value from its stored form.
  ///
  /// - Throws: ``ValueError`` when `storedValue` is not a stored form of this type.
  init(storedValue: Value) throws

  /// Binds the value to the parameter at `index`, counted from 1.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  func bind(to statement: any EngineStatement, at index: Int32) throws

  /// Reads the value from the column at `index`, counted from 0.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  static func read(from statement: any EngineStatement, at index: Int32) throws -> Self

  /// Whether the type can be read from NULL.
  static var acceptsNull: Bool { get }
}

extension StorableValue {
  /// Binds ``storedValue``.
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    try statement.bind(try storedValue, at: index)
  }

  /// Reads through ``init(storedValue:)``.
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> Self {
    try Self(storedValue: statement.value(at: index))
  }

  /// False: only optionals take NULL.
  public static var acceptsNull: Bool { false }
}

/// A value that can't be stored, or a stored value that its type can't take.
public enum ValueError: Error, Sendable, Equatable {
  /// The column holds another storage class than the type expects.
  case unexpected(found: StorageClass, expected: StorageClass)
  /// The storage class is right but the content is not, such as a text that is not a URL.
  case malformed(type: String)
  /// The value lies outside what the column or the type can hold.
  case outOfRange(type: String)
}

extension ValueError: CustomStringConvertible {
  /// Names what was found and what was expected, but never quotes the value.
  public var description: String {
    switch self {
    case .unexpected(let found, let expected): "found \(found), expected \(expected)"
    case .malformed(let type): "the content is not a valid \(type)"
    case .outOfRange(let type): "the value is outside of what \(type) and its column can hold"
    }
  }
}

extension EngineStatement {
  /// Binds a value of any storage class.
  package func bind(_ value: Value, at index: Int32) throws {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let value): try bind(value, at: index)
    case .real(let value): try bind(value, at: index)
    case .text(let value): try bind(text: value, at: index)
    case .blob(let value): try value.withUnsafeBytes { try bind(blob: $0, at: index) }
    }
  }

  /// Reads a column as a value of whichever storage class it holds.
  package func value(at index: Int32) -> Value {
    if let integer = integer(at: index) { return .integer(integer) }
    if let text = string(at: index) { return .text(text) }
    if let real = real(at: index) { return .real(real) }
    if let bytes = bytes(at: index) { return .blob(Data(bytes)) }
    return .null
  }

  /// The error to throw if the column does not hold `expected`.
  @inline(never)
  @usableFromInline
  func mismatch(_ expected: StorageClass, at index: Int32) -> ValueError {
    .unexpected(found: storageClass(at: index), expected: expected)
  }
}
