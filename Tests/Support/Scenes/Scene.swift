import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreSQLite
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

/// One store's file in a directory of its own, its secret, and a way to change the file behind the
/// store's back.
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
    return try Store.open(path, unlock: unlock, options: options)
  }

  /// Saves an object in the store, in the transaction that `save` makes itself.
  func save(_ object: any Entity, cascade: Bool = true, in store: Store) throws {
    object.use(store)
    try object.save(cascade: cascade)
  }

  /// Runs one statement on the file behind the store's back, and returns its rows.
  @discardableResult
  func edit(_ sql: String, _ arguments: Value...) throws -> [[Value]] {
    var configuration = ConnectionConfiguration()
    configuration.pragmas.foreignKeys = false
    configuration.setsJournalMode = false
    let connection = try Connection(path: path, mode: .readWrite, configuration: configuration)
    defer { try? connection.close() }
    let statement = try connection.cached(sql)
    for (index, value) in arguments.enumerated() {
      let parameter = Int32(index + 1)
      switch value {
      case .null: try statement.bindNull(at: parameter)
      case .integer(let value): try statement.bind(value, at: parameter)
      case .real(let value): try statement.bind(value, at: parameter)
      case .text(let value): try statement.bind(text: value, at: parameter)
      case .blob(let value):
        try value.withUnsafeBytes { try statement.bind(blob: $0, at: parameter) }
      }
    }
    var rows: [[Value]] = []
    while try statement.step() {
      rows.append((0..<Int32(statement.columnCount)).map { Scene.value(statement, $0) })
    }
    return rows
  }

  private static func value(_ statement: Statement, _ column: Int32) -> Value {
    switch statement.storageClass(at: column) {
    case .null: .null
    case .integer: .integer(statement.int64(at: column))
    case .real: .real(statement.double(at: column))
    case .text: .text(statement.text(at: column))
    case .blob: .blob(Data(statement.blob(at: column)))
    }
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
