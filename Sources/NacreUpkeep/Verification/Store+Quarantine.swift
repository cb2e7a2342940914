import Foundation
import NacreEngine
public import NacreStore

extension Store {
  /// How many cells one transaction sets aside.
  private static let quarantineBatch = 500

  /// Sets bad cells aside in the table `nacre_quarantine`, so that the rest of the store stays usable.
  ///
  /// It checks each cell again first, in the transaction that moves it, and leaves it alone if it is sound by now. What
  /// becomes of a bad cell:
  /// - A bad blind index of a sound value is recomputed.
  /// - A dangling reference becomes nil, or is removed from its relationship; the quarantine keeps the identifier
  ///   that it referred to.
  /// - A cell of a property that may be nil is moved as it is, and the property is nil from then on.
  /// - If a property may not be nil, or the file does not say, nil would make the whole object unreadable. So the
  ///   object's row is moved as JSON, with its rows of relationships, and the object is gone. References to it become
  ///   nil; its children stay stored.
  /// - A cell in the table of a DAO stays where it is; the DAO's own statements can repair it.
  ///
  /// Plain text from a sealed column is in plain text in the quarantine, too. A rotation does not reseal envelopes
  /// there, and they open only as long as their key is not destroyed. The store never reads the table; delete its rows,
  /// or the table, when they are no longer needed.
  ///
  /// - Parameters:
  ///   - cells: the bad cells that ``verify(_:onBadCell:progress:)`` found.
  ///   - progress: called after each transaction of 500 cells; false stops.
  /// - Returns: the report, with the outcome for each cell.
  /// - Throws: ``NacreError``: `storeLocked`, `ringTampered`, `foreignSchema`; `corrupt` if a kept or emptied cell
  ///   does not read back as it was written, for example because a trigger on the table undoes it; or if an
  ///   application's own foreign key prevents the deletion of a row. Earlier batches stay done.
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

  /// The cells and rows in quarantine, without their content.
  ///
  /// - Throws: ``NacreError``.
  public func quarantined() throws -> [QuarantinedCell] {
    try read { database in
      guard try database.connection.has("nacre_quarantine") else { return [] }
      var cells: [QuarantinedCell] = []
      let sql = VerifySQL.selectQuarantine(database.connection.dialect)
      try database.each(sql, []) { row in
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
  ///   - cells: the bad cells that ``verify(_:onBadCell:progress:)`` found.
  ///   - progress: called after each transaction; false stops.
  /// - Returns: the report, with the outcome for each cell.
  /// - Throws: ``NacreError``.
  public func quarantine(
    _ cells: some Sequence<BadCell> & Sendable,
    progress: @escaping @Sendable (QuarantineProgress) -> Bool = { _ in true }
  ) async throws -> QuarantineReport {
    try await Self.onThread { try self.quarantine(cells, progress: progress) }
  }

  /// The cells and rows in quarantine, without their content.
  ///
  /// - Throws: ``NacreError``.
  public func quarantined() async throws -> [QuarantinedCell] {
    try await Self.onThread { try self.quarantined() }
  }
}
