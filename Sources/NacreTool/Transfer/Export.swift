#if Tool
import ArgumentParser
import Foundation
import NacreStore
import NacreUpkeep

/// `nacre export`: writes a store's objects as lines of JSON.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the objects as lines of JSON.",
    discussion: """
        nacre export garage.db --key-file garage.key --output garage.jsonl
        nacre export garage.db --entity Car | gzip > cars.jsonl.gz

      Sealed values travel as their envelopes, which only this store can open, and only as long as it has their keys: \
      once a key is destroyed, no export of before can be read under it. With --reveal they stand in the lines \
      in plain text, for another store: keep such a file as you would keep the secret. Without a secret nobody can \
      tell whether the envelopes open.

      The tables of DAOs are left out and named.

      A file is made for its owner alone and never overwritten.
      """
  )

  @Argument(help: .store)
  var store: String

  @Flag(help: "Write sealed values in plain text.")
  var reveal = false

  @Option(
    help: ArgumentHelp("Write to this new file instead of standard output.", valueName: "file")
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Export the objects of this entity alone. Can be repeated.",
      valueName: "name"
    )
  )
  var entity: [String] = []

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws {
    guard !reveal || unlockOptions.given > 0 else {
      throw ValidationError("--reveal needs a way to unlock.")
    }
  }

  func run() throws {
    let store = try unlockOptions.openStoreLockedIfNeeded(at: store)
    if reveal {
      Output.error.show("nacre: warning: sealed values are written in plain text (--reveal)")
    }
    let sink = try LineSink(output)
    Interruption.watch()
    let report: TransferReport
    do {
      report = try store.export(revealing: reveal, entities: entity.isEmpty ? nil : entity) {
        line in
        try Interruption.check("nothing was changed")
        try sink.write(line)
      }
      try sink.close()
    } catch {
      sink.discard()
      throw error
    }
    let words = "Exported \(report.objectCount.counted("object"))"
    Output.error.show(words + (output.map { " to \($0.visible)." } ?? "."))
    for table in report.leftOut {
      Output.error.show(
        "nacre: warning: the table \(table.visible) was left out, because its rows have no objectID"
      )
    }
  }
}
#endif
