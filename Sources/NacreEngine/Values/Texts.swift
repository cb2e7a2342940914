public import Foundation

extension String: StorableValue {
  /// TEXT.
  @inlinable public static var storageClass: StorageClass { .text }

  /// The text.
  @inlinable
  public var storedValue: Value { .text(self) }

  /// Makes the text.
  ///
  /// - Throws: ``ValueError`` when the value is not a text.
  @inlinable
  public init(storedValue: Value) throws {
    guard case .text(let text) = storedValue else {
      throw ValueError.unexpected(found: storedValue.storageClass, expected: .text)
    }
    self = text
  }

  /// Binds the text.
  @inlinable
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    try statement.bind(text: self, at: index)
  }

  /// Reads the text.
  @inlinable
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> String {
    guard let text = statement.string(at: index) else {
      throw statement.mismatch(.text, at: index)
    }
    return text
  }
}

extension URL: StorableValue {
  /// TEXT: the absolute string.
  public static var storageClass: StorageClass { .text }

  /// The absolute string.
  public var storedValue: Value { .text(absoluteString) }

  /// Makes the URL from its absolute string.
  ///
  /// - Throws: ``ValueError`` when the value is not a text, or the text is not a URL.
  public init(storedValue: Value) throws {
    guard let url = URL(string: try String(storedValue: storedValue)) else {
      throw ValueError.malformed(type: "URL")
    }
    self = url
  }
}

extension Data: StorableValue {
  /// BLOB.
  @inlinable public static var storageClass: StorageClass { .blob }

  /// The bytes.
  @inlinable
  public var storedValue: Value { .blob(self) }

  /// Makes the bytes.
  ///
  /// - Throws: ``ValueError`` when the value is not a blob.
  public init(storedValue: Value) throws {
    guard case .blob(let data) = storedValue else {
      throw ValueError.unexpected(found: storedValue.storageClass, expected: .blob)
    }
    self = data
  }

  /// Binds the bytes.
  @inlinable
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    try withUnsafeBytes { try statement.bind(blob: $0, at: index) }
  }

  /// Reads the bytes.
  @inlinable
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> Data {
    guard let bytes = statement.bytes(at: index) else {
      throw statement.mismatch(.blob, at: index)
    }
    return Data(bytes)
  }
}

extension UUID: StorableValue {
  /// BLOB: the 16 bytes in the order of RFC 9562.
  public static var storageClass: StorageClass { .blob }

  /// The 16 bytes.
  public var storedValue: Value { .blob(ObjectID(self).withBytes { Data($0) }) }

  /// Makes the UUID from its 16 bytes.
  ///
  /// - Throws: ``ValueError`` when the value is not a blob of 16 bytes.
  public init(storedValue: Value) throws {
    let data = try Data(storedValue: storedValue)
    guard data.count == 16 else { throw ValueError.malformed(type: "UUID") }
    self = data.withUnsafeBytes { ObjectID(bytes: $0).uuid }
  }

  /// Binds the 16 bytes.
  public func bind(to statement: any EngineStatement, at index: Int32) throws {
    try ObjectID(self).withBytes { try statement.bind(blob: $0, at: index) }
  }

  /// Reads the 16 bytes.
  public static func read(from statement: any EngineStatement, at index: Int32) throws -> UUID {
    try ObjectID.read(from: statement, at: index).uuid
  }
}

extension ObjectID {
  package func bind(to statement: any EngineStatement, at index: Int32) throws {
    try withBytes { try statement.bind(blob: $0, at: index) }
  }

  package static func read(from statement: any EngineStatement, at index: Int32) throws -> ObjectID
  {
    guard let bytes = statement.bytes(at: index) else {
      throw statement.mismatch(.blob, at: index)
    }
    guard bytes.count == 16 else { throw ValueError.malformed(type: "UUID") }
    return ObjectID(bytes: bytes)
  }
}
