#if PostgreSQL
import NacreEngine

/// The writes that a session has sent ahead.
struct PendingWrites {
  /// Something that was sent.
  struct Entry {
    let content: Content
    /// The number of savepoints that were set before it.
    let depth: Int
  }

  enum Content {
    /// A statement without values, which can't fail but with the session.
    case statement(String)
    /// A write, whose values nobody keeps.
    case write(sql: String, PendingWrite)
    /// Rows that were sent together.
    case group(WriteGroup)
  }

  private(set) var entries: [Entry] = []
  private var byteCount = 0

  var isEmpty: Bool { entries.isEmpty }
  var isFull: Bool {
    entries.count >= WriteGroup.limit.count || byteCount >= WriteGroup.limit.byteCount
  }

  /// Whether each of them fails, and with it the COMMIT behind it, or has done its work.
  ///
  /// An update of one row can find none, and nothing fails.
  var areSure: Bool {
    entries.allSatisfy {
      if case .write(_, .row(isNew: false, _)) = $0.content { return false }
      return true
    }
  }

  /// Whether some of the rows can succeed one by one where all together have failed, so that what was sent behind them has
  /// to be sent again.
  var canSucceedRowByRow: Bool {
    entries.contains {
      if case .group(let group) = $0.content { group.canSucceedRowByRow } else { false }
    }
  }

  mutating func append(_ content: Content, depth: Int, byteCount: Int = 0) {
    entries.append(Entry(content: content, depth: depth))
    self.byteCount += byteCount
  }

  mutating func takeAll() -> [Entry] {
    defer { self = PendingWrites() }
    return entries
  }
}

/// A write of an open transaction that is missing in it although the server goes on with the transaction.
struct MissedWrite {
  /// The number of savepoints that were set before it.
  let depth: Int
  /// Returns its error.
  ///
  /// That can take a query, so nobody asks within a pipeline or in a transaction that has failed.
  let error: () -> PostgresError
}
#endif
