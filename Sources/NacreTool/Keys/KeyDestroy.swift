#if Tool
import ArgumentParser
import NacreStore

/// `nacre key destroy`: destroys a key that no value names any more.
struct KeyDestroy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "destroy",
    abstract: "Destroy a key that nothing needs any more; this can't be undone.",
    discussion: """
        nacre key destroy garage.db 1f3a9c20 --key-file garage.key

      It is refused while one value names the key, in whatever column of whatever table; --ignore names one that \
      somebody has filled, whose values open never again. On a terminal the key's id has to be typed again; elsewhere --yes \
      is needed. Copies of the file from before still hold the key.
      """
  )

  @Argument(help: .store)
  var store: String

  @Argument(help: "The key's id, as 'nacre key list' shows it.")
  var key: KeyID

  @Flag(help: "Don't ask.")
  var yes = false

  @OptionGroup(title: "Columns to ignore")
  var ignoreOptions: IgnoreOptions

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store = try unlockOptions.openStoreShowingHeader(at: store)
    let confirmation = Confirmation(subject: "the key is to be destroyed", isGiven: yes)
    try confirmation.ask(
      "Type the key's id to destroy it for good: ",
      otherwise: "the answer was another id"
    ) { KeyID($0) == key }
    let ignored = try ignoreOptions.columnsShown(in: store)
    try store.destroyKey(key, ignoring: ignored)
    Output.standard.show("Destroyed key \(key).")
  }
}
#endif
