import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// One run over a store: the rows it looked at, and the findings.
final class Verification {
  /// A batch ends at this many bytes, so that it does not hold its state of the store for long.
  private static let batchByteLimit = 64 << 20

  let store: Store
  let options: VerificationOptions
  private let onBadCell: (BadCell) throws -> Void
  let progress: (VerificationProgress) -> Bool
  var report = VerificationReport()
  var tallies: [String: PropertyVerification] = [:]
  private var batchLimit: Int { max(1, options.batchSize) }
  private var rowLimit: RowLimit
  private var session: RingSession?
  /// Whether the run can follow the ring in the file.
  var isRingSound = true
  /// Whether a page that does not open has kept the run from reading something.
  var isCutShort = false
  private var rowsDone = 0
  var rowsTotal = 0

  /// The state that one batch passes to the next.
  private struct Batch {
    var rows = 0
    var bytes = 0
    /// Where the next batch begins; nil after the last row.
    var next: [Value]?
    /// Reported after the batch lets go of its state of the store, so that the callback may write.
    var found: [BadCell] = []
    /// How many rows have no valid identifier.
    var nameless = 0
    /// Whether it has no room for another row.
    var isFull: Bool { bytes >= Verification.batchByteLimit }
  }

  init(
    _ store: Store,
    _ options: VerificationOptions,
    _ onBadCell: @escaping (BadCell) throws -> Void,
    _ progress: @escaping (VerificationProgress) -> Bool
  ) {
    self.store = store
    self.options = options
    self.onBadCell = onBadCell
    self.progress = progress
    rowLimit = RowLimit(isOnServer: store.engine.capabilities.contains(.onServer))
  }

  func run() throws -> VerificationReport {
    let start = ContinuousClock.now
    try goThroughAll()
    report.duration = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  private func goThroughAll() throws {
    guard try readPages(), let shapes = try noting(begin) ?? nil else { return }
    try countRows(of: shapes)
    let wasStopped = try !shapes.allSatisfy { shape in
      guard shape.isReadable else { return true }
      return try noting(in: shape.entity.name) {
        try walk(shape) && shape.joins.allSatisfy { try walk($0.join, $0.property, shape) }
      } ?? true
    }
    report.properties = tallies.values.sorted {
      ($0.entity, $0.property) < ($1.entity, $1.property)
    }
    report.isComplete = !wasStopped && !isCutShort
    try noting { try lookAtFullText(shapes) }
    try noting { try lookElsewhere(shapes) }
    report.isComplete = report.isComplete && !isCutShort
  }

  /// A session with the ring of this state of the file; nil if the store has no unlocked ring, because it is locked or
  /// seals nothing.
  func session(on database: Database) throws -> RingSession? {
    guard store.keys.isUnlocked else { return nil }
    // A value may be sealed under a key that came after the run began.
    if isRingSound { try database.followRing() }
    let ring = try store.keys.unlocked()
    if let session, session.ring === ring { return session }
    let made = RingSession(ring: ring)
    session = made
    return made
  }

  /// Reports the findings of a batch.
  ///
  /// - Returns: whether to go on.
  private func settle(_ batch: Batch, _ shape: EntityShape) throws -> Bool {
    rowsDone += batch.rows
    report.badCellCount += batch.found.count
    let room = max(0, options.badCellLimit - report.badCells.count)
    report.badCells += batch.found.prefix(room)
    for cell in batch.found { try onBadCell(cell) }
    return progress(
      VerificationProgress(
        unit: .rows,
        entity: shape.entity.name,
        done: rowsDone,
        total: max(rowsDone, rowsTotal),
        badCellCount: report.badCellCount,
        badPageCount: report.badPageCount
      )
    )
  }

  private func noteNameless(_ count: Int, _ shape: EntityShape, _ property: String?) {
    if count == 0 { return }
    report.faults.append(
      StoreFault(
        .badIdentifier,
        entity: shape.entity.name,
        property: property,
        count.counted("row has", "rows have") + " an identifier that is not 16 bytes"
      )
    )
  }
}

// MARK: - Objects

extension Verification {
  /// - Returns: whether to go on.
  private func walk(_ shape: EntityShape) throws -> Bool {
    try walk(shape, nil) { database, position in
      let connection = database.connection
      let check = try EntityCheck(shape, session: session(on: database), connection: connection)
      let rows = TableWalk(
        first: VerifySQL.select(check.row, .first, connection.dialect),
        after: VerifySQL.select(check.row, .after, connection.dialect)
      ) { $0.key(at: 0) }
      var batch = Batch()
      let limit = rowLimit.rows(atMost: batchLimit)
      batch.next = try rows.next(after: position, limit: limit, on: connection) { row in
        batch.rows += 1
        if let identity = shape.entity.key.identity(row) {
          try look(at: row, identity, check, &batch)
        } else {
          batch.nameless += 1
        }
        return !batch.isFull
      }
      rowLimit.note(rowCount: batch.rows, isFull: batch.isFull)
      report.rowCount += batch.rows
      return batch
    }
  }

  /// Takes the batches of an entity's rows, or of a relationship's, each from a state of its own.
  ///
  /// - Returns: whether to go on.
  private func walk(
    _ shape: EntityShape,
    _ property: String?,
    _ rows: (Database, _ position: [Value]) throws -> Batch
  ) throws -> Bool {
    var after: [Value]? = TableWalk.start
    var nameless = 0
    defer { noteNameless(nameless, shape, property) }
    while let position = after {
      let batch = try store.read { try rows($0, position) }
      nameless += batch.nameless
      after = batch.next
      guard try settle(batch, shape) else { return false }
    }
    return true
  }

  private func look(
    at row: any PreparedStatement,
    _ identity: RowIdentity,
    _ check: EntityCheck,
    _ batch: inout Batch
  ) throws {
    func bad(_ property: String, _ fault: BadCell.Fault, _ keyID: KeyID? = nil) {
      batch.found.append(
        BadCell(
          entity: check.entity.name,
          objectID: identity.objectID.uuid,
          rowID: identity.rowID,
          property: property,
          fault: fault,
          keyID: keyID?.description
        )
      )
    }
    for (index, cell) in check.cells.enumerated() {
      let column = EntityCheck.column(ofCell: index)
      batch.bytes += row.byteCount(at: column)
      let finding = try cell.check(row, at: column, identity.objectID)
      tallies["\(check.entity.name).\(cell.property.name)"]?.note(finding)
      if let fault = finding.fault { bad(cell.property.name, fault, finding.keyID) }
    }
    for (index, reference) in check.references.enumerated() {
      report.referenceCount += 1
      if !check.holds(reference: index, row) { bad(reference.name, .danglingReference) }
    }
  }
}

extension PreparedStatement {
  /// A column of the current row as the two arguments that continue a walk after it.
  fileprivate func key(at column: Int32) -> [Value] {
    let isText = storageClass(at: column) == .text
    return [isText ? .blob(Data(blob(at: column))) : value(at: column), .integer(isText ? 1 : 0)]
  }
}

extension PropertyVerification {
  fileprivate mutating func note(_ finding: CellFinding) {
    if finding.isUnsealedNil { unsealedNilCount += 1 }
    if finding.fault != nil {
      badCount += 1
    } else if finding.isNil {
      nilCount += 1
    } else if let key = finding.keyID {
      openedByKey[key.description, default: 0] += 1
    }
    if finding.isUnderOtherKey, finding.fault == nil { underOtherKeys += 1 }
  }
}

// MARK: - Relationships

extension Verification {
  /// - Returns: whether to go on.
  private func walk(
    _ join: VerifySQL.Join,
    _ property: CatalogProperty,
    _ shape: EntityShape
  ) throws -> Bool {
    // The owner whose bad row was reported last, because each owner is reported once.
    var last: ObjectID?
    return try walk(shape, property.name) { database, position in
      var batch = Batch()
      let connection = database.connection
      let rows = TableWalk(
        first: VerifySQL.select(join, isFirst: true, connection.dialect),
        after: VerifySQL.select(join, isFirst: false, connection.dialect)
      ) { $0.key(at: 0) + $0.key(at: join.isOrdered ? 1 : 2) }
      batch.next = try rows.next(after: position, limit: batchLimit, on: connection) { row in
        batch.rows += 1
        guard let fault = Verification.fault(of: row, join) else { return true }
        guard let owner = RowKey.objectID(row) else {
          batch.nameless += 1
          return true
        }
        if owner == last { return true }
        last = owner
        batch.found.append(
          BadCell(
            entity: shape.entity.name,
            objectID: owner.uuid,
            property: property.name,
            fault: fault
          )
        )
        return true
      }
      report.referenceCount += batch.rows
      return batch
    }
  }

  private static func fault(of row: any PreparedStatement, _ join: VerifySQL.Join) -> BadCell.Fault?
  {
    if row.int64(at: 3) == 0 || row.int64(at: 4) == 0 { return .danglingReference }
    // The next child gets a position one above the last, so the greatest integer is not allowed.
    guard join.isOrdered else { return nil }
    guard let position = row.integer(at: 1), (0..<Int64.max).contains(position) else {
      return .malformed
    }
    return nil
  }
}
