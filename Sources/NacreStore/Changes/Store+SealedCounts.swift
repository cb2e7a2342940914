extension Store {
  /// Returns how many values name which key, for each sealed property of the catalog that no hook
  /// seals.
  ///
  /// It reads the first bytes of every sealed value. It needs no secret, so nothing in the result
  /// is authenticated.
  ///
  /// - Returns: The counts, by entity, property and key; the count of cells that were not sealed
  ///   comes first. A property without values has no counts.
  /// - Throws: ``NacreError`` with code `schemaMismatch` if a table or column of the catalog is
  ///   missing.
  public func sealedCounts() throws -> [SealedCount] {
    try read { database in try SealedCells.counts(on: database.connection) }
  }

  /// Returns how many values name which key, for each sealed property of the catalog that no hook
  /// seals.
  ///
  /// - Throws: ``NacreError``.
  public func sealedCounts() async throws -> [SealedCount] {
    try await Self.onThread { try self.sealedCounts() }
  }
}
