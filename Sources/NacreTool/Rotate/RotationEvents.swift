#if Tool
import Foundation
import NacreStore
import NacreUpkeep

// The events of a rotation: its plan, how far it is, and how it ended.

extension RotationPlan {
  var event: EventObject {
    [
      "event": "plan",
      "purposes": purposes.names,
      "from": from.map(\.description),
      "to": to.map(\.description),
      "begun": unfinished != nil,
      "resealed": resealed,
      "pages": pages,
      "reindexed": reindexed,
      "seconds": seconds,
      "counts": counts.map(\.object),
    ]
  }
}

extension RotationPlan.Count {
  /// The values of one property under one key.
  fileprivate var object: EventObject {
    [
      "entity": entity,
      "property": property,
      "key": keyID?.description,
      "values": count,
      "stale": isStale,
    ]
  }
}

extension RotationProgress {
  var event: EventObject {
    [
      "event": "progress",
      "unit": unit.rawValue,
      "phase": phase.rawValue,
      "entity": entity,
      "done": done,
      "total": total,
      "resealed": resealed,
      "reindexed": reindexed,
      "failed": failed,
      "seconds": elapsed,
      "rowsPerSecond": rowsPerSecond,
      "secondsLeft": secondsLeft,
    ]
  }
}

extension RotationReport {
  var event: EventObject {
    [
      "event": "done",
      "outcome": outcome.rawValue,
      "obstacle": obstacle?.rawValue,
      "resumed": wasResumed,
      "purposes": purposes.names,
      "from": from.map(\.description),
      "to": to.map(\.description),
      "disabled": disabled.map(\.description),
      "resealed": resealed,
      "reindexed": reindexed,
      "pages": resealedPages,
      "badPages": badPages.map(Int.init),
      "failed": failed,
      "badCells": badCells.map(\.object),
      "scans": scans,
      "vacuumed": wasVacuumed,
      "remnants": remnants,
      "elsewhere": elsewhere.map(\.object),
      "seconds": duration,
    ]
  }
}

extension UnopenedCell {
  /// The place of a value that does not open.
  fileprivate var object: EventObject {
    [
      "entity": entity,
      "property": property,
      "objectID": objectID,
      "rowID": rowID,
      "code": code.description,
    ]
  }
}

extension KeyUse {
  /// A column that no rotation goes through.
  fileprivate var object: EventObject {
    [
      "table": column.table,
      "column": column.column,
      "key": keyID.description,
      "values": count,
    ]
  }
}

extension Set<KeyPurpose> {
  fileprivate var names: [String] { map { "\($0)" }.sorted() }
}
#endif
