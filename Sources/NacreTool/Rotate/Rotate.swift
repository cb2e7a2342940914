#if Tool
import ArgumentParser
import NacreStore
import NacreUpkeep

/// `nacre rotate`: gives a store new data keys and reseals all of its values.
struct Rotate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Give the store new data keys and seal every value anew, under live traffic.",
    discussion: """
        nacre rotate garage.db --key-file garage.key
        nacre rotate garage.db --key-file garage.key --dry-run
        nacre rotate garage.db --key-file garage.key --older-than 365 --rate 2000
        nacre rotate sealed.db --key-file sealed.key --purpose file

      Applications go on reading and writing. New keys are added and become primary, rows are sealed anew in small \
      transactions and read back, the tables are gone through again until nothing is left, the file and its log are \
      cleared of what the old keys had sealed, and the old keys are disabled. It can be stopped (control-C ends it at \
      a batch's edge) or killed at any moment; called again it goes on. Keys under which nothing is sealed are \
      replaced, too. With --resume or --older-than there may be nothing to be done, and it says so.

      With --purpose file a sealed file gets a new key, and its pages are sealed anew below the tables, in batches that \
      a journal beside the file keeps whole if the process is killed. --rate then counts pages.

      It does not change who unlocks the store: see 'nacre --help' for slot and rewrap.

      --ignore names a column in which somebody has planted values: they stay as they are, and don't keep the old \
      keys enabled. The option has no effect on a column that can be sealed anew, such as a copy of a DAO's values.

      JSON EVENTS, one object a line on standard output:
        start     store, path, seals (file or properties), entities (name,
                  rows), keys (id, purpose, suite, state, values)
        plan      with --dry-run alone: purposes, from, to, begun, resealed,
                  pages, reindexed, seconds, counts (entity, property, key, values,
                  stale)
        phase     phase: pending, sealing, scanning, clearing, done
        progress  unit (rows or pages), phase, entity, done, total, resealed,
                  reindexed, failed, seconds, rowsPerSecond, secondsLeft
        done      outcome: finished, nothingToDo, stopped, incomplete;
                  obstacle: reader, rowsKeepChanging, failedValues,
                  remnants, valuesElsewhere, failedPages; resumed,
                  purposes, from, to, disabled, resealed, reindexed, pages,
                  badPages, failed, badCells (entity, property, objectID,
                  rowID, code), scans, vacuumed, remnants, elsewhere (table,
                  column, key, values), seconds
        error     the last one where the command fails: code, exit, message

      EXIT STATUS: 0 done, also if there was nothing to do; 40 another rotation runs; 48 not complete; 130 stopped; \
      others as in 'nacre --help'.
      """
  )

  @Argument(help: .store)
  var store: String

  @Flag(help: "Change nothing; count and estimate.")
  var dryRun = false

  @Option(help: "What gets a new key; by default field and index.")
  var purpose: PurposeChoice?

  @Option(help: "The suite of the new field key; by default that of the present one.")
  var suite: SuiteChoice?

  @Flag(help: "Begin no rotation; only go on with one that was begun.")
  var resume = false

  @Flag(
    help: """
      Only clear the journal of what somebody wrote there without the store's key, by which no rotation begins.
      """
  )
  var clearJournal = false

  @Option(
    help: ArgumentHelp("Begin only if the primary key is older than this.", valueName: "days")
  )
  var olderThan: Double?

  @Option(
    help: ArgumentHelp(
      "How many rows a transaction writes at most; usually 500 in a file, 2000 on a server.",
      valueName: "rows"
    )
  )
  var batch: Int?

  @Option(
    help: ArgumentHelp("How many rows a second the rotation processes at most.", valueName: "rows")
  )
  var rate: Double?

  @Option(
    help: """
      Whether the file is written anew at the end, which takes room for a second one and keeps others from writing.
      """
  )
  var vacuum = VacuumChoice.needed

  @OptionGroup(title: "Columns to ignore")
  var ignoreOptions: IgnoreOptions

  @Flag(help: "Write events as JSON to standard output, and all else to standard error.")
  var json = false

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  /// The choices of when to rewrite the file.
  enum VacuumChoice: String, ExpressibleByArgument, CaseIterable {
    case needed, always, never
  }

  func validate() throws {
    guard !clearJournal || !(dryRun || resume || json) else {
      throw ValidationError("--clear-journal can't be combined with --dry-run, --resume or --json.")
    }
    guard batch ?? 1 >= 1 else { throw ValidationError("--batch must be at least 1.") }
    guard rate.map({ $0 > 0 }) ?? true else { throw ValidationError("--rate must be above 0.") }
    guard purpose != .file || suite == nil else {
      throw ValidationError("--suite is for field keys; a file's pages have one suite.")
    }
    guard olderThan.map({ $0 >= 0 }) ?? true else {
      throw ValidationError("--older-than can't be negative.")
    }
  }

  func run() throws {
    let store = try unlockOptions.openStore(at: store)
    if clearJournal { return try clear(store) }
    let reporter = RotationReporter(isJSON: json)
    Interruption.watch()
    try reporter.start(StoreHeader(store))
    let ignored = try ignoreOptions.columns(in: store)
    let options = options(ignoring: ignored)
    let resealed = try store.resealedColumns(among: options)
    (json ? Output.error : .standard).show(
      ignored.map { column in
        let isResealed = resealed.contains(column)
        return (isResealed ? "Not ignored, as it can be sealed anew: " : "Ignored: ")
          + "\(column.description.visible)."
      }
    )
    if dryRun { return try reporter.show(store.rotationPlan(options), rate: rate) }
    let report = try store.rotate(options) { progress in
      reporter.show(progress)
      return Interruption.isRequested || reporter.hasFailed ? .stop : .goOn
    }
    try reporter.end(report)
  }

  private func clear(_ store: Store) throws {
    let output = Output.standard
    output.show(try StoreHeader(store).lines)
    let cleared = try store.clearJournal()
    output.show(
      cleared.isEmpty
        ? ["There is nothing to clear: go on with 'nacre rotate' or 'nacre migrate --resume'."]
        : cleared.map { "Cleared: \($0.kind.visible), phase \($0.phase.visible)." }
          + ["No value and no key was lost; half-done work begins again."]
    )
  }

  private func options(ignoring columns: [StoredColumn]) -> RotationOptions {
    var options = RotationOptions()
    options.ignoredColumns = columns
    if let purpose { options.purposes = [purpose.purpose] }
    options.suite = suite?.suite
    options.batchSize = batch
    options.rowsPerSecond = rate
    options.onlyResumes = resume
    options.olderThan = olderThan.map { $0 * 86_400 }
    switch vacuum {
    case .needed: options.vacuum = .whenNeeded
    case .always: options.vacuum = .always
    case .never: options.vacuum = .never
    }
    return options
  }
}
#endif
