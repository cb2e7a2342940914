#if Tool
import Foundation
import NacreStore
import NacreUpkeep

// The events of a verification: how far it is, what it finds, and what the quarantine did.

extension VerificationProgress {
  var event: EventObject {
    [
      "event": "progress",
      "unit": unit.rawValue,
      "entity": entity,
      "done": done,
      "total": total,
      "badCells": badCellCount,
      "badPages": badPageCount,
    ]
  }
}

extension BadCell {
  /// The cell, written as soon as it is found.
  var event: EventObject {
    [
      "event": "badCell",
      "entity": entity,
      "objectID": objectID,
      "rowID": rowID,
      "property": property,
      "fault": fault.rawValue,
      "keyID": keyID,
    ]
  }
}

extension VerificationReport {
  var event: EventObject {
    [
      "event": "done",
      "sound": isSound,
      "complete": isComplete,
      "pages": pageCount,
      "frames": frameCount,
      "rows": rowCount,
      "references": referenceCount,
      "opened": openedCount,
      "nil": nilCount,
      "badCells": badCellCount,
      "badPages": badPageCount,
      "firstBadPages": badPages,
      "faults": faults,
      "notices": notices,
      "properties": properties,
      "skipped": skipped,
      "seconds": duration,
    ]
  }
}

extension QuarantinedCell {
  var event: EventObject {
    [
      "event": "quarantined",
      "id": id,
      "entity": entity,
      "objectID": objectID,
      "property": property,
      "fault": fault?.rawValue,
      "wholeRow": isWholeRow,
      "bytes": byteCount,
      "moved": moved,
    ]
  }
}

extension QuarantineReport.Item {
  /// The outcome of the quarantine for a bad cell.
  var event: EventObject {
    [
      "event": "moved",
      "entity": cell.entity,
      "objectID": cell.objectID,
      "rowID": cell.rowID,
      "property": cell.property,
      "outcome": outcome.rawValue,
    ]
  }
}
#endif
