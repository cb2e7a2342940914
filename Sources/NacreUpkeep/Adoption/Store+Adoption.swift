package import NacreEngine
package import NacreStore

extension Store {
  /// Stores the rows of a foreign file; see the call by a path in NacreOpen.
  ///
  /// - Parameters:
  ///   - home: the foreign file.
  ///   - mapping: which tables become what.
  ///   - misfits: what to do with rows that do not fit.
  ///   - progress: hears of every thousandth row; what it throws ends the adoption.
  /// - Returns: the report.
  /// - Throws: ``NacreError``, or what `progress` throws.
  package func adopt(
    _ home: any EngineHome,
    by mapping: AdoptionMapping,
    misfits: MisfitTreatment,
    progress: (AdoptionProgress) throws -> Void
  ) throws -> AdoptionReport {
    try withoutActuallyEscaping(progress) { progress in
      let file = try ForeignFile(home)
      func adopt(defersIndexes: Bool) throws -> AdoptionReport {
        try writeMuch { database in
          let adoption = Adoption(database, file, mapping, misfits, defersIndexes, progress)
          let report = try adoption.run()
          if report.isDryRun { throw DryRunEnd(report: report) }
          return report
        }
      }
      return try withWriter { database in
        do {
          // Inside a transaction, somebody may be reading by an index. A server makes no index of a table whose
          // references are not checked yet.
          guard !database.connection.isInTransaction, !engine.capabilities.contains(.onServer)
          else {
            return try adopt(defersIndexes: false)
          }
          do {
            return try adopt(defersIndexes: true)
          } catch is DeferredIndexes.EqualValues {
            return try adopt(defersIndexes: false)
          }
        } catch let end as DryRunEnd {
          return end.report
        }
      }
    }
  }
}

/// Ends a dry run, so that its transaction is undone.
private struct DryRunEnd: Error {
  let report: AdoptionReport
}
