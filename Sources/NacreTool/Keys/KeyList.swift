import ArgumentParser
import Foundation
import NacreCore

/// `nacre key list`: the data keys and how many values stand under each.
struct KeyList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the keys and how many values stand under each; needs no secret.",
    discussion: """
        nacre key list garage.db
      """
  )

  @Argument(help: "The store's file.")
  var store: String

  func run() throws {
    let inspection = try StoreInspection(path: store)
    let table = KeyTable(
      try inspection.describe().ring,
      KeyCounts(try inspection.sealedCounts()),
      width: Terminal.width(of: STDOUT_FILENO)
    )
    Output.standard.show(table.lines(indent: 0))
  }
}
