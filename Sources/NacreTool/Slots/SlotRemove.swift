#if Tool
import ArgumentParser
import NacreStore

/// `nacre slot remove`: removes a slot.
struct SlotRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a slot: its secret no longer unlocks the store.",
    discussion: """
        nacre slot remove garage.db 2 --key-file garage.key
        nacre slot remove garage.db 1 --key-file garage.key --keep-passphrase

      Whoever may write to the file can add rows that look like slots. So one that stays has to be known to open: by the \
      secret that unlocks the store now, or by one of --keep-….

      \(SlotCommand.advice)
      """
  )

  @Argument(help: .store)
  var store: String

  @Argument(help: "The slot's number, as 'nacre slot list' shows it.")
  var slot: Int64

  @OptionGroup(title: "Secrets of slots that stay")
  var keptSecrets: KeptSecretOptions

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store = try unlockOptions.openStoreShowingHeader(at: store)
    try store.removeSlot(slot, keeping: keptSecrets.secrets())
    Output.standard.show(["Removed slot \(slot).", SlotCommand.advice])
  }
}
#endif
