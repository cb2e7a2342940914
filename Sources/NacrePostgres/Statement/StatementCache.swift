#if PostgreSQL
/// A connection's prepared statements by their text; it drops the least recently used one first.
struct StatementCache {
  /// SQL text as a key that compares bytes; Swift compares strings by Unicode's canonical equivalence.
  private struct Key: Hashable {
    let sql: String

    static func == (left: Key, right: Key) -> Bool {
      left.sql == right.sql && left.sql.utf8.elementsEqual(right.sql.utf8)
    }

    func hash(into hasher: inout Hasher) {
      var sql = sql
      sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  let capacity: Int
  private var statements: [Key: PostgresStatement] = [:]
  private var clock: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  /// The number of statements.
  var count: Int { statements.count }

  /// A statement ready to be bound, or nil if there is none, or the kept one is lent or being stepped.
  mutating func statement(for sql: String) -> PostgresStatement? {
    guard let statement = statements[Key(sql: sql)], !statement.isLent, !statement.isBusy else {
      return nil
    }
    clock += 1
    statement.lastUse = clock
    // Values of the last use must not live on.
    statement.clearBindings()
    return statement
  }

  /// Keeps a statement, unless the cache has one of the same text.
  mutating func insert(_ statement: PostgresStatement, for sql: String) {
    let key = Key(sql: sql)
    guard capacity > 0, statements[key] == nil else { return }
    if statements.count >= capacity,
      let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      statements[oldest.key] = nil
    }
    clock += 1
    statement.lastUse = clock
    statements[key] = statement
  }

  mutating func removeAll() { statements.removeAll() }
}
#endif
