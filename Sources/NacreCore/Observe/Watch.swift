/// What is observed: an entity's objects, all of them or one.
struct WatchScope: Hashable, Sendable {
  /// The entity's own table.
  let table: String
  /// The one object; nil is all.
  let object: ObjectID?
}

/// The objects of one scope as they were when their observers were last told of them.
struct Watch {
  let tables: [ObservationSQL.Table]
  /// 24 bytes an object, and the free room of a hash table.
  private(set) var hashes: [ObjectID: UInt64] = [:]
  var inboxes: [UInt64: Inbox<RowChanges>] = [:]

  /// Takes objects as they are, without a word to anybody.
  mutating func begin(with hashes: [ObjectID: UInt64]) {
    self.hashes = hashes
  }

  /// Takes some objects as they are now, nil for gone, and says what has become of them.
  mutating func take(
    _ rows: [ObjectID: UInt64?],
    in scope: WatchScope
  ) -> [ObjectID: ObjectChange] {
    var changes: [ObjectID: ObjectChange] = [:]
    for (object, hash) in rows where scope.object == nil || scope.object == object {
      let former = hashes[object]
      if former == hash { continue }
      hashes[object] = hash
      changes[object] = former == nil ? .inserted : hash == nil ? .deleted : .updated
    }
    return changes
  }

  /// Takes all objects as they are now, and says what has become of them.
  mutating func takeAll(_ found: [ObjectID: UInt64]) -> [ObjectID: ObjectChange] {
    var changes: [ObjectID: ObjectChange] = [:]
    for (object, hash) in found {
      guard let former = hashes[object] else {
        changes[object] = .inserted
        continue
      }
      if former != hash { changes[object] = .updated }
    }
    for object in hashes.keys where found[object] == nil { changes[object] = .deleted }
    hashes = found
    return changes
  }

  /// Puts changes into every inbox.
  func deliver(_ changes: [ObjectID: ObjectChange]) -> Wakeup {
    var wakeup = Wakeup()
    if changes.isEmpty { return wakeup }
    for inbox in inboxes.values {
      wakeup += inbox.update { content in
        var waiting = content ?? RowChanges()
        // Otherwise all that waits would be copied.
        content = nil
        for (object, change) in changes { waiting.add(change, to: object) }
        content = waiting.byObject.isEmpty ? nil : waiting
      }
    }
    return wakeup
  }
}

/// A live query's place: what it has read, and whether that has changed.
struct LiveWatch {
  let inbox: Inbox<Bool>
  /// The tables that it read; nil while it runs.
  var tables: Set<String>?
  /// The tables that were changed while it ran.
  var changed: Set<String> = []
  var isStale = false

  /// Notes that tables have changed, nil for any.
  mutating func note(_ changed: Set<String>?) -> Wakeup {
    guard let tables else {
      if let changed { self.changed.formUnion(changed) } else { isStale = true }
      return Wakeup()
    }
    if let changed, changed.isDisjoint(with: tables) { return Wakeup() }
    return inbox.update { $0 = true }
  }
}
