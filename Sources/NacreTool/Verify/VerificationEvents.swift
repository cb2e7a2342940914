import Foundation
import NacreStore
import NacreUpkeep

/// How far the verification is.
struct VerificationProgressEvent: Encodable {
  let event = "progress"
  let entity: String
  let done: Int
  let total: Int
  let badCells: Int

  init(_ progress: VerificationProgress) {
    entity = progress.entity
    done = progress.rowsDone
    total = progress.rowsTotal
    badCells = progress.badCellCount
  }
}

/// A bad cell, written as soon as it is found.
struct BadCellEvent: Encodable {
  let event = "badCell"
  let entity: String
  let objectID: UUID
  let rowID: Int64?
  let property: String
  let fault: String
  let keyID: String?

  init(_ cell: BadCell) {
    entity = cell.entity
    objectID = cell.objectID
    rowID = cell.rowID
    property = cell.property
    fault = cell.fault.rawValue
    keyID = cell.keyID
  }
}

/// The results of the verification.
struct VerificationDoneEvent: Encodable {
  let event = "done"
  let sound: Bool
  let complete: Bool
  let rows: Int
  let references: Int
  let opened: Int
  let `nil`: Int
  let badCells: Int
  let faults: [StoreFault]
  let notices: [StoreFault]
  let properties: [PropertyVerification]
  let skipped: [SkippedProperty]
  let seconds: Double

  init(_ report: VerificationReport) {
    sound = report.isSound
    complete = report.isComplete
    rows = report.rowCount
    references = report.referenceCount
    opened = report.openedCount
    self.nil = report.nilCount
    badCells = report.badCellCount
    faults = report.faults
    notices = report.notices
    properties = report.properties
    skipped = report.skipped
    seconds = report.duration
  }
}

/// A cell or row in quarantine.
struct QuarantinedEvent: Encodable {
  let event = "quarantined"
  let id: Int64
  let entity: String
  let objectID: UUID
  let property: String
  let fault: String?
  let wholeRow: Bool
  let bytes: Int
  let moved: Date

  init(_ cell: QuarantinedCell) {
    id = cell.id
    entity = cell.entity
    objectID = cell.objectID
    property = cell.property
    fault = cell.fault?.rawValue
    wholeRow = cell.isWholeRow
    bytes = cell.byteCount
    moved = cell.moved
  }
}

/// The outcome of the quarantine for a bad cell.
struct QuarantineEvent: Encodable {
  let event = "moved"
  let entity: String
  let objectID: UUID
  let rowID: Int64?
  let property: String
  let outcome: String

  init(_ item: QuarantineReport.Item) {
    entity = item.cell.entity
    objectID = item.cell.objectID
    rowID = item.cell.rowID
    property = item.cell.property
    outcome = item.outcome.rawValue
  }
}
