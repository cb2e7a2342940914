package import NacreEngine

// The operations of a connection that NacreDAO needs beyond the public ones.

extension Database {
  /// Returns a cached statement for the caller's own SQL, ready to be bound.
  ///
  /// - Throws: ``NacreError``.
  package func prepared(_ sql: String) throws -> any PreparedStatement {
    hasTriggersOrReferences = nil
    try refuseLostTransaction()
    return try NacreError.wrapping { try connection.cached(sql) }
  }

  /// Runs one statement with values for its parameters.
  ///
  /// - Throws: ``NacreError``.
  package func run(_ sql: String, _ values: [Value] = []) throws {
    _ = try execute(SQLArguments(text: sql, values: values))
  }

  /// Returns the first column of the first row, or nil if there is no row.
  ///
  /// - Throws: ``NacreError``.
  package func first(_ sql: String, _ values: [Value] = []) throws -> Value? {
    try NacreError.wrapping { try scalar(sql, values) }
  }

  /// The number of rows that were changed since the connection was opened, including those that
  /// triggers and cascades changed.
  package var totalChangedRowCount: Int { connection.totalChanges }

  /// Runs `body` in a savepoint of the open transaction, or in a new transaction if none is open.
  ///
  /// - Throws: The error of `body`, after its changes were undone.
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    try transaction(.immediate) { _ in try body() }
  }

  /// Runs an action once the outermost transaction is committed.
  package func onCommit(_ action: @escaping () -> Void) { undo.onCommit(action) }
}

extension Store {
  /// Whether this thread is inside a read or a write of any store.
  package static var isInUseOnThisThread: Bool { ThreadBinding.innermost != nil }

  /// The stores in which this thread is inside a write transaction, the innermost last.
  package static var writtenOnThisThread: [Store] { ThreadBinding.writers.map(\.home) }

  /// Whether this thread is inside a read or a write of the store.
  package var isInUseOnThisThread: Bool { ThreadBinding.database(of: self) != nil }

  /// Whether this thread is inside a read of the store.
  package var isReadOnThisThread: Bool { ThreadBinding.reader(of: self) != nil }

  /// The number of the writer's transaction that this thread is in; nil if it is in none.
  package var writingTransaction: UInt64? {
    ThreadBinding.writer(of: self)?.connection.transactionNumber
  }

  /// Whether this thread is inside a write transaction of the store.
  package var isWritingOnThisThread: Bool { ThreadBinding.writer(of: self) != nil }

  /// Gives the file's free pages back to the file system.
  ///
  /// - Throws: ``NacreError``, also inside a transaction.
  package func vacuum() throws {
    try withWriterForLong { database in try database.connection.vacuum() }
  }
}

extension EngineConnection {
  /// Writes the tables with values anew, and gives free pages back to the file system.
  ///
  /// - Throws: The engine's error, also inside a transaction.
  package func vacuum() throws {
    let tables = try valueTables(with: "nacre_quarantine").map(SQLText.main)
    try spillingChanges { try execute(dialect.vacuum(tables)) }
  }
}
