#if Tool
import ArgumentParser
import Foundation
import NacreStore
import NacreUpkeep

/// `nacre verify`: opens every sealed value and follows every reference.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Open every sealed value, check every index, reference and the key ring.",
    discussion: """
        nacre verify garage.db --key-file garage.key
        nacre verify garage.db --key-file garage.key --list bad.jsonl --quarantine
        nacre verify garage.db --list-quarantined

      Finds values that were changed, moved or never sealed, plaintext in sealed columns, blind indexes that are not \
      their values', references that lead nowhere, a key ring or a catalog that was changed, and sealed values where the \
      catalog says of none. Of a sealed file it opens every page, also those that hold nothing any more, and each \
      committed frame of the log, and names those that do not open by their numbers. Bad cells are named by entity, \
      objectID, or the rowid in the table of a DAO, and property; no content is ever shown. Others go on reading and writing.

      --quarantine moves the bad cells into a table of the store's own, after which the rest of the store stays \
      usable: an optional property is then nil, and other objects are taken out whole; cells in tables of DAOs stay. On a terminal it asks before \
      that; elsewhere --yes is needed. --list-quarantined shows what lies there, and verifies nothing.

      JSON EVENTS, one object a line on standard output:
        progress     unit (pages or rows), entity, done, total, badCells,
                     badPages
        badCell      entity, objectID, property, fault, keyID; rowID in the
                     tables of DAOs, whose rows have no objectID
        moved        with --quarantine, for each bad cell: entity, objectID,
                     rowID, property, outcome: cellMoved, rowMoved,
                     indexRepaired, referenceCleared, leftInPlace, sound,
                     gone, unknown
        done         what was found: sound, complete, pages, frames, rows,
                     references, opened, nil, badCells, badPages,
                     firstBadPages (number, frame, fault), faults (kind,
                     entity, property, detail), notices (the same, and not
                     wrong), properties, skipped, seconds
        quarantined  with --list-quarantined alone: id, entity, objectID,
                     property, fault, wholeRow, bytes, moved
        error        the last one where the command fails: code, exit, message

      EXIT STATUS: 0 nothing is wrong, or all that was wrong was set aside; 50 something is; 60 the list exists \
      already; 130 stopped; others as in 'nacre --help'.
      """
  )

  @Argument(help: .store)
  var store: String

  @Flag(help: "Write events as JSON to standard output, and all else to standard error.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Write the bad cells to this new file, as JSON, one object a line.",
      valueName: "file"
    )
  )
  var list: String?

  @Flag(help: "Move the bad cells aside.")
  var quarantine = false

  @Flag(help: "Don't ask before bad cells are moved.")
  var yes = false

  @Flag(help: "Show what is in quarantine, and do nothing else; needs no secret.")
  var listQuarantined = false

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  private var confirmation: Confirmation {
    Confirmation(subject: "bad cells are to be moved aside", isGiven: yes)
  }

  func validate() throws {
    guard !listQuarantined || !quarantine && list == nil else {
      throw ValidationError("--list-quarantined can't be combined with --quarantine or --list.")
    }
    guard quarantine || !yes else { throw ValidationError("--yes belongs to --quarantine.") }
  }

  func run() throws {
    if listQuarantined { return try showQuarantined() }
    // Check now whether there is somebody to ask, not after an hour of verifying.
    if quarantine { try confirmation.check() }
    let store =
      try quarantine
      ? unlockOptions.openStore(at: store)
      : unlockOptions.openStoreLockedIfNeeded(at: store, options: .onlyLook)
    let file = try list.map { try NewFile($0) }
    let reporter = VerificationReporter(isJSON: json, list: file, keepsCells: quarantine)
    if quarantine { try reporter.start(StoreHeader(store)) }
    Interruption.watch()
    let report = try store.verify(onBadCell: reporter.show) { progress in
      reporter.show(progress)
      return !Interruption.isRequested
    }
    try file?.close()
    try reporter.found(report)
    if quarantine, report.isComplete, !reporter.cells.isEmpty { try setAside(in: store, reporter) }
    try reporter.end(report)
  }

  private func showQuarantined() throws {
    let cells = try unlockOptions.openStoreLockedIfNeeded(at: store).quarantined()
    if json {
      let log = EventLog()
      return try cells.forEach { try log.show($0.event) }
    }
    if cells.isEmpty { return Output.standard.show("Nothing is in quarantine.") }
    var table = TextTable(rightAligned: [0])
    for cell in cells {
      table.add(
        "\(cell.id)",
        "\(cell.entity).\(cell.property) of \(cell.objectID.uuidString)".visible,
        cell.fault?.rawValue ?? "unknown",
        cell.isWholeRow ? "whole object" : cell.byteCount.counted("byte"),
        cell.moved.stamp
      )
    }
    Output.standard.show(table.lines(indent: 0))
  }

  private func setAside(in store: Store, _ reporter: VerificationReporter) throws {
    let count = reporter.cells.count.counted("bad cell")
    try confirmation.askForYes(to: "move \(count) aside")
    let report = try store.quarantine(reporter.cells) { progress in
      reporter.show(progress)
      return !Interruption.isRequested
    }
    try reporter.setAside(report)
  }
}
#endif
