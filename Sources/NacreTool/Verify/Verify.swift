import ArgumentParser
import NacreCore

/// `nacre verify`: opens every sealed value and follows every reference.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Open every sealed value, check every index, reference and the key ring.",
    discussion: """
        nacre verify garage.db --key-file garage.key
        nacre verify garage.db --key-file garage.key --list bad.jsonl --quarantine

      Finds values that were changed, moved or never sealed, plaintext in sealed columns, blind indexes that are not \
      their values', references that lead nowhere, and a key ring that was changed. Bad cells are named by entity, \
      objectID and property; no content is ever shown. Others go on reading and writing.

      --quarantine moves the bad cells into a table of the store's own, after which the rest of the store stays \
      usable: an optional property is then nil, and other objects are taken out whole.

      JSON EVENTS, one object a line on standard output:
        progress  entity, rowsDone, rowsTotal, badCells
        badCell   entity, objectID, property, fault, keyID
        moved     with --quarantine, for each bad cell: entity, objectID,
                  property, outcome: cellMoved, rowMoved, indexRepaired,
                  referenceCleared, sound, gone, unknown
        done      what was found: sound, complete, rows, references, opened,
                  nil, badCells, faults (kind, entity, property, detail),
                  properties, skipped, seconds

      EXIT STATUS: 0 nothing is wrong; 50 something is; 60 the list exists already; 130 stopped; others as in 'nacre \
      --help'.
      """
  )

  @Argument(help: "The store's file.")
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

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store =
      try quarantine
      ? unlockOptions.openStore(at: store) : unlockOptions.openStoreLockedIfNeeded(at: store)
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
    if quarantine, report.isComplete { try setAside(in: store, reporter) }
    try reporter.end(report)
  }

  private func setAside(in store: Store, _ reporter: VerificationReporter) throws {
    let report = try store.quarantine(reporter.cells) { progress in
      reporter.show(progress)
      return !Interruption.isRequested
    }
    try reporter.setAside(report)
  }
}
