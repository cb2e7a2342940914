/// The changes in memory that a rollback has to undo, so that every object is as unsaved as before.
@usableFromInline
package struct UndoLog {
  @usableFromInline
  enum Entry {
    case object(AnyObject, ObjectState)
    case action(() -> Void)
  }

  @usableFromInline var entries: [Entry] = []
  /// The actions to run once the outermost transaction is committed.
  private var commits: [() -> Void] = []

  /// A position in the log to which `rollBack(to:)` goes back.
  package struct Mark {
    fileprivate var entries = 0
    fileprivate var commits = 0

    /// Creates the position at the beginning of the log.
    package init() {}
  }

  /// The log's current position.
  package var mark: Mark {
    var mark = Mark()
    mark.entries = entries.count
    mark.commits = commits.count
    return mark
  }

  /// The objects that were noted since `mark`, in order.
  package func objects(since mark: Mark) -> [AnyObject] {
    entries[mark.entries...].compactMap {
      if case .object(let object, _) = $0 { object } else { nil }
    }
  }

  /// Notes an object's state before a save or delete changes it.
  @inlinable
  package mutating func note(_ object: AnyObject, _ state: ObjectState) {
    entries.append(.object(object, state))
  }

  /// Notes an action that a rollback has to run.
  package mutating func note(_ action: @escaping () -> Void) {
    entries.append(.action(action))
  }

  /// Notes an action to run after the commit.
  package mutating func onCommit(_ action: @escaping () -> Void) {
    commits.append(action)
  }

  /// Undoes everything that was noted after `mark`, the latest first.
  ///
  /// - Parameters:
  ///   - mark: The position to go back to.
  ///   - putBack: Restores an object's state.
  mutating func rollBack(to mark: Mark, putBack: (AnyObject, ObjectState) -> Void) {
    // Remove the entries first: restoring a property can make an observer save, which adds new
    // entries.
    let undone = entries[min(mark.entries, entries.count)...].reversed()
    entries.removeLast(undone.count)
    for entry in undone {
      switch entry {
      case .action(let action): action()
      case .object(let object, let state): putBack(object, state)
      }
    }
    // There are fewer actions if the whole transaction was lost meanwhile.
    commits.removeSubrange(min(mark.commits, commits.count)...)
  }

  /// Forgets everything, because it is committed.
  mutating func commit() {
    let actions = commits
    entries.removeAll(keepingCapacity: entries.count < 4096)
    commits.removeAll()
    for action in actions { action() }
  }
}

/// The part of an object's state that a save or delete changes and a rollback restores.
///
/// The object's identity stays.
@usableFromInline
package struct ObjectState {
  /// The bits of the properties that have unsaved changes.
  @usableFromInline package let changes: UInt64
  /// The version of its row.
  @usableFromInline package let version: Int64
  /// The number of its store.
  @usableFromInline package let store: UInt32
  /// Whether it has a row.
  @usableFromInline package let isStored: Bool
  /// Whether the next save deletes it.
  @usableFromInline package let isMarkedForDeletion: Bool

  @inlinable
  package init(
    changes: UInt64,
    version: Int64,
    store: UInt32,
    isStored: Bool,
    isMarkedForDeletion: Bool
  ) {
    self.changes = changes
    self.version = version
    self.store = store
    self.isStored = isStored
    self.isMarkedForDeletion = isMarkedForDeletion
  }
}
