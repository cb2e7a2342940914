/// A connection's prepared statements by their text, the least recently used of them dropped
/// first.
struct StatementCache {
  let capacity: Int
  private var statements: [StatementText: Statement] = [:]
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// A statement ready to be bound, or nil where none is, or the one kept is being stepped.
  mutating func statement(for sql: String, authorized: Bool) -> Statement? {
    guard let statement = statements[StatementText(sql)], !statement.isBusy else { return nil }
    // What was prepared while no handler watched was never asked about.
    if authorized && !statement.isAuthorized { return nil }
    clock += 1
    statement.lastUse = clock
    statement.reset()
    // Values of the last use must neither live on nor, where unowned, be read again.
    if statement.parameterCount > 0 { statement.clearBindings() }
    return statement
  }

  /// Keeps a statement, unless the one kept under its text is still of use.
  mutating func insert(_ statement: Statement) {
    guard capacity > 0 else { return }
    let text = StatementText(statement.sql)
    if let kept = statements[text] {
      guard statement.isAuthorized && !kept.isAuthorized else { return }
    } else if statements.count >= capacity {
      evictOne()
    }
    clock += 1
    statement.lastUse = clock
    statements[text] = statement
  }

  private mutating func evictOne() {
    // A scan of all: it happens beside a prepare, which costs far more.
    guard let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    statements[oldest.key] = nil
  }

  mutating func removeAll() {
    statements.removeAll()
  }

  /// Ends every statement, also those that somebody still holds.
  mutating func finalizeAll() {
    for statement in statements.values { statement.finalize() }
    statements.removeAll()
  }
}
