/// What a rollback has to put back in memory, so that every object is as unsaved as before.
struct UndoLog {
  private enum Entry {
    case object(any Entity, EntityState)
    case action(() -> Void)
  }

  private var entries: [Entry] = []
  /// What happens once the outermost transaction is committed.
  private var commits: [() -> Void] = []

  /// The place to which `rollBack(to:)` goes back.
  var mark: (entries: Int, commits: Int) { (entries.count, commits.count) }

  /// Notes an object's state before it is changed by a save or delete.
  mutating func note(_ object: any Entity) {
    entries.append(.object(object, object.entityState))
  }

  /// Notes what else has to be undone.
  mutating func note(_ action: @escaping () -> Void) {
    entries.append(.action(action))
  }

  /// Notes what has to be done after the commit.
  mutating func onCommit(_ action: @escaping () -> Void) {
    commits.append(action)
  }

  /// Undoes everything that was noted after `mark`, the latest first.
  mutating func rollBack(to mark: (entries: Int, commits: Int)) {
    while entries.count > mark.entries {
      switch entries.removeLast() {
      case .action(let action): action()
      case .object(let object, let state):
        // What was set since then is still unsaved as well.
        let changes = object.entityState.changes | state.changes
        object.entityState.changes = changes
        object.entityState.isStored = state.isStored
        object.entityState.store = state.store
        object.entityState.isMarkedForDeletion = state.isMarkedForDeletion
      }
    }
    commits.removeSubrange(mark.commits...)
  }

  /// Forgets everything, because it is committed.
  mutating func commit() {
    let actions = commits
    entries.removeAll(keepingCapacity: entries.count < 4096)
    commits.removeAll()
    for action in actions { action() }
  }
}
