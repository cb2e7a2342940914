/// The changes in memory that a rollback has to undo, so that every object is as unsaved as before.
///
/// A transaction can save millions of objects. So an entry is one reference, and objects that had
/// the same state share a copy of it.
@usableFromInline
package struct UndoLog {
  /// A state that objects had before a save or delete changed them.
  @usableFromInline
  struct FormerState {
    /// The first entry with this state; the state holds until the next one's first entry.
    @usableFromInline let start: Int
    @usableFromInline let state: ObjectState

    @usableFromInline
    init(start: Int, state: ObjectState) {
      self.start = start
      self.state = state
    }
  }

  /// What a rollback has to run.
  private final class Action {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
  }

  /// The objects that were changed, and the actions, in order.
  @usableFromInline var entries: [AnyObject] = []
  @usableFromInline var states: [FormerState] = []
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
    entries[mark.entries...].filter { !($0 is Action) }
  }

  /// Notes an object's state before a save or delete changes it.
  @inlinable
  package mutating func note(_ object: AnyObject, _ state: ObjectState) {
    if states.last?.state != state {
      states.append(FormerState(start: entries.count, state: state))
    }
    entries.append(object)
  }

  /// Notes an action that a rollback has to run.
  package mutating func note(_ action: @escaping () -> Void) {
    entries.append(Action(action))
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
    let start = min(mark.entries, entries.count)
    let undone = Array(entries[start...])
    var former = states
    entries.removeLast(undone.count)
    while let last = states.last, last.start >= start { states.removeLast() }
    for (index, entry) in undone.enumerated().reversed() {
      if let action = entry as? Action {
        action.run()
        continue
      }
      while let last = former.last, last.start > start + index { former.removeLast() }
      if let state = former.last?.state { putBack(entry, state) }
    }
    // There are fewer actions if the whole transaction was lost meanwhile.
    commits.removeSubrange(min(mark.commits, commits.count)...)
  }

  /// Forgets everything, because it is committed.
  mutating func commit() {
    let actions = commits
    let isShort = entries.count < 4096
    entries.removeAll(keepingCapacity: isShort)
    states.removeAll(keepingCapacity: isShort)
    commits.removeAll()
    for action in actions { action() }
  }
}

/// The part of an object's state that a save or delete changes and a rollback restores.
///
/// The object's identity stays.
@usableFromInline
package struct ObjectState: Equatable {
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

  // By hand, so that other modules can inline it.
  @inlinable
  package static func == (one: ObjectState, other: ObjectState) -> Bool {
    one.changes == other.changes && one.version == other.version && one.store == other.store
      && one.isStored == other.isStored && one.isMarkedForDeletion == other.isMarkedForDeletion
  }
}
