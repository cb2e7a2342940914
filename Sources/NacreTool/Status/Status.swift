#if Tool
import ArgumentParser
import Foundation
import NacreStore
import NacreUpkeep

/// `nacre status`: shows a store's keys, slots and entities, and the work that is going on.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show keys with their age and values, slots, entities and a rotation's progress.",
    discussion: """
        nacre status garage.db
        nacre status garage.db --key-file garage.key

      Without a secret the key ring is shown as the file has it, which is then not verified. A sealed file takes its \
      secret.
      """
  )

  @Argument(help: .store)
  var store: String

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let inspection = try unlockOptions.inspectStore(at: store)
    let report = StatusReport(
      store: try inspection.describe(),
      counts: KeyCounts(try inspection.sealedCounts()),
      work: try inspection.work()
    )
    Output.standard.show(report.lines)
  }
}
#endif
