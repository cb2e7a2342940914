#if Tool
import Foundation
import NacreStore
import NacreUpkeep

/// Reports the progress of a rotation: to people, or as JSON to a program.
final class RotationReporter {
  private let log: EventLog?
  private let display = GaugeDisplay()
  private var phase: RotationPhase?
  private var failure: (any Error)?

  init(isJSON: Bool) { log = isJSON ? EventLog() : nil }

  /// Whether writing an event has failed, for example because the disk is full.
  var hasFailed: Bool { failure != nil }

  func start(_ header: StoreHeader) throws {
    (log == nil ? Output.standard : .error).show(header.lines)
    try Output.flush()
    try log?.show(header.event)
  }

  /// Says what a rotation would do.
  ///
  /// - Parameters:
  ///   - plan: the plan of the rotation.
  ///   - rate: how many rows a second it would go through at most.
  /// - Throws: `CommandFailure` if it can't be written.
  func show(_ plan: RotationPlan, rate: Double?) throws {
    if let log { return try log.show(plan.event) }
    Output.standard.show(plan.lines(rate: rate))
  }

  func show(_ progress: RotationProgress) {
    if let log {
      do { try show(progress, in: log) } catch { failure = failure ?? error }
    } else if progress.phase != .done {
      display.show(progress.gauge)
    }
  }

  private func show(_ progress: RotationProgress, in log: EventLog) throws {
    if phase != progress.phase {
      phase = progress.phase
      try log.show(["event": "phase", "phase": progress.phase.rawValue])
    }
    if log.isDue() { try log.show(progress.event) }
  }

  /// Reports how the rotation ended.
  ///
  /// - Throws: `CommandFailure` unless everything is done.
  func end(_ report: RotationReport) throws {
    display.end()
    if let failure { throw failure }
    if let log {
      try log.show(report.event)
    } else {
      Output.standard.show(report.lines)
    }
    if let failure = report.failure { throw failure }
  }
}

extension RotationPlan {
  fileprivate func lines(rate: Double?) -> [String] {
    if purposes.isEmpty { return ["There is nothing to do."] }
    var table = TextTable(rightAligned: [1])
    for count in counts where count.isStale {
      let key = count.keyID.map { "under key \($0)" } ?? "not sealed"
      table.add("\(count.entity).\(count.property)".visible, "\(count.count)", key)
    }
    let begun = unfinished.map {
      [
        "It goes on with the rotation that was begun \($0.started.stamp), in phase \($0.phase.visible)."
      ]
    }
    let what =
      (purposes == [.file] ? [] : [resealed.counted("value")])
      + (purposes.contains(.file) ? [pages.counted("page")] : [])
    let sum =
      what.joined(separator: " and ") + " would be sealed anew"
      + (reindexed > 0 ? " and up to \(reindexed) indexed anew" : "")
      + ", in about \(Gauge.time(seconds)) at \(rate.map { "\($0) rows/s" } ?? "full speed"). "
      + "Nothing was changed."
    return (begun ?? []) + table.lines(indent: 0) + [sum]
  }
}

extension RotationProgress {
  fileprivate var gauge: Gauge {
    let isPass = phase == .sealing || phase == .scanning
    return Gauge(
      activity: phase.activity,
      place: isPass ? entity?.visible ?? "" : "",
      done: isPass ? done : 0,
      total: isPass ? total : 0,
      unit: unit.rawValue,
      rate: rowsPerSecond,
      secondsLeft: secondsLeft,
      remark: failed > 0 ? "\(failed) of them \(failed == 1 ? "does" : "do") not open" : ""
    )
  }
}

extension RotationPhase {
  /// The phase in words for people.
  var activity: String {
    switch self {
    case .pending: "waiting until every writer knows the new keys"
    case .sealing: "sealing"
    case .scanning: "looking again"
    case .clearing: "clearing the file of old values"
    case .done: "done"
    }
  }
}

extension RotationReport {
  fileprivate var lines: [String] {
    if outcome == .nothingToDo { return ["There is nothing to do."] }
    var table = TextTable()
    if purposes != [.file] { table.add("Sealed anew", resealed.counted("value")) }
    if purposes.contains(.file) { table.add("Sealed anew", resealedPages.counted("page")) }
    if purposes.contains(.index) {
      table.add("Indexed anew", reindexed.counted("value"))
    }
    table.add("From", from.map(\.description).joined(separator: ", "))
    table.add("To", to.map(\.description).joined(separator: ", "))
    if !disabled.isEmpty {
      table.add("Disabled", disabled.map(\.description).joined(separator: ", "))
    }
    if wasVacuumed { table.add("Written anew", isOnServer ? "the tables" : "the whole file") }
    table.add("Time", Gauge.time(duration))
    let bad = badCells.map { cell in
      "\(cell.entity.visible).\(cell.property.visible) of "
        + (cell.objectID?.uuidString ?? cell.rowID.map { "row \($0)" } ?? "an unknown object")
        + ": \(cell.code)"
    }
    let pages = badPages.map(String.init).joined(separator: ", ")
    let shownPages = pages.isEmpty ? [] : ["", "Pages that do not open: \(pages)"]
    let shown = bad.isEmpty ? [] : ["", "Values that do not open:"] + bad.map { "  " + $0 }
    return ["Rotation \(outcome.rawValue)" + (wasResumed ? ", which had been begun before" : "")]
      + table.lines(indent: 2) + shown + shownPages + (isOnServer ? serverNote : [])
  }

  private var serverNote: [String] {
    let rows = wasVacuumed ? "" : "dead rows, which '--vacuum always' removes, "
    return [
      "", "Old envelopes may remain in the server's \(rows)write-ahead log, replicas and backups.",
    ]
  }

  /// The failure of the command; nil if it succeeds.
  fileprivate var failure: CommandFailure? {
    switch outcome {
    case .finished, .nothingToDo: nil
    case .stopped:
      CommandFailure(
        .interrupted,
        "stopped at the end of a batch; call 'nacre rotate' again to go on"
      )
    case .incomplete:
      CommandFailure(
        .rotationIncomplete,
        "the rotation is not complete: \(obstacle?.advice(self) ?? "")"
      )
    }
  }
}

extension RotationReport.Obstacle {
  /// Says why the rotation could not finish, and what to do.
  fileprivate func advice(_ report: RotationReport) -> String {
    switch self {
    case .reader:
      "somebody is still reading the store as it was before; call 'nacre rotate' again when they "
        + "are done"
    case .rowsKeepChanging:
      "somebody keeps writing values under old keys; find out who, and call 'nacre rotate' again"
    case .failedValues:
      "\(report.failed.counted("value does", "values do")) not open and stay as they are, with their "
        + "keys enabled; 'nacre verify' lists them, and 'nacre verify --quarantine' sets them aside"
    case .remnants:
      "\(report.remnants.counted("remnant")) of old values \(report.remnants == 1 ? "is" : "are") "
        + "left in the file, and the old keys stay enabled; call 'nacre rotate --vacuum always' when "
        + "nobody else has the store open"
    case .failedPages:
      "\(report.failed.counted("page does", "pages do")) not open and stay as they are, with the "
        + "former file key enabled; restore the store from a backup"
    case .valuesElsewhere:
      "columns that the catalog does not call sealed hold values under the old keys, which stay "
        + "enabled: "
        + report.elsewhere.map { "\($0.column.description.visible) \($0.count)" }
        .joined(separator: ", ")
        + "; correct the catalog, delete the values, or name with --ignore the columns that "
        + "somebody has filled"
    }
  }
}
#endif
