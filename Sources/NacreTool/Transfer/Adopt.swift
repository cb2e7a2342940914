#if Tool
import ArgumentParser
import Foundation
import NacreOpen
import NacreStore
import NacreUpkeep

/// `nacre adopt`: stores the rows of a foreign SQLite file.
struct Adopt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Store the rows of another library's SQLite file.",
    discussion: """
        nacre adopt old.db --mapping M.json --into garage.db --key-file garage.key --dry-run
        nacre adopt old.db --mapping M.json --into garage.db --key-file garage.key

      The mapping says in JSON which tables and columns become which entities and properties; ADOPT.md describes it and \
      shows one for SQPersist, AYRecord, DBSQLite, CTPersistance, mPaaS, GRDB, FMDB and Core Data. Values are sealed as \
      the store's catalog says, so the store must know the entities: let the application open it once.

      The file is opened only for reading. All of it is one transaction: when a row does not fit, nothing is adopted. \
      Other writers wait meanwhile. A dry run does the same work and takes it back, and lists what does not fit by \
      table, column, reason and row, but never shows a value.
      """
  )

  @Argument(help: "The file to adopt.")
  var file: String

  @Option(help: ArgumentHelp("The mapping.", valueName: "file"))
  var mapping: String

  @Option(help: ArgumentHelp("The store to fill.", valueName: "store"))
  var into: String

  @Flag(help: "Change nothing, and list all that does not fit.")
  var dryRun = false

  @Flag(help: "Leave out the rows that do not fit, and list them.")
  var leaveOut = false

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws {
    guard !dryRun || !leaveOut else {
      throw ValidationError("--dry-run and --leave-out exclude each other.")
    }
  }

  func run() throws {
    try Store.refuseServer(file, "the rows to adopt have to be in an SQLite file")
    let mapping = try readMapping()
    let store = try unlockOptions.openStoreLockedIfNeeded(at: into)
    let display = GaugeDisplay()
    Output.standard.show(try StoreHeader(store).lines)
    try Output.flush()
    Interruption.watch()
    let report = try store.adopt(file, by: mapping, misfits: treatment) { progress in
      try Interruption.check("nothing was adopted")
      display.show(gauge(progress))
    }
    display.end()
    Output.standard.show(lines(report))
    guard dryRun, report.misfitCount > 0 else { return }
    try Output.flush()
    throw CommandFailure(
      .of(.notAdopted),
      "\(report.misfitCount.counted("row")) of \(file) would not fit; nothing was changed"
    )
  }

  private var treatment: MisfitTreatment { dryRun ? .list : leaveOut ? .leaveOut : .refuse }

  private func readMapping() throws -> AdoptionMapping {
    guard let json = FileManager.default.contents(atPath: mapping) else {
      throw CommandFailure(
        .of(.cannotOpen),
        "\(mapping) can't be read; nothing was changed"
      )
    }
    return try AdoptionMapping(json: json)
  }

  private func gauge(_ progress: AdoptionProgress) -> Gauge {
    Gauge(
      activity: dryRun ? "checking" : "adopting",
      place: progress.table.visible,
      done: progress.done,
      total: progress.total,
      unit: "rows",
      remark: progress.misfitCount > 0 ? "\(progress.misfitCount) do not fit" : ""
    )
  }

  private func lines(_ report: AdoptionReport) -> [String] {
    var table = TextTable(rightAligned: [1])
    for (name, count) in report.objects.sorted(by: { $0.key < $1.key }) {
      table.add(name.visible, count.counted("row"))
    }
    if report.joinCount > 0 { table.add("relationships", report.joinCount.counted("row")) }
    let verb = report.isDryRun ? "Would adopt" : "Adopted"
    var lines = ["\(verb) \(report.objectCount.counted("row"))."] + table.lines(indent: 2)
    guard !report.misfits.isEmpty else { return lines }
    lines.append(report.isDryRun ? "Do not fit:" : "Left out, or without a reference:")
    var misfits = TextTable(rightAligned: [2])
    for misfit in report.misfits {
      let rows = misfit.rows.map(String.init).joined(separator: ", ")
      misfits.add(
        misfit.table.visible,
        misfit.column?.visible ?? "",
        String(misfit.count),
        misfit.reason.rawValue,
        "rows \(rows)\(misfit.count > misfit.rows.count ? ", …" : "")"
      )
    }
    return lines + misfits.lines(indent: 2)
  }
}
#endif
