import NacreEngine
import NacreStore

extension EntitySession {
  /// How a save or delete that fails half-way is undone.
  package enum Atomicity {
    /// Nothing needs to be undone: it is one statement, which undoes itself.
    case statement
    /// The inserted rows are deleted again.
    case inserts
    /// Everything is rolled back, because only a failing disk can refuse to delete one of the
    /// store's rows half-way.
    case deletes
    /// A savepoint undoes it; SQLite then copies every page before its first change, which doubles
    /// the cost of a small graph.
    case savepoint
  }

  /// Runs a save or delete so that it changes nothing if it throws.
  package func atomically<T>(_ atomicity: Atomicity, _ body: () throws -> T) throws -> T {
    // The transaction was begun for this save or delete alone, and is rolled back as a whole.
    if ownsTransaction { return try body() }
    // A statement that fails has undone the whole transaction, but for what a savepoint keeps.
    if !undoesFailedStatements { return try database.transaction(.immediate) { _ in try body() } }
    switch atomicity {
    case .statement:
      return try body()
    case .savepoint,
      .inserts where try database.findsTriggersOrReferences(),
      .deletes where try database.findsTriggersOrReferences():
      return try database.transaction(.immediate) { _ in try body() }
    case .deletes:
      do {
        return try body()
      } catch {
        if connection.isInTransaction { database.loseTransaction() }
        throw error
      }
    case .inserts:
      let mark = database.undoMark
      do {
        return try body()
      } catch {
        if connection.isInTransaction { takeBackInserts(since: mark) }
        database.rollBackMemory(to: mark)
        throw error
      }
    }
  }

  /// Deletes the rows of the objects that were inserted since `mark`; the foreign keys take care of
  /// rows that depend on them.
  private func takeBackInserts(since mark: UndoLog.Mark) {
    do {
      for object in storedObjects(since: mark).reversed() {
        let statements = try statements(for: type(of: object).entitySchema)
        let statement = try statements.prepared(StatementKey(.delete), statements.sql.delete)
        try object.entityState.identity.bind(to: statement, at: 1)
        try statement.run()
      }
    } catch {
      database.loseTransaction()
    }
  }

  /// Returns the objects that were saved or deleted since `mark`, in order.
  func storedObjects(since mark: UndoLog.Mark) -> [any Entity] {
    database.undo.objects(since: mark).compactMap { $0 as? any Entity }
  }

  /// Gives an object the state back that it had before it was saved, deleted or refreshed.
  package func putBack(_ object: AnyObject, _ former: ObjectState) {
    guard let object = object as? any Entity else { return }
    var state = object.entityState
    // Properties that were set since then are still unsaved as well.
    state.changes |= former.changes
    state.version = former.version
    state.isStored = former.isStored
    state.store = former.store
    state.isMarkedForDeletion = former.isMarkedForDeletion
    object.entityState = state
  }
}
