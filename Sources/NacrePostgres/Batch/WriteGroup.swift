#if PostgreSQL
import NacreEngine

/// Rows that wait to be sent together, by a statement for each of their tables.
///
/// The tables' statements do not see each other: foreign keys are checked at the end of the transaction, or a group has one
/// table, and no row is gathered where an application's own trigger or rule could see the order. So a table has one
/// statement in a group, and a delete, which can change other tables' rows, is in a group of its own.
struct WriteGroup {
  /// The most that waits, to be sent or for an answer, so that neither side's memory grows.
  static let limit = (count: 1000, byteCount: 1 << 20)

  private(set) var batches: [WriteBatch] = []
  private(set) var byteCount = 0

  var isEmpty: Bool { batches.isEmpty }
  var rowCount: Int { batches.reduce(0) { $0 + $1.rowCount } }
  var isFull: Bool {
    rowCount >= Self.limit.count || byteCount >= Self.limit.byteCount
  }
  /// Whether the group is a row that its own statement writes, and whose failure needs no search.
  var isSingleRow: Bool {
    batches.count == 1 && batches[0].rowCount == 1 && !batches[0].form.findsMissingRows
  }
  /// Whether each row by itself can succeed where all together have failed: the server chooses the order of an update.
  var canSucceedRowByRow: Bool { batches.contains { $0.form.findsMissingRows } }

  /// Adds a row.
  ///
  /// - Returns: Whether it was added; if not, the group has to be sent first.
  mutating func append(_ row: Parameters, _ write: PendingWrite, _ form: BatchForm) -> Bool {
    if let last = batches.last, last.form === form { return add(row, write, to: last) }
    let others = batches.filter { $0.form !== form }
    let isApart = { (other: WriteBatch) in
      other.form.text.table != form.text.table && other.form.text.verb != .delete
    }
    guard others.isEmpty || (form.text.verb != .delete && others.allSatisfy(isApart)) else {
      return false
    }
    if let batch = batches.first(where: { $0.form === form }) { return add(row, write, to: batch) }
    let batch = WriteBatch(form)
    guard add(row, write, to: batch) else { return false }
    batches.append(batch)
    return true
  }

  private mutating func add(_ row: Parameters, _ write: PendingWrite, to batch: WriteBatch) -> Bool
  {
    guard batch.append(row, write) else { return false }
    byteCount += row.byteCount
    return true
  }
}

extension WriteGroup {
  /// A statement of a group.
  enum Statement {
    case text(String)
    /// The statement for one row.
    case row(WriteBatch)
    /// The statement for many rows.
    case rows(WriteBatch)
  }

  /// The statements that write the rows.
  ///
  /// After a failure the savepoint gives back a transaction in which the rows can be written one by one.
  var statements: [Statement] {
    if isSingleRow { return [.row(batches[0])] }
    return [.text("SAVEPOINT nacre_rows")] + batches.map { .rows($0) }
      + [.text("RELEASE SAVEPOINT nacre_rows")]
  }
}
#endif
