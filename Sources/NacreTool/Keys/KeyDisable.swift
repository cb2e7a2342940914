#if Tool
import ArgumentParser
import NacreStore

/// `nacre key disable`: disables an enabled key, so that it opens no values.
struct KeyDisable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Keep an enabled key from opening what it has sealed.",
    discussion: """
        nacre key disable garage.db 1f3a9c20 --key-file garage.key

      It is refused while one value names the key, in whatever column of whatever table; --ignore names one where \
      values may be refused by name until the key is enabled again. What it has indexed is not found.
      """
  )

  @Argument(help: .store)
  var store: String

  @Argument(help: "The key's id, as 'nacre key list' shows it.")
  var key: KeyID

  @OptionGroup(title: "Columns to ignore")
  var ignoreOptions: IgnoreOptions

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store = try unlockOptions.openStoreShowingHeader(at: store)
    let ignored = try ignoreOptions.columnsShown(in: store)
    try store.disableKey(key, ignoring: ignored)
    Output.standard.show(
      "Disabled key \(key): the values that it has sealed can't be opened until 'nacre key enable'."
    )
  }
}
#endif
