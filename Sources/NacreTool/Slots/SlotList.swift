#if Tool
import ArgumentParser
import NacreStore
import NacreUpkeep

/// `nacre slot list`: lists the kinds of secrets that unlock a store.
struct SlotList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the slots; needs no secret, unless the file is sealed.",
    discussion: """
        nacre slot list garage.db
        nacre slot list garage.db --key-file garage.key

      A slot of the kind 'secret' is a key file's, variable's or command's 32 bytes. With a secret the slots that it \
      opens are marked with '*'.
      """
  )

  @Argument(help: .store)
  var store: String

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let (inspection, secret) = try unlockOptions.inspectStoreAndSecret(at: store)
    let slots = try inspection.describe().slots
    let opened = try secret.map { try inspection.slots(openedBy: $0) } ?? []
    Output.standard.show(SlotList.table(slots, opened: opened).lines(indent: 0))
  }

  static func table(_ slots: [SlotDescription], opened: [Int64] = []) -> TextTable {
    var table = TextTable(rightAligned: [0])
    for slot in slots {
      let mark = opened.contains(slot.id) ? "* opened by this secret" : ""
      table.add("\(slot.id)", slot.kind.visible, mark)
    }
    return table
  }
}
#endif
