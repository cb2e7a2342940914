import Foundation
public import NacreCore
import NacreSQLite

extension Store {
  /// How many cells are set aside in one transaction.
  private static let quarantineBatch = 500

  /// Sets bad cells aside in the table `nacre_quarantine`, so that the rest of the store stays usable.
  ///
  /// Each cell is looked at again first, in the transaction that moves it: one that is sound by now is left alone. What
  /// becomes of a bad one:
  /// - A bad blind index of a sound value is made anew.
  /// - A reference that leads nowhere becomes nil, or is taken out of its relationship; where it led is kept.
  /// - A cell of a property that may be nil is moved as it is, and the property is nil from then on.
  /// - Where a property may not be nil, or the file does not say, nil would make the whole object unreadable: then the
  ///   object's row is moved as JSON, with its rows of relationships, and the object is gone. References to it become
  ///   nil; its children stay stored.
  /// - A cell in the table of a DAO is left where it is, for the DAO's own statements to set right.
  ///
  /// What was found in plain text in a sealed column lies in quarantine as it was found, in plain text. Envelopes there
  /// are not sealed anew by a rotation, and open only as long as their key is not destroyed. Nothing in the table is
  /// ever read by the store; delete its rows, or the table, when they are no longer needed.
  ///
  /// - Parameters:
  ///   - cells: what ``verify(_:onBadCell:progress:)`` has found.
  ///   - progress: called after each transaction of 500 cells; false stops.
  /// - Returns: what became of each.
  /// - Throws: ``NacreError``: `storeLocked`, `ringTampered`, `foreignSchema`; `corrupt` where what was kept or emptied,
  ///   read back, is not as it was written, as where a trigger on the table undoes it; or when an application's own foreign key refuses that a
  ///   row is deleted. Former batches stay done.
  public func quarantine(
    _ cells: some Sequence<BadCell>,
    progress: (QuarantineProgress) -> Bool = { _ in true }
  ) throws -> QuarantineReport {
    var report = QuarantineReport()
    var cells = cells.makeIterator()
    while true {
      var batch: [BadCell] = []
      while batch.count < Store.quarantineBatch, let cell = cells.next() { batch.append(cell) }
      if batch.isEmpty { break }
      report.items += try write { database in
        let quarantine = try Quarantine(database)
        return try batch.map { cell in
          QuarantineReport.Item(cell: cell, outcome: try quarantine.settle(cell))
        }
      }
      guard progress(QuarantineProgress(done: report.items.count)) else { return report }
    }
    report.isComplete = true
    return report
  }

  /// What lies in quarantine, without its content.
  ///
  /// - Throws: ``NacreError``.
  public func quarantined() throws -> [QuarantinedCell] {
    try read { database in
      guard try database.connection.has("nacre_quarantine") else { return [] }
      var cells: [QuarantinedCell] = []
      try database.each(VerifySQL.selectQuarantine, []) { row in
        cells.append(
          QuarantinedCell(
            id: row.int64(at: 0),
            entity: row.text(at: 1),
            objectID: try ObjectID.read(from: row, at: 2).uuid,
            property: row.text(at: 3),
            fault: BadCell.Fault(rawValue: row.text(at: 4)),
            isWholeRow: row.int64(at: 5) != 0,
            byteCount: Int(row.int64(at: 7)),
            moved: Date(timeIntervalSince1970: Double(row.int64(at: 6)) / 1000)
          )
        )
      }
      return cells
    }
  }
}

// MARK: - Async

extension Store {
  /// Sets bad cells aside, so that the rest of the store stays usable.
  ///
  /// - Parameters:
  ///   - cells: what ``verify(_:onBadCell:progress:)`` has found.
  ///   - progress: called after each transaction; false stops.
  /// - Returns: what became of each.
  /// - Throws: ``NacreError``.
  public func quarantine(
    _ cells: some Sequence<BadCell> & Sendable,
    progress: @escaping @Sendable (QuarantineProgress) -> Bool = { _ in true }
  ) async throws -> QuarantineReport {
    try await Self.onThread { try self.quarantine(cells, progress: progress) }
  }

  /// What lies in quarantine, without its content.
  ///
  /// - Throws: ``NacreError``.
  public func quarantined() async throws -> [QuarantinedCell] {
    try await Self.onThread { try self.quarantined() }
  }
}
