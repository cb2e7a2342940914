#if Tool
import ArgumentParser
import Foundation
import NacreOpen
import NacreStore
import NacreUpkeep

/// `nacre backup`: copies a store as it is now.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the store, as it is now, into a new file.",
    discussion: """
        nacre backup garage.db garage-2030-01-01.db
        nacre backup sealed.db sealed-2030-01-01.db --key-file sealed.key

      Others go on reading and writing meanwhile; needs no secret, unless the file is sealed. The copy opens with the \
      secrets that open the store now, also after those are changed here. The copy of a sealed file is one.
      """
  )

  @Argument(help: "The store's file.")
  var store: String

  @Argument(help: "The file to make.")
  var to: String

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    try Store.refuseServer(
      store,
      "a backup is the copy of a file",
      advice: "Use the server's own means, such as pg_dump; sealed values stay sealed in them."
    )
    try Store.refuseServer(to, "a backup is a file")
    let store = try unlockOptions.openStoreLockedIfNeeded(at: store)
    guard !Store.exists(at: to) else { throw CommandFailure.exists(to) }
    try store.backup(to: to)
    Output.standard.show("Copied store \(try store.inspect().storeID) to \(to.visible).")
  }
}
#endif
