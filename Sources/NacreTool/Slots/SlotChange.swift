#if Tool
import ArgumentParser
import NacreStore

/// `nacre slot change`: gives a slot another secret.
struct SlotChange: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change",
    abstract: "Replace the secret of a slot by another one.",
    discussion: """
        nacre slot change garage.db 2 --passphrase --new-passphrase

      Any slot's secret unlocks the store, so that a forgotten one can be replaced with the help of another.

      \(SlotCommand.advice)
      """
  )

  @Argument(help: .store)
  var store: String

  @Argument(help: "The slot's number, as 'nacre slot list' shows it.")
  var slot: Int64

  @OptionGroup(title: "The new secret")
  var newSecret: NewSecretOptions

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store = try unlockOptions.openStore(at: store)
    let secret = try newSecret.secret()
    let keyFile = NewKeyFile(newSecret.newKeyFile)
    let output = Output.standard
    output.show(try StoreHeader(store).lines)
    try store.changeSlot(slot, to: secret)
    output.show("Changed slot \(slot).")
    output.show(keyFile.lines)
    output.show(SlotCommand.advice)
  }
}
#endif
