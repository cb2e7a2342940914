import ArgumentParser
import NacreCore

/// `nacre slot add`: lets one more secret unlock a store.
struct SlotAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Let one more secret unlock the store.",
    discussion: """
        nacre slot add garage.db --key-file garage.key --new-key-file laptop.key
        nacre slot add garage.db --key-file garage.key --new-passphrase
      """
  )

  @Argument(help: "The store's file.")
  var store: String

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
    let id = try store.addSlot(secret)
    output.show("Added slot \(id).")
    output.show(keyFile.lines)
  }
}
