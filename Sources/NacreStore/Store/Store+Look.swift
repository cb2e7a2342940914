import NacreCrypto

extension Store {
  /// How often the store looks through the file without the writers' lock before it does so under
  /// the lock.
  private static let looksWithoutLock = 3

  /// Searches the file for uses of some keys without making writers wait, and then writes while the
  /// result still holds.
  ///
  /// If somebody may have stored more uses meanwhile, the search is repeated. If that keeps
  /// happening, the last search runs under the writers' lock. The watch looks at this store's own
  /// writes; any commit of another connection counts as a possible use.
  ///
  /// - Parameters:
  ///   - keys: Picks the keys from the ring.
  ///   - look: Reads one state of the file. It must not change anything, because it may be called
  ///     again.
  ///   - body: Writes, given the result of the last `look`.
  /// - Returns: The result of `body`.
  /// - Throws: ``NacreError``, or the error of `look` or `body`.
  func write<Seen, T>(
    afterLookFor keys: (KeyRing) -> [KeyRecord],
    _ look: (Database) throws -> Seen,
    _ body: (Database, Seen) throws -> T
  ) throws -> T {
    // Inside a transaction, `look` would see another state than the watch.
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
        // This fails if the store was closed meanwhile, and the writer with it.
        try? withWriter { $0.stop(watch) }
        throw error
      }
    }
    return try write { database in
      let seen = try pool.takingLong { try look(database) }
      return try body(database, seen)
    }
  }

  /// Throws if this thread is reading or writing in the store.
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
