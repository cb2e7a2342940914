/// A connection's prepared statements by their text; it drops the least recently used one first.
struct StatementCache {
  let capacity: Int
  private var statements: [StatementText: Statement] = [:]
  /// Some statements by the address of their text; a text at the same address each time is found without hashing.
  private var recent: [Statement?] = Array(repeating: nil, count: 32)
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// A statement ready to be bound, or nil if there is none, or the kept one is lent or being stepped.
  mutating func statement(for sql: String, authorized: Bool) -> Statement? {
    guard let statement = kept(sql), !statement.isLent, !statement.isBusy else { return nil }
    // A statement that was prepared without a handler was never asked about.
    if authorized && !statement.isAuthorized { return nil }
    clock += 1
    statement.lastUse = clock
    statement.reset()
    // Values of the last use must not live on, and unowned ones must not be read again.
    if statement.parameterCount > 0 { statement.clearBindings() }
    return statement
  }

  private mutating func kept(_ sql: String) -> Statement? {
    let text = StatementText(sql: sql)
    let address = text.address
    let slot = Int(truncatingIfNeeded: address >> 4) & 31
    if address != 0, let statement = recent[slot], statement.address == address,
      statement.sql.utf8.count == sql.utf8.count
    {
      return statement
    }
    guard let statement = statements[text] else { return nil }
    if address != 0, statement.address == address { recent[slot] = statement }
    return statement
  }

  /// Keeps a statement, unless the cache has one of the same text that is still usable.
  mutating func insert(_ statement: Statement) {
    guard capacity > 0 else { return }
    let text = StatementText(sql: statement.sql)
    if let kept = statements[text] {
      guard statement.isAuthorized && !kept.isAuthorized else { return }
      forget(kept)
    } else if statements.count >= capacity {
      evictOne()
    }
    clock += 1
    statement.lastUse = clock
    statements[text] = statement
  }

  private mutating func evictOne() {
    // This scans all statements. It only happens together with a prepare, which costs far more.
    guard let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    statements[oldest.key] = nil
    forget(oldest.value)
  }

  private mutating func forget(_ statement: Statement) {
    for slot in recent.indices where recent[slot] === statement { recent[slot] = nil }
  }

  mutating func removeAll() {
    statements.removeAll()
    recent = Array(repeating: nil, count: recent.count)
  }

  /// Ends every statement, including those that somebody still holds.
  mutating func finalizeAll() {
    for statement in statements.values { statement.finalize() }
    removeAll()
  }
}
