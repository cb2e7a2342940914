import Foundation
import NacreStore
import NacreUpkeep

/// The plan of a rotation.
struct RotationPlanEvent: Encodable {
  let event = "plan"
  let purposes: [String]
  let from: [String]
  let to: [String]
  let begun: Bool
  let resealed: Int
  let reindexed: Int
  let seconds: Double
  let counts: [Count]

  /// The values of one property under one key.
  struct Count: Encodable {
    let entity: String
    let property: String
    let key: String?
    let values: Int
    let stale: Bool
  }

  init(_ plan: RotationPlan) {
    purposes = plan.purposes.map { "\($0)" }.sorted()
    from = plan.from.map(\.description)
    to = plan.to.map(\.description)
    begun = plan.unfinished != nil
    resealed = plan.resealed
    reindexed = plan.reindexed
    seconds = plan.seconds
    counts = plan.counts.map {
      Count(
        entity: $0.entity,
        property: $0.property,
        key: $0.keyID?.description,
        values: $0.count,
        stale: $0.isStale
      )
    }
  }
}

/// The beginning of a phase.
struct PhaseEvent: Encodable {
  let event = "phase"
  let phase: String
}

/// How far the rotation is.
struct RotationProgressEvent: Encodable {
  let event = "progress"
  let phase: String
  let entity: String?
  let done: Int
  let total: Int
  let resealed: Int
  let reindexed: Int
  let failed: Int
  let seconds: Double
  let rowsPerSecond: Double
  let secondsLeft: Double?

  init(_ progress: RotationProgress) {
    phase = progress.phase.rawValue
    entity = progress.entity
    done = progress.done
    total = progress.total
    resealed = progress.resealed
    reindexed = progress.reindexed
    failed = progress.failed
    seconds = progress.elapsed
    rowsPerSecond = progress.rowsPerSecond
    secondsLeft = progress.secondsLeft
  }
}

/// How the rotation ended.
struct RotationDoneEvent: Encodable {
  let event = "done"
  let outcome: String
  let obstacle: String?
  let resumed: Bool
  let purposes: [String]
  let from: [String]
  let to: [String]
  let disabled: [String]
  let resealed: Int
  let reindexed: Int
  let failed: Int
  let badCells: [Cell]
  let scans: Int
  let vacuumed: Bool
  let remnants: Int
  let elsewhere: [Column]
  let seconds: Double

  /// A column that no rotation goes through.
  struct Column: Encodable {
    let table: String
    let column: String
    let key: String
    let values: Int
  }

  /// The place of a value that does not open.
  struct Cell: Encodable {
    let entity: String
    let property: String
    let objectID: UUID?
    let rowID: Int64?
    let code: String
  }

  init(_ report: RotationReport) {
    outcome = report.outcome.rawValue
    obstacle = report.obstacle?.rawValue
    resumed = report.wasResumed
    purposes = report.purposes.map { "\($0)" }.sorted()
    from = report.from.map(\.description)
    to = report.to.map(\.description)
    disabled = report.disabled.map(\.description)
    resealed = report.resealed
    reindexed = report.reindexed
    failed = report.failed
    badCells = report.badCells.map {
      Cell(
        entity: $0.entity,
        property: $0.property,
        objectID: $0.objectID,
        rowID: $0.rowID,
        code: $0.code.description
      )
    }
    scans = report.scans
    vacuumed = report.wasVacuumed
    remnants = report.remnants
    elsewhere = report.elsewhere.map {
      Column(
        table: $0.column.table,
        column: $0.column.column,
        key: $0.keyID.description,
        values: $0.count
      )
    }
    seconds = report.duration
  }
}
