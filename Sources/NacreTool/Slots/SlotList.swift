import ArgumentParser
import NacreCore

/// `nacre slot list`: which kinds of secrets unlock a store.
struct SlotList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the slots; needs no secret.",
    discussion: """
        nacre slot list garage.db

      A slot of the kind 'secret' is a key file's, variable's or command's 32 bytes.
      """
  )

  @Argument(help: "The store's file.")
  var store: String

  func run() throws {
    let slots = try StoreInspection(path: store).describe().slots
    Output.standard.show(SlotList.table(slots).lines(indent: 0))
  }

  static func table(_ slots: [SlotDescription]) -> TextTable {
    var table = TextTable(rightAligned: [0])
    for slot in slots { table.add("\(slot.id)", slot.kind.visible) }
    return table
  }
}
