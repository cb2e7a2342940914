import Foundation
import NacreCore
import NacreCrypto
import NacreEngine
import NacreOpen
import Testing

/// The beginning of the tests' sealed values; only an open object may show it.
enum Marker {
  static let text = "MARKER-5up3r-s3cr3t"

  /// Fails the test if a text shows a marker or the key of the tests.
  static func expectAbsent(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let shown = text.lowercased()
    #expect(!shown.contains("marker"), "plaintext in: \(text)", sourceLocation: sourceLocation)
    #expect(!shown.contains(Scene.keyHex.prefix(16)), sourceLocation: sourceLocation)
  }
}

/// One store in a directory or a schema of its own, its secret, and a way to change it behind the store's back.
struct Scene {
  static let keyHex = String(repeating: "a7c3", count: 16)
  static let otherHex = String(repeating: "19e5", count: 16)

  let directory: TemporaryDirectory
  let path: String

  init(_ name: String = "store.db") throws {
    directory = try TemporaryDirectory()
    path = try TestPlace.make(directory.file(name))
  }

  static func secret(_ hex: String) throws -> SecretBytes {
    let digits = Array(hex.utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    return try bytes.withUnsafeBytes { try SecretBytes(copying: $0) }
  }

  static let unlock = Unlock.callback { try Scene.secret(Scene.keyHex) }
  static let wrong = Unlock.callback { try Scene.secret(Scene.otherHex) }

  func open(
    _ unlock: Unlock? = Scene.unlock,
    _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws -> Store {
    var options = StoreOptions.patient
    change(&options)
    return try TestPlace.open(path, unlock: unlock, options: options)
  }

  /// Saves an object in the store, in the transaction that `save` makes itself.
  func save(_ object: any Entity, cascade: Bool = true, in store: Store) throws {
    object.use(store)
    try object.save(cascade: cascade)
  }

  /// Runs one statement on the database behind the store's back, without foreign keys, and returns its rows.
  @discardableResult
  func edit(_ sql: String, _ arguments: Value...) throws -> [[Value]] {
    let connection = try TestPlace.connect(path)
    defer { try? connection.close() }
    let statement = try connection.prepare(sql, persistent: false)
    for (index, value) in arguments.enumerated() {
      try statement.bind(value, at: Int32(index + 1))
    }
    var rows: [[Value]] = []
    while try statement.step() {
      rows.append((0..<Int32(statement.columnCount)).map { statement.value(at: $0) })
    }
    return rows
  }

  /// Reads the tables of the database behind the store's back.
  func reading<Result>(_ body: (any EngineSchema) throws -> Result) throws -> Result {
    let connection = try TestPlace.connect(path)
    defer { try? connection.close() }
    return try body(connection.schema)
  }

  /// Returns the bytes of the files in the store's directory by name, such as the store's file and
  /// its log.
  func fileBytes() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      files[name] = try directory.bytes(name)
    }
    return files
  }
}

/// Checks that `body` throws a `NacreError` with that code and place, and that the error shows no
/// secret.
func expectError(
  _ code: NacreError.Code,
  entity: String? = nil,
  property: String? = nil,
  objectID: UUID? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  _ = thrown(
    code,
    entity: entity,
    property: property,
    objectID: objectID,
    sourceLocation: sourceLocation,
    body
  )
}

/// Returns the error that `body` must throw, checked as ``expectError`` checks it.
func thrown(
  _ code: NacreError.Code,
  entity: String? = nil,
  property: String? = nil,
  objectID: UUID? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> NacreError? {
  do {
    try body()
  } catch let error as NacreError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    if let entity { #expect(error.entity == entity, sourceLocation: sourceLocation) }
    if let property { #expect(error.property == property, sourceLocation: sourceLocation) }
    if let objectID { #expect(error.objectID == objectID, sourceLocation: sourceLocation) }
    var dumped = ""
    dump(error, to: &dumped)
    for text in ["\(error)", error.localizedDescription, String(reflecting: error), dumped] {
      Marker.expectAbsent(text, sourceLocation: sourceLocation)
    }
    return error
  } catch {
    Issue.record("not a NacreError: \(error)", sourceLocation: sourceLocation)
    return nil
  }
  Issue.record("nothing was thrown instead of \(code)", sourceLocation: sourceLocation)
  return nil
}
