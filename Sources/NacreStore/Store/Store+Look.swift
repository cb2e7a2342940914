import NacreCrypto

extension Store {
  /// How often the file is looked at without the writers' lock before that is done under it.
  private static let looksWithoutLock = 3

  /// Looks through the file for what names some keys, for which no writer waits, and then writes while that still holds.
  ///
  /// Where somebody may have stored more of it meanwhile, it is looked for again; where that goes on, the last look is
  /// taken under the writers' lock. What this store writes is seen; any commit of another connection counts.
  ///
  /// - Parameters:
  ///   - keys: which of the ring's keys.
  ///   - look: reads one state of the file; it changes nothing, for it may be called again.
  ///   - body: writes, knowing what the last look has found.
  /// - Returns: what `body` returns.
  /// - Throws: ``NacreError``, or what `look` or `body` throws.
  func write<Seen, T>(
    afterLookFor keys: (KeyRing) -> [KeyRecord],
    _ look: (Database) throws -> Seen,
    _ body: (Database, Seen) throws -> T
  ) throws -> T {
    // A look inside of a transaction would see a state that is not the watch's.
    try refuseInUse()
    for _ in 0..<Store.looksWithoutLock {
      let watch = try withWriter { try $0.watch(keys) }
      do {
        let seen = try read(look)
        let result = try write { writer in
          defer { writer.stop(watch) }
          return try watch.isQuiet(on: writer) ? body(writer, seen) : nil
        }
        if let result { return result }
      } catch {
        // It fails where the store was closed meanwhile, and with it the writer.
        try? withWriter { $0.stop(watch) }
        throw error
      }
    }
    return try write { database in
      let seen = try pool.takingLong { try look(database) }
      return try body(database, seen)
    }
  }

  /// Refuses a thread that reads or writes in the store.
  ///
  /// - Throws: `transactionState`.
  func refuseInUse() throws {
    guard ThreadBinding.database(of: self) == nil else {
      throw NacreError(
        .transactionState,
        detail:
          "slots and keys can be changed only outside of read and write, in a transaction of "
          + "their own"
      )
    }
  }
}
