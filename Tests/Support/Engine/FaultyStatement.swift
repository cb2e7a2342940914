import NacreEngine

/// A statement of a `FaultyConnection`.
final class FaultyStatement: PreparedStatement {
  private let base: any PreparedStatement
  // Unowned, as the connection keeps its statements.
  private unowned let connection: FaultyConnection

  init(_ base: any PreparedStatement, on connection: FaultyConnection) {
    self.base = base
    self.connection = connection
  }

  var sql: String { base.sql }
  var parameterCount: Int { base.parameterCount }
  var columnCount: Int { base.columnCount }
  var isBusy: Bool { base.isBusy }
  var onlyCompares: Bool { base.onlyCompares }

  func run() throws {
    do { try connection.perform(.run(base.sql)) { try base.run() } } catch {
      // A statement that has failed is ready for its next run.
      base.reset()
      throw error
    }
  }

  func send(_ write: PendingWrite) throws {
    do { try connection.perform(.run(base.sql)) { try base.send(write) } } catch {
      base.reset()
      throw error
    }
  }

  func step() throws -> Bool {
    try connection.perform(.step(base.sql)) { try base.step() }
  }

  func readInPortions() { base.readInPortions() }
  func reset() { base.reset() }
  func clearBindings() { base.clearBindings() }

  // MARK: Binding

  private func bind(_ body: () throws -> Void) throws {
    try connection.perform(.bind(base.sql), body)
  }

  func bind(_ value: Int64, at index: Int32) throws { try bind { try base.bind(value, at: index) } }
  func bind(_ value: Double, at index: Int32) throws {
    try bind { try base.bind(value, at: index) }
  }
  func bind(text: String, at index: Int32) throws {
    try bind { try base.bind(text: text, at: index) }
  }
  func bind(blob: UnsafeRawBufferPointer, at index: Int32) throws {
    try bind { try base.bind(blob: blob, at: index) }
  }
  func bindNull(at index: Int32) throws { try bind { try base.bindNull(at: index) } }
  func bind(unownedText bytes: UnsafeRawBufferPointer, at index: Int32) throws {
    try bind { try base.bind(unownedText: bytes, at: index) }
  }
  func bind(unownedBlob bytes: UnsafeRawBufferPointer, at index: Int32) throws {
    try bind { try base.bind(unownedBlob: bytes, at: index) }
  }

  // MARK: Reading

  func integer(at index: Int32) -> Int64? { base.integer(at: index) }
  func real(at index: Int32) -> Double? { base.real(at: index) }
  func string(at index: Int32) -> String? { base.string(at: index) }
  func bytes(at index: Int32) -> UnsafeRawBufferPointer? { base.bytes(at: index) }
  func isNull(at index: Int32) -> Bool { base.isNull(at: index) }
  func storageClass(at index: Int32) -> StorageClass { base.storageClass(at: index) }
  func int64(at index: Int32) -> Int64 { base.int64(at: index) }
  func double(at index: Int32) -> Double { base.double(at: index) }
  func text(at index: Int32) -> String { base.text(at: index) }
  func blob(at index: Int32) -> UnsafeRawBufferPointer { base.blob(at: index) }
  func byteCount(at index: Int32) -> Int { base.byteCount(at: index) }
  func columnName(at index: Int32) -> String { base.columnName(at: index) }
  func parameterName(at index: Int32) -> String? { base.parameterName(at: index) }

  // MARK: Sharing

  func lend() { base.lend() }
  func takeBack() { base.takeBack() }
  func notes(of owner: AnyObject) -> AnyObject? { base.notes(of: owner) }
  func keep(_ notes: AnyObject, of owner: AnyObject) { base.keep(notes, of: owner) }
}
