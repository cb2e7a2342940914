#if Tool
import ArgumentParser
import Foundation
import NacreStore
import NacreUpkeep

/// `nacre key list`: lists the data keys and the number of values under each.
struct KeyList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract:
      "List the keys and how many values are under each; needs no secret, unless the file is "
      + "sealed.",
    discussion: """
        nacre key list garage.db
        nacre key list sealed.db --key-file sealed.key
      """
  )

  @Argument(help: .store)
  var store: String

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let inspection = try unlockOptions.inspectStore(at: store)
    let description = try inspection.describe()
    let counts = KeyCounts(try inspection.sealedCounts())
    let table = KeyTable(
      ring: description.ring,
      fileKeys: description.fileKeys,
      counts: counts
    )
    Output.standard.show(table.lines(indent: 0) + indexed(in: description))
  }

  /// Lists the properties with blind indexes for each index key, because the tokens do not name their key.
  private func indexed(in store: StoreDescription) -> [String] {
    let keys = (store.ring?.keys ?? []).filter {
      $0.purpose == .index && ($0.state == .primary || $0.state == .enabled)
    }
    let names = store.entities.flatMap { entity in
      entity.properties.filter { $0.sealing?.index != nil }.map {
        "\(entity.name).\($0.name)".visible
      }
    }
    let list = names.isEmpty ? "nothing" : names.joined(separator: ", ")
    return keys.map { "\($0.id) indexes \(list)" }
  }
}
#endif
