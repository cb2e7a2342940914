#if PostgreSQL
import NacreEngine

/// How rows are written by one statement: the statements for many rows and for one.
final class BatchForm {
  /// Gives libpq a statement to run with values, and returns what libpq returns.
  typealias Sending = (Parameters, OpaquePointer) -> Int32

  let text: BatchText
  /// The types of the values of a row.
  let types: [WireType]
  /// The statement for one row, for errors.
  let sql: String
  let sendRows: Sending
  let sendRow: Sending

  init(
    _ text: BatchText,
    types: [WireType],
    sql: String,
    rows: @escaping Sending,
    row: @escaping Sending
  ) {
    (self.text, self.types, self.sql) = (text, types, sql)
    (sendRows, sendRow) = (rows, row)
  }

  /// Whether the statement can tell of a write what its caller has to know: a DELETE does not say which rows there were.
  func takes(_ write: PendingWrite) -> Bool {
    guard text.verb == .delete else { return true }
    if case .rows(ended: nil) = write { return true }
    return false
  }

  /// Whether the statement for many rows fails if one of them is missing.
  var findsMissingRows: Bool { if case .update = text.verb { true } else { false } }
}

/// Rows that wait to be written by one statement.
final class WriteBatch {
  let form: BatchForm
  private(set) var writes: [PendingWrite] = []
  private var columns: [ArrayBytes]
  private var identifiers: Set<ObjectID> = []

  init(_ form: BatchForm) {
    self.form = form
    columns = form.types.map(ArrayBytes.init)
  }

  var rowCount: Int { writes.count }

  /// Adds a row, unless the batch has one already that its statement would not write a second time.
  ///
  /// - Returns: Whether it was added.
  func append(_ row: Parameters, _ write: PendingWrite) -> Bool {
    if case .update(let key) = form.text.verb {
      guard let bytes = row.bytes(at: key), bytes.count == 16 else { return false }
      let identifier = ObjectID(
        high: bytes.loadUnaligned(as: UInt64.self),
        low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
      guard identifiers.insert(identifier).inserted else { return false }
    }
    for index in columns.indices { columns[index].append(row.bytes(at: index)) }
    writes.append(write)
    return true
  }

  /// Returns the values of the statement for all rows.
  func arrays() -> Parameters {
    let parameters = Parameters(count: columns.count)
    for index in columns.indices { columns[index].set(parameters, at: index) }
    return parameters
  }

  /// Calls a closure with the values of each row, for the statement that writes one.
  func forEachRow<Failure>(
    _ body: (Parameters, PendingWrite) throws(Failure) -> Void
  ) throws(Failure) {
    let parameters = Parameters(count: columns.count)
    var offsets = columns.map { _ in 0 }
    for write in writes {
      for index in columns.indices {
        columns[index].setItem(at: &offsets[index], parameters, at: index)
      }
      try body(parameters, write)
    }
  }
}
#endif
