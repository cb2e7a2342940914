/// The changes in memory that a rollback has to undo, so that every object is as unsaved as before.
struct UndoLog {
  private enum Entry {
    case object(any Entity, Former)
    case action(() -> Void)
  }

  /// The part of an object's state that a save or delete changes; its identity stays.
  private struct Former {
    let changes: UInt64
    let version: Int64
    let store: UInt32
    let isStored: Bool
    let isMarkedForDeletion: Bool
  }

  private var entries: [Entry] = []
  /// The actions to run once the outermost transaction is committed.
  private var commits: [() -> Void] = []

  /// A place to which `rollBack(to:)` goes back; the default is the beginning.
  struct Mark {
    fileprivate var entries = 0
    fileprivate var commits = 0
  }

  /// The place at which the log is.
  var mark: Mark { Mark(entries: entries.count, commits: commits.count) }

  /// The objects that were noted since `mark`, in order.
  func objects(since mark: Mark) -> [any Entity] {
    entries[mark.entries...].compactMap {
      if case .object(let object, _) = $0 { object } else { nil }
    }
  }

  /// Notes an object's state before it is changed by a save or delete.
  mutating func note(_ object: any Entity, _ state: EntityState) {
    let former = Former(
      changes: state.changes,
      version: state.version,
      store: state.store,
      isStored: state.isStored,
      isMarkedForDeletion: state.isMarkedForDeletion
    )
    entries.append(.object(object, former))
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
  mutating func rollBack(to mark: Mark) {
    // Taken out at once: an observer of a property that is put back can save, which notes anew.
    let undone = entries[min(mark.entries, entries.count)...].reversed()
    entries.removeLast(undone.count)
    for entry in undone {
      switch entry {
      case .action(let action): action()
      case .object(let object, let former):
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
    // There are fewer where the whole transaction was lost meanwhile.
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
