import Foundation
import NacreCrypto
import NacreEngine

// The part that every change of slots and keys shares: a write transaction of its own, on the ring
// that is in the file.

extension Store {
  /// Runs `body` in a write transaction, with the ring that is in the file.
  ///
  /// - Throws: The same errors as ``checkRingCanChange()``; `ringTampered` if the ring in the file
  ///   differs from the one in memory; `foreignSchema`; `headerChangeUnfinished`.
  package func changeRing<T>(_ body: (Database, KeyRing) throws -> T) throws -> T {
    try checkRingCanChange()
    try finishRewrap()
    return try tellingOfHeader { try write { try body($0, wholeRing($0)) } }
  }

  /// Does the same after a search of the file for uses of some keys, for which no writer waits.
  ///
  /// - Parameters:
  ///   - keys: Picks the keys from the ring.
  ///   - look: Reads one state of the file. It must not change anything, because it may be called
  ///     again.
  ///   - body: Changes the ring, given the result of the last `look`.
  /// - Returns: The result of `body`.
  /// - Throws: The same errors as ``changeRing(_:)``, and the error of `look`.
  package func changeRing<Seen, T>(
    afterLookFor keys: (KeyRing) -> [KeyRecord],
    _ look: (Database) throws -> Seen,
    _ body: (Database, KeyRing, Seen) throws -> T
  ) throws -> T {
    try checkRingCanChange()
    try finishRewrap()
    return try write(afterLookFor: keys, look) { try body($0, wholeRing($0), $1) }
  }

  /// Returns the ring, after checking that the file has every row of it and that nothing else in
  /// the schema names its tables.
  func wholeRing(_ database: Database) throws -> KeyRing {
    // Somebody may have changed the schema since the store was opened.
    try OwnTables.refuseForeignObjects(on: database.connection)
    // At its start the transaction compared only the ring's generation, but a change overwrites
    // every row.
    let ring = try keys.unlocked()
    guard try RingTable.read(storeID, on: database.connection) == ring.record() else {
      throw NacreError(.ringTampered, detail: "the key tables do not match their generation")
    }
    return ring
  }

  /// Throws if slots and keys can't be changed, before anybody is asked for a secret.
  ///
  /// - Throws: `transactionState` inside a read or write, because its end would decide about the
  ///   change; `storeLocked`; `noKeyRing`.
  package func checkRingCanChange() throws {
    try refuseInUse()
    _ = try keys.unlocked()
  }

  /// Empties the write-ahead log, in which the former content of changed pages stays readable.
  ///
  /// It tries for as long as the store waits for locks.
  ///
  /// - Returns: Whether the log is empty. A reader can prevent that, at the latest until the store
  ///   is closed.
  package func emptyLog() throws -> Bool {
    let due = ContinuousClock.now + settings.lockTimeout
    let state = try stateNumber()
    while true {
      if try tryToEmptyLog(before: state) { return true }
      guard ContinuousClock.now < due else { return false }
      // Meanwhile the pool's writer and the writers' lock are free.
      Thread.sleep(forTimeInterval: 0.02)
    }
  }
}

extension Store {
  /// Returns a number for the state of the database after the last commit.
  package func stateNumber() throws -> Int64 {
    try withWriter { try $0.connection.stateNumber() }
  }

  /// Empties the log, unless somebody reads a state from before another one.
  ///
  /// - Returns: Whether it is empty.
  package func tryToEmptyLog(before state: Int64) throws -> Bool {
    try withWriter { database in
      let connection = database.connection
      return try !connection.hasReaders(before: state) && connection.tryToEmptyLog()
    }
  }
}

extension Database {
  /// Writes a later ring over the one in the file, and makes it this process's ring once the
  /// transaction is committed.
  package func replaceRing(by ring: KeyRing) throws {
    try RingTable.write(ring.record(), on: connection)
    noteWritten(ring)
    undo.onCommit { [home] in home.keys.take(ring) }
  }

  /// Does the same for a key under which this transaction seals: the process uses the ring at once,
  /// and a rollback restores the former one.
  func replaceRingAtOnce(by ring: KeyRing) throws {
    let former = try home.keys.unlocked()
    try RingTable.write(ring.record(), on: connection)
    home.keys.put(ring)
    noteWritten(ring)
    undo.note { [home] in home.keys.put(former) }
    // Not before the commit, because others still read states without this ring.
    undo.onCommit { [home] in home.keys.seen.note(generation: ring.generation) }
  }

  /// Creates a primary key of a suite if the ring has none.
  package func makeKey(of suite: Suite) throws {
    let ring = try home.keys.unlocked()
    if ring.primaryID(.field, suite: suite) != nil { return }
    let (next, id) = try ring.adding(
      .field,
      suite: suite,
      createdAt: CreationTime.now(),
      avoiding: home.fileKeys
    )
    try replaceRingAtOnce(by: next.promoting(id))
  }
}
