extension Store {
  /// How many values stand under which key, for each sealed property of the catalog that no hook seals.
  ///
  /// It reads the first bytes of every sealed value, and needs no secret: nothing of it is authenticated.
  ///
  /// - Returns: the counts, by entity, property and key; those of cells that were not sealed first. A property
  ///   without values has none.
  /// - Throws: ``NacreError`` with code `schemaMismatch` when a table or column of the catalog is missing.
  public func sealedCounts() throws -> [SealedCount] {
    try read { database in try SealedCells.counts(on: database.connection) }
  }
}
