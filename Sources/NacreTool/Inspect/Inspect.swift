#if Tool
import ArgumentParser
import NacreStore
import NacreUpkeep

/// `nacre inspect`: shows what a store holds, and changes nothing.
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a store's keys and entities, and the rows of one entity.",
    discussion: """
        nacre inspect garage.db
        nacre inspect garage.db Car --reveal --key-file garage.key

      The store is opened for reading and never made. Sealed values are shown as ‹sealed›, with their suite, key \
      and size, unless --reveal and a secret are given. A sealed file takes its secret for everything. 'nacre --help' \
      lists the exit statuses.
      """
  )

  @Argument(help: .store)
  var store: String

  @Argument(help: "The entity whose rows are shown.")
  var entity: String?

  @Flag(help: "Open the sealed values of ENTITY and show them.")
  var reveal = false

  @Option(help: ArgumentHelp("How many rows of ENTITY to show.", valueName: "n"))
  var limit = 20

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit can't be negative.") }
    guard reveal else { return }
    guard entity != nil else { throw ValidationError("--reveal needs an entity.") }
    guard unlockOptions.given > 0 else { throw ValidationError("--reveal needs a way to unlock.") }
  }

  func run() throws {
    let inspection = try unlockOptions.inspectStore(at: store)
    let description = try inspection.describe()
    let entity = try entity.map { try inspection.entity(named: $0) }
    Output.standard.show(StoreReport(description).lines)
    if let entity { try printRows(of: entity, inspection) }
  }

  private func printRows(of entity: EntityDescription, _ inspection: StoreInspection) throws {
    let output = Output.standard
    var count = 0
    var failures: [NacreError] = []
    try inspection.rows(of: entity.name, limit: limit, opensSealed: reveal) { row in
      let report = RowReport(row: row, entity: entity)
      output.show(report.lines)
      failures += report.failures
      count += 1
    }
    output.show(["", "\(count) of \(entity.rowCount.counted("row")) of \(entity.name.visible)"])
    // All rows are shown first; the status and the line on standard error are those of the first failure.
    if let failure = failures.first { throw failure }
  }
}
#endif
