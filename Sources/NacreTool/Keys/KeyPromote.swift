import ArgumentParser
import NacreCore

/// `nacre key promote`: makes a pending or enabled key the one that seals.
struct KeyPromote: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote",
    abstract: "Let a pending or enabled key seal from now on.",
    discussion: """
        nacre key promote garage.db 1f3a9c20 --key-file garage.key

      What the former primary key has sealed stays under it, and it stays enabled: 'nacre rotate' moves the values, too.
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
    try store.promoteKey(key)
    output.show("Promoted key \(key): it seals from now on. No value was touched.")
  }
}
