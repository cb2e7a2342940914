#if Tool
import ArgumentParser
import NacreStore

/// `nacre key enable`: enables a disabled key, so that it opens values again.
struct KeyEnable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Let a disabled key open again.",
    discussion: """
        nacre key enable garage.db 1f3a9c20 --key-file garage.key
      """
  )

  @Argument(help: .store)
  var store: String

  @Argument(help: "The key's id, as 'nacre key list' shows it.")
  var key: KeyID

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store = try unlockOptions.openStoreShowingHeader(at: store)
    try store.enableKey(key)
    Output.standard.show("Enabled key \(key): it opens the values that it has sealed.")
  }
}
#endif
