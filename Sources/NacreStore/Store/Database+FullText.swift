import NacreEngine

// The triggers of a full-text index only note which objects have changed. Before a transaction is
// committed, and before a search in it, the index is brought up to date, so everybody who reads finds
// what is stored.

/// The full-text indexes that a connection brings up to date.
struct FullTextWork {
  /// The layout number at which they were looked for.
  var layout: Int64?
  var indexes: [FullTextSQL] = []
}

extension Database {
  /// Brings the full-text indexes up to date with what the open transaction has changed.
  func followFullText() throws {
    guard isWriter, connection.isInTransaction else { return }
    let layout = try connection.layoutNumber()
    if fullText.layout != layout {
      let found = try FullTextIndex.inFile(on: connection)
      fullText.indexes = try found.map { try $0.sql(connection.dialect) }
      fullText.layout = layout
    }
    for index in fullText.indexes where try connection.scalar(index.isBehind) != nil {
      for statement in index.follow { try connection.run(statement, []) }
    }
  }

  /// Brings a full-text index up to date before a search.
  ///
  /// A write transaction searches what it has written so far. In the committed state an index is
  /// behind only if a program without Nacre has changed rows. Then a transaction of the store's own
  /// brings it up to date, and a read goes on with the state after it.
  ///
  /// - Throws: ``NacreError``; `readOnly` if the file can't be written; `busy` if a cursor keeps the
  ///   read at the former state, or the other program has changed more rows.
  package func bringUpToDate(_ index: FullTextSQL) throws {
    if isWriter && connection.isInTransaction { return try followFullText() }
    guard try connection.scalar(index.isBehind) != nil else { return }
    do {
      try home.withWriterApart { try $0.transaction(.immediate) { _ in } }
    } catch var error as NacreError where error.code == .readOnly {
      error.detail =
        "another program has changed rows, and their full-text index can't be brought up to date"
      throw error
    }
    try moveSnapshot()
    guard try connection.scalar(index.isBehind) != nil else { return }
    throw NacreError(
      .busy,
      detail: "another program has changed rows meanwhile; close cursors, and search again"
    )
  }
}
