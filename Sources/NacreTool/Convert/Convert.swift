#if Tool
import ArgumentParser
import NacreOpen
import NacreStore

/// `nacre convert`: makes a plain store a sealed file, or a sealed file a plain store.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a plain store a sealed file, or a sealed file a plain store.",
    discussion: """
        nacre convert garage.db --seal-file --key-file garage.key
        nacre convert garage.db --unseal-file --key-file garage.key

      Nobody may have the store open. The other file is made beside it, as FILE-nconvert, verified, and put in its place \
      in one step. Ids, secrets and sealed properties stay; a sealed file gets a fresh file key. If the command is killed, \
      the store is there as it was or as it is to be, and the next call deletes what is left.

      The former file is deleted, but a disk may hold its blocks, and backups stay as they are. A store that had an anchor \
      gets a new one.

      EXIT STATUS: 0 the store has the format; 41 a rotation, migration or rewrap is to be finished first; 50 the \
      verification found something, and nothing was changed; 82 somebody has the store open; others as in 'nacre --help'.
      """
  )

  @Argument(help: "The store's file.")
  var store: String

  @Flag(help: "Seal every page of the file.")
  var sealFile = false

  @Flag(help: "Leave only sealed properties sealed.")
  var unsealFile = false

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws {
    guard sealFile != unsealFile else {
      throw ValidationError("One of --seal-file and --unseal-file is needed.")
    }
    try unlockOptions.requireOne()
  }

  func run() throws {
    try Store.refuseServer(
      store,
      "the pages of a server can't be sealed by its client",
      advice: "'nacre migrate' seals single properties there."
    )
    guard let secret = try unlockOptions.unlock() else { return }
    let report = try Store.convertFile(
      at: store,
      to: sealFile ? .file : .properties,
      unlock: secret,
      expecting: unlockOptions.expect
    )
    let kind = sealFile ? "a sealed file" : "a plain store"
    guard report.wasConverted else {
      return Output.standard.show("\(store.visible) is \(kind) already; nothing was changed.")
    }
    Output.standard.show("\(store.visible) is \(kind) now, store \(report.storeID), verified.")
    if sealFile {
      Output.standard.show("The plain file was deleted; a disk may still hold its blocks.")
    }
    if let anchor = report.anchor {
      Output.standard.show("Its new anchor, which refuses every copy from before: \(anchor)")
    }
  }
}
#endif
