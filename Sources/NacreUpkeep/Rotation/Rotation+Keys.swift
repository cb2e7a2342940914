import Foundation
import NacreStore
import NacreCrypto
import NacreEngine

extension Rotation {
  /// Makes the new keys primary.
  ///
  /// The passes rely on this invariant: once this transaction is committed, nobody seals under an old key. Every write
  /// transaction of every process begins by reading the ring's generation (`Database.beginSealing`), in the same
  /// snapshot in which it writes. An immediate transaction reads it under the writers' lock. A deferred one that read
  /// it before this commit fails with SQLITE_BUSY_SNAPSHOT when it starts to write. So a transaction that writes after
  /// this commit has seen the new keys, and one that wrote before it has committed, and a pass that begins now finds
  /// its rows. The same holds for the transaction that added the keys: anyone who can see an envelope under them can
  /// find them in the ring.
  func promote() throws {
    var next = journal
    next.phase = RotationPhase.sealing.rawValue
    try store.changeRing { database, ring in
      let promoted = try ring.promoting(journal.to, from: journal.from)
      if promoted !== ring { try database.replaceRing(by: promoted) }
      try next.write(on: database)
    }
    journal = next
  }

  /// The keys that have a successor and are still enabled.
  func formerKeys(_ ring: KeyRing) -> [KeyRecord] {
    ring.keysToRetire(result.purposes, isPromoted: true)
  }

  /// Disables the old keys that nothing needs any more, and finishes the journal's row, in one transaction.
  ///
  /// `clear` has made sure that no reader can still need them: its checkpoint leaves no reader in a state of the store
  /// from before the last pass. A key stays enabled if anything in any table names it, even where no pass goes. All old
  /// field keys stay enabled if remnants are left that nobody can identify.
  ///
  /// - Returns: the report; nil if a value that opens names an old key again, so that another pass is needed.
  /// - Throws: `unsuitableColumn` for a DAO's values under an old key where no pass goes, and for an ignored column
  ///   that does not exist.
  func retire(_ obstacle: RotationReport.Obstacle?) throws -> RotationReport? {
    var next = journal
    next.phase = RotationPhase.done.rawValue
    next.entity = nil
    next.cursor = nil
    var retired: [KeyID] = []
    var others: [KeyUse] = []
    let isDone = try store.changeRing(afterLookFor: formerKeys, whatNamesFormerKeys) {
      database,
      ring,
      uses in
      guard let uses else { return false }
      if journal.failed == 0, uses.contains(where: { $0.place == .sealed }) { return false }
      try database.forgetGoneDAO()
      others = uses.filter { $0.place == .elsewhere }.without(options.ignoredColumns)
      let needed = Set((uses.filter { $0.place == .sealed } + others).map(\.keyID))
      var ring = ring
      for key in formerKeys(ring) where !isNeeded(key, needed, obstacle) {
        ring = try ring.setting(key.id, to: .disabled)
        retired.append(key.id)
      }
      if !retired.isEmpty { try database.replaceRing(by: ring) }
      next.finish()
      try next.write(on: database)
      return true
    }
    if !isDone { return nil }
    journal = next
    result.disabled = retired
    result.elsewhere = others
    _ = report()
    let left = journal.failed > 0 ? .failedValues : others.isEmpty ? obstacle : .valuesElsewhere
    return report(left == nil ? .finished : .incomplete, left)
  }

  /// The columns that name the former keys; nil if some of them hold a DAO's values that the catalog does not know,
  /// because the next pass begins by adding those to the catalog.
  private func whatNamesFormerKeys(_ database: Database) throws -> [KeyUse]? {
    try KeySearch.refuseUnknown(options.ignoredColumns, on: database.connection)
    let former = formerKeys(try store.followedRing(on: database))
    let uses = try KeySearch(former, on: database.connection).uses()
    guard uses.contains(where: { $0.place == .elsewhere }) else { return uses }
    let unknown = try database.unknownDAO(
      naming: formerKeys,
      ignoring: options.ignoredColumns
    )
    return unknown.isEmpty ? uses : nil
  }

  private func isNeeded(
    _ key: KeyRecord,
    _ named: Set<KeyID>,
    _ obstacle: RotationReport.Obstacle?
  ) -> Bool {
    switch key.purpose {
    case .field: named.contains(key.id) || obstacle == .remnants
    // A token names no key, so the token of a value that did not open can come from any key.
    case .index: journal.failed > 0
    // No key of the ring has this purpose.
    case .file: false
    }
  }
}

extension KeyRing {
  /// A ring in which the successors are primary instead of the former keys; successors that are primary already stay as
  /// they are.
  func promoting(_ successors: [KeyID], from former: [KeyID]) throws -> KeyRing {
    var ring = self
    for id in successors where ring.record(of: id)?.state != .primary {
      ring = try ring.promoting(id)
    }
    // A key whose values move to another suite has no successor of its own.
    for id in former where ring.record(of: id)?.state == .primary && !successors.contains(id) {
      ring = try ring.retiring(id)
    }
    return ring
  }
}
