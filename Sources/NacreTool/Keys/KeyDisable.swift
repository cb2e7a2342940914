import ArgumentParser
import NacreCore

/// `nacre key disable`: keeps an enabled key from opening.
struct KeyDisable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Keep an enabled key from opening what it has sealed.",
    discussion: """
        nacre key disable garage.db 1f3a9c20 --key-file garage.key

      A way to be sure that nothing needs a key before it is destroyed: its values are refused by name until it is \
      enabled again, and what it has indexed is not found.
      """
  )

  @Argument(help: "The store's file.")
  var store: String

  @Argument(help: "The key's id, as 'nacre key list' shows it.")
  var key: KeyID

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let output = Output.standard
    let store = try unlockOptions.openStore(at: store, showingHeader: output)
    try store.disableKey(key)
    output.show("Disabled key \(key): what it has sealed is refused until 'nacre key enable'.")
  }
}
