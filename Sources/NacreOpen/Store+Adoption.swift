import NacreSQLite
public import NacreStore
public import NacreUpkeep

extension Store {
  /// Stores the rows of a foreign SQLite file as objects and records, by a mapping.
  ///
  /// The file can be that of SQPersist, AYRecord, DBSQLite, CTPersistance, mPaaS, GRDB, FMDB, Core Data or of your own
  /// SQL; ADOPT.md shows each. It is opened only for reading. Values are sealed as the store's catalog says, so no class
  /// is needed, but each entity must have been used once.
  ///
  /// The whole adoption is one transaction. If a row does not fit, if a reference leads nowhere, or if `progress`
  /// throws, nothing is adopted. Other writers wait meanwhile. Memory does not grow with the number of rows. Many rows are
  /// indexed at the end; if a value that has to be unique turns up twice then, the adoption begins again, to name the row.
  /// ```swift
  /// let plan = try store.adopt("old.db", by: mapping, misfits: .list)  // a dry run
  /// if plan.misfits.isEmpty { try store.adopt("old.db", by: mapping) }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The foreign file.
  ///   - mapping: Which tables become which entities and records.
  ///   - misfits: What to do with rows that do not fit.
  ///   - progress: Hears of every thousandth row; what it throws ends the adoption.
  /// - Returns: How many rows were stored, and which do not fit, without any value.
  /// - Throws: ``NacreError``: `notAdoptable` and `cannotOpen` for the file, `badMapping`, `notAdopted` with the table,
  ///   column and row, `constraint`, `storeLocked`, `migrationPending`; or what `progress` throws.
  @discardableResult
  public func adopt(
    _ path: String,
    by mapping: AdoptionMapping,
    misfits: MisfitTreatment = .refuse,
    progress: (AdoptionProgress) throws -> Void = { _ in }
  ) throws -> AdoptionReport {
    try Self.refuseServer(path, "the rows to adopt have to be in an SQLite file")
    return try adopt(SQLiteHome(path: path), by: mapping, misfits: misfits, progress: progress)
  }

  /// Stores the rows of a foreign SQLite file; the async version of ``adopt(_:by:misfits:progress:)-(String,_,_,_)``.
  ///
  /// - Parameters:
  ///   - path: The foreign file.
  ///   - mapping: Which tables become which entities and records.
  ///   - misfits: What to do with rows that do not fit.
  ///   - progress: Hears of every thousandth row; what it throws ends the adoption.
  /// - Returns: The report.
  /// - Throws: ``NacreError``, or what `progress` throws.
  @discardableResult
  public func adopt(
    _ path: String,
    by mapping: AdoptionMapping,
    misfits: MisfitTreatment = .refuse,
    progress: @escaping @Sendable (AdoptionProgress) throws -> Void = { _ in }
  ) async throws -> AdoptionReport {
    try await Self.onThread {
      try self.adopt(path, by: mapping, misfits: misfits, progress: progress)
    }
  }
}
