/// An object that holds a reader of its store for a cursor.
protocol OpenCursor: AnyObject {
  /// Gives the reader back, because the store is being closed.
  func endWithStore()
}

/// A cursor on a connection that is lent to a closure until the closure ends.
protocol BoundCursor: AnyObject {
  /// Ends the statement, because an open statement would keep the connection in the state that it
  /// reads.
  func endWithConnection()
}

/// Weak references to the cursors on a connection.
struct BoundCursors {
  private struct Entry { weak var cursor: (any BoundCursor)? }
  private var entries: [Entry] = []
  private var limit = 16

  /// Registers a cursor, which ends when the connection is given back.
  mutating func insert(_ cursor: any BoundCursor) {
    if entries.count >= limit {
      entries.removeAll { $0.cursor == nil }
      limit = max(16, entries.count * 2)
    }
    entries.append(Entry(cursor: cursor))
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Ends all cursors.
  mutating func end() {
    let ended = entries
    entries = []
    for entry in ended { entry.cursor?.endWithConnection() }
  }
}
