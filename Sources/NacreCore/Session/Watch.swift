import NacreEngine
import NacreStore

/// The scope of an observation: all objects of an entity, or one.
struct WatchScope: Hashable, Sendable {
  /// The entity's own table.
  let table: String
  /// The one object, or nil for all.
  let object: ObjectID?
}

/// The objects of one scope in the state that their observers were last told about.
struct Watch {
  let tables: [ObservationSQL.Table]
  /// The hashes by object; they take 24 bytes an object, plus the free room of a hash table.
  private(set) var hashes: [ObjectID: UInt64] = [:]
  var inboxes: [UInt64: Inbox<RowChanges>] = [:]
  /// The hashes of objects that are being sealed anew, each with the one after the commit.
  var resealing: [UInt64: UInt64] = [:]
  /// The same for commits since the running scan began, whose state may be from before them.
  var resealed: [UInt64: UInt64] = [:]

  /// Stores the initial state of the objects without reporting a change.
  mutating func begin(with hashes: [ObjectID: UInt64]) {
    self.hashes = settled(hashes)
  }

  /// Stores the current state of some objects, nil for a deleted one, and returns their changes.
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

  /// Stores the current state of all objects and returns their changes.
  mutating func takeAll(_ found: [ObjectID: UInt64]) -> [ObjectID: ObjectChange] {
    var changes: [ObjectID: ObjectChange] = [:]
    let found = settled(found)
    for (object, hash) in found {
      guard let former = hashes[object] else {
        changes[object] = .inserted
        continue
      }
      if former != hash, resealing[former] != hash { changes[object] = .updated }
    }
    for object in hashes.keys where found[object] == nil { changes[object] = .deleted }
    hashes = found
    return changes
  }

  /// Returns what a scan has found with the hashes that rows have got since by being sealed anew.
  private func settled(_ found: [ObjectID: UInt64]) -> [ObjectID: UInt64] {
    if resealed.isEmpty { return found }
    return found.mapValues { hash in
      var hash = hash
      // No more often than there are pairs, if they should ever lead in a circle.
      for _ in 0..<resealed.count {
        guard let later = resealed[hash] else { break }
        hash = later
      }
      return hash
    }
  }

  /// Notes that objects were sealed anew, without reporting a change; those whose last change was not reported yet stay
  /// as they are.
  mutating func reseal(_ pairs: [ObjectID: (before: UInt64, after: UInt64)]) {
    for (object, (before, after)) in pairs where hashes[object] == before { hashes[object] = after }
  }

  /// Adds changes to every inbox and returns the observers to wake.
  func deliver(_ changes: [ObjectID: ObjectChange]) -> Wakeup {
    var wakeup = Wakeup()
    if changes.isEmpty { return wakeup }
    for inbox in inboxes.values {
      wakeup += inbox.update { content in
        var waiting = content ?? RowChanges()
        // Otherwise the next line would copy everything that waits.
        content = nil
        for (object, change) in changes { waiting.add(change, to: object) }
        content = waiting.byObject.isEmpty ? nil : waiting
      }
    }
    return wakeup
  }
}

/// A live query's registration: the tables that it read, and whether they have changed.
struct LiveWatch {
  let inbox: Inbox<Bool>
  /// The tables that it read; nil while it runs.
  var tables: Set<String>?
  /// The tables that were changed while it ran.
  var changed: Set<String> = []
  var isStale = false

  /// Records that tables have changed; nil means any table.
  mutating func note(_ changed: Set<String>?) -> Wakeup {
    guard let tables else {
      if let changed { self.changed.formUnion(changed) } else { isStale = true }
      return Wakeup()
    }
    if let changed, changed.isDisjoint(with: tables) { return Wakeup() }
    return inbox.update { $0 = true }
  }
}
