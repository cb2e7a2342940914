#if Tool
import Foundation
import NacreStore
import NacreUpkeep

/// Reports what a verification finds: to people, or as JSON to a program.
final class VerificationReporter {
  /// How many bad cells are shown; the others are only counted, and `--list` has them all.
  private static let shownCells = 20

  private let log: EventLog?
  private let list: NewFile?
  private let display = GaugeDisplay()
  private let encoder = JSONEncoder()
  /// All bad cells, if the command is to set them aside.
  private(set) var cells: [BadCell] = []
  private let keepsCells: Bool
  private var areAllSetAside = true
  /// How many bad cells the quarantine left in place; nil if there was no quarantine.
  private var leftCount: Int?
  private var failure: (any Error)?

  /// - Parameters:
  ///   - isJSON: whether it writes events.
  ///   - list: a file that also gets the bad cells.
  ///   - keepsCells: whether `cells` keeps them for later.
  init(isJSON: Bool, list: NewFile?, keepsCells: Bool) {
    self.keepsCells = keepsCells
    log = isJSON ? EventLog() : nil
    self.list = list
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  private var output: Output { log == nil ? .standard : .error }

  func start(_ header: StoreHeader) throws {
    output.show(header.lines)
    try Output.flush()
  }

  /// Notes a bad cell.
  ///
  /// - Throws: `CommandFailure` if it can't be written.
  func show(_ cell: BadCell) throws {
    try list?.write(try encoder.encode(cell) + Data("\n".utf8))
    try log?.show(cell.event)
    if keepsCells { cells.append(cell) }
  }

  func show(_ progress: VerificationProgress) {
    guard let log else { return display.show(progress.gauge) }
    guard failure == nil, log.isDue() else { return }
    do { try log.show(progress.event) } catch { failure = error }
  }

  func show(_ progress: QuarantineProgress) {
    guard log == nil else { return }
    display.show(
      Gauge(activity: "setting aside", done: progress.done, total: cells.count, unit: "cells")
    )
  }

  /// Prints the results for people; a program gets them as the last event, after those of the quarantine.
  func found(_ report: VerificationReport) throws {
    display.end()
    if let failure { throw failure }
    if log == nil { output.show(lines(report)) }
    try Output.flush()
  }

  /// Reports what the quarantine did with the bad cells.
  func setAside(_ report: QuarantineReport) throws {
    display.end()
    if let log {
      for item in report.items { try log.show(item.event) }
    } else {
      let lines = QuarantineReport.Outcome.allCases.compactMap { outcome in
        let count = report.count(outcome)
        return count == 0 ? nil : "\(count.counted("bad cell")): \(outcome.words)"
      }
      output.show(["", "Quarantine:"] + lines.map { "  " + $0 })
    }
    areAllSetAside = report.isComplete
    leftCount = report.count(.unknown) + report.count(.leftInPlace)
  }

  /// Ends the command.
  ///
  /// - Throws: `CommandFailure` unless the store was sound, or everything bad has been set aside.
  func end(_ report: VerificationReport) throws {
    try log?.show(report.event)
    // A bad page may be why not everything could be verified.
    if report.badPageCount > 0 || report.faults.contains(where: { $0.kind == .badPage }) {
      throw CommandFailure(.of(.unsound), message(report))
    }
    guard report.isComplete else {
      throw CommandFailure(.interrupted, "stopped before everything was verified")
    }
    guard areAllSetAside else {
      throw CommandFailure(.interrupted, "stopped before all bad cells were set aside")
    }
    if !report.faults.isEmpty || leftCount ?? report.badCellCount > 0 {
      throw CommandFailure(.of(.unsound), message(report))
    }
    let left = report.skipped.filter { $0.reason == .converting }
    if let first = left.first {
      throw CommandFailure(
        .of(.migrationPending),
        "\(left.count.counted("property was", "properties were")) left out, the first of them "
          + "\(first.entity.visible).\(first.property.visible): finish the migration and verify again"
      )
    }
  }

  private func message(_ report: VerificationReport) -> String {
    var found: [String] = []
    if report.badPageCount > 0 { found.append(report.badPageCount.counted("bad page")) }
    if report.badCellCount > 0 { found.append(report.badCellCount.counted("bad cell")) }
    if !report.faults.isEmpty { found.append(report.faults.count.counted("other fault")) }
    return found.joined(separator: " and ") + " found"
      + (report.badCellCount > 0 && !keepsCells
        ? "; --list FILE lists them, --quarantine sets them aside" : "")
  }

  private func lines(_ report: VerificationReport) -> [String] {
    var table = TextTable(rightAligned: [1, 2, 3])
    table.add("", "sound", "nil", "bad")
    for property in report.properties {
      let name = "\(property.entity).\(property.property)".visible
      table.add(name, "\(property.openedCount)", "\(property.nilCount)", "\(property.badCount)")
    }
    let skipped = report.skipped.map {
      "Left out: \($0.entity.visible).\($0.property.visible), \($0.reason.words)"
    }
    let cells = report.badCells.prefix(Self.shownCells).map(\.description.visible)
    let rest = report.badCellCount - cells.count
    return (report.properties.isEmpty ? [] : table.lines(indent: 0) + [""])
      + skipped + report.notices.map { "Notice: " + $0.description.visible }
      + BadPage.lines(report.badPages, count: report.badPageCount)
      + report.faults.map(\.description.visible) + cells
      + (rest > 0 ? ["… and \(rest.counted("more bad cell", "more bad cells"))"] : [])
      + [
        looked(report)
          + (report.isSound
            ? report.skipped.isEmpty
              ? "nothing is wrong." : "nothing is wrong in the part that was verified."
            : "not sound.")
      ]
  }

  private func looked(_ report: VerificationReport) -> String {
    let things =
      (report.pageCount > 0 ? [report.pageCount.counted("page")] : [])
      + (report.frameCount > 0 ? [report.frameCount.counted("frame") + " of the log"] : [])
      + [report.rowCount.counted("row")]
    return things.joined(separator: ", ")
      + " and \(report.referenceCount.counted("reference")) looked at: "
  }
}

extension VerificationProgress {
  fileprivate var gauge: Gauge {
    Gauge(
      activity: unit == .pages ? "reading" : "verifying",
      place: entity?.visible ?? "",
      done: done,
      total: total,
      unit: unit.rawValue,
      remark: [(badPageCount, "bad page"), (badCellCount, "bad cell")]
        .filter { $0.0 > 0 }.map { $0.0.counted($0.1) }.joined(separator: ", ")
    )
  }
}

extension QuarantineReport.Outcome {
  fileprivate var words: String {
    switch self {
    case .cellMoved: "moved aside, and the property is nil"
    case .rowMoved: "the whole object moved aside, because the property can't be nil"
    case .indexRepaired: "the value is sound, and its index was made anew"
    case .referenceCleared: "the reference led nowhere and was cleared"
    case .leftInPlace:
      "in the table of a DAO and left there; its own statements have to set it right"
    case .sound: "sound by now and left alone"
    case .gone: "the object is gone"
    case .unknown: "the catalog does not have the entity or property"
    }
  }
}

extension SkippedProperty.Reason {
  fileprivate var words: String {
    switch self {
    case .hooked: "which the application's own provider seals"
    case .converting: "whose migration is not done"
    }
  }
}
#endif
