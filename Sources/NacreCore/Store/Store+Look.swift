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
    for _ in 0..<Store.looksWithoutLock {
      let result = try watching(keys) { watch -> T? in
        let seen = try read(look)
        return try write { try watch.isQuiet(on: $0) ? body($0, seen) : nil }
      }
      if let result { return result }
    }
    return try write { try body($0, look($0)) }
  }
}
