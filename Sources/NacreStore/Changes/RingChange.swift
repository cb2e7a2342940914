import Foundation
import NacreCrypto
import NacreSQLite

// The common part of every change of slots and keys: one write transaction of its own, on the ring
// that is in the file.

extension Store {
  /// Runs `body` in a write transaction, with the ring that is in the file.
  ///
  /// - Throws: as ``checkRingCanChange()``; `ringTampered` when the ring in the file is not the one at hand;
  ///   `foreignSchema`.
  package func changeRing<T>(_ body: (Database, KeyRing) throws -> T) throws -> T {
    try checkRingCanChange()
    return try write { try body($0, wholeRing($0)) }
  }

  /// The same after a look through the file for what names some keys, for which no writer waits.
  ///
  /// - Parameters:
  ///   - keys: which of the ring's keys.
  ///   - look: reads one state of the file; it changes nothing, for it may be called again.
  ///   - body: changes the ring, knowing what the last look has found.
  /// - Returns: what `body` returns.
  /// - Throws: as ``changeRing(_:)``, and what `look` throws.
  package func changeRing<Seen, T>(
    afterLookFor keys: (KeyRing) -> [KeyRecord],
    _ look: (Database) throws -> Seen,
    _ body: (Database, KeyRing, Seen) throws -> T
  ) throws -> T {
    try checkRingCanChange()
    return try write(afterLookFor: keys, look) { try body($0, wholeRing($0), $1) }
  }

  /// The ring, of which the file has every row, and in whose tables nothing else takes part.
  func wholeRing(_ database: Database) throws -> KeyRing {
    // Somebody may have changed the schema since the store was opened.
    try OwnTables.refuseStrangers(on: database.connection)
    // The transaction's beginning has followed it, but only by its generation: what is written goes over all of it.
    let ring = try keys.unlocked()
    guard try RingTable.read(storeID, on: database.connection) == ring.record() else {
      throw NacreError(.ringTampered, detail: "the key tables do not match their generation")
    }
    return ring
  }

  /// Refuses what can't be done before anybody is asked for a secret.
  ///
  /// - Throws: `transactionState` inside a read or write, whose end would decide over the change; `storeLocked`;
  ///   `noKeyRing`.
  package func checkRingCanChange() throws {
    try refuseInUse()
    _ = try keys.unlocked()
  }

  /// Empties the write-ahead log, in which the former state of changed pages stays readable; tries for as long as the
  /// store waits for locks.
  ///
  /// - Returns: whether it is empty; somebody who reads keeps it from that, at the latest until the store is closed.
  package func emptyLog() throws -> Bool {
    let patience = Int(settings.configuration.busyTimeoutMilliseconds)
    let due = ContinuousClock.now + .milliseconds(patience)
    while true {
      if try withWriter({ try $0.connection.tryToEmptyLog() }) { return true }
      guard ContinuousClock.now < due else { return false }
      // The writers' lane is free meanwhile, and the writers' lock, too.
      Thread.sleep(forTimeInterval: 0.02)
    }
  }
}

extension Database {
  /// Writes a later ring over the one in the file, and makes it the process's once the transaction is committed.
  package func replaceRing(by ring: KeyRing) throws {
    try RingTable.write(ring.record(), on: connection)
    noteWritten(ring)
    undo.onCommit { [home] in home.keys.take(ring) }
  }

  /// The same for a key that this very transaction seals under: the ring is taken at once, and put back by a rollback.
  func replaceRingAtOnce(by ring: KeyRing) throws {
    let former = try home.keys.unlocked()
    try RingTable.write(ring.record(), on: connection)
    home.keys.put(ring)
    noteWritten(ring)
    undo.note { [home] in home.keys.put(former) }
    // Not before: others read meanwhile what is there without it.
    undo.onCommit { [home] in home.keys.seen.note(generation: ring.generation) }
  }

  /// Makes a key for a suite that the ring has no primary key of.
  package func makeKey(of suite: Suite) throws {
    let ring = try home.keys.unlocked()
    if ring.primaryID(.field, suite: suite) != nil { return }
    let (next, id) = try ring.adding(.field, suite: suite, createdAt: StoreKeys.now())
    try replaceRingAtOnce(by: next.promoting(id))
  }
}
