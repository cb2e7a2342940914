#if Tool
import ArgumentParser
import Foundation
import NacreStore
import NacreUpkeep

/// `nacre import`: stores the objects of an export.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Store the objects of an export.",
    discussion: """
        nacre import garage.db --key-file garage.key --input garage.jsonl
        zcat cars.jsonl.gz | nacre import garage.db --key-file garage.key

      Envelopes come from this very store and are opened before they are believed; revealed values, from any store, \
      are sealed here. All of it is one transaction: when one line is wrong nothing is imported. Other writers wait \
      meanwhile.
      """
  )

  @Argument(help: .store)
  var store: String

  @Option(
    help: ArgumentHelp("Read this file instead of standard input.", valueName: "file")
  )
  var input: String?

  @Option(help: "What to do with an object that is stored already; refuse imports nothing.")
  var existing = ExistingObjects.refuse

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store = try unlockOptions.openStoreLockedIfNeeded(at: store)
    let reader = LineReader(try handle())
    let display = GaugeDisplay()
    Output.standard.show(try StoreHeader(store).lines)
    try Output.flush()
    Interruption.watch()
    var count = 0
    let report = try store.importLines(existing: existing) {
      try Interruption.check("nothing was imported")
      count += 1
      display.show(
        Gauge(activity: "importing", done: 0, total: 0, unit: "", remark: count.counted("line"))
      )
      return try reader.next()
    }
    display.end()
    Output.standard.show(lines(report))
  }

  private func handle() throws -> FileHandle {
    guard let input else { return .standardInput }
    guard let handle = FileHandle(forReadingAtPath: input) else {
      throw CommandFailure(.of(.cannotOpen), "\(input) can't be read; nothing was imported")
    }
    return handle
  }

  private func lines(_ report: TransferReport) -> [String] {
    var table = TextTable(rightAligned: [1])
    for (entity, count) in report.objects.sorted(by: { $0.key < $1.key }) {
      table.add(entity.visible, count.counted("object"))
    }
    var sum = "Imported \(report.objectCount.counted("object"))"
    if report.replacedCount > 0 { sum += ", of which \(report.replacedCount) were replaced" }
    if report.skippedCount > 0 {
      sum += "; \(report.skippedCount) were stored already and left as they are"
    }
    return [sum + "."] + table.lines(indent: 2)
  }
}
#endif
