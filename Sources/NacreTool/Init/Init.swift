#if Tool
import ArgumentParser
import NacreOpen
import NacreStore
import NacreUpkeep

/// `nacre init`: makes a store; no other command does.
struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a store.",
    discussion: """
      The file must not exist. A key file is made, readable by its owner alone, if there is none; a passphrase is \
      asked twice. Entities come with the application's first save.

        nacre init garage.db --key-file garage.key
        nacre init garage.db --passphrase

      Nothing opens the store without a secret of one of its slots: keep the key file apart from the store and its \
      backups, and keep a copy of it, or add another slot with 'nacre slot add'.
      """
  )

  @Argument(help: "The file to make.")
  var store: String

  @Option(help: "The suite that seals.")
  var suite = SuiteChoice.xaes

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws {
    guard unlockOptions.given == 1 else {
      throw ValidationError(
        "A way to unlock is needed: --key-file, --passphrase, --passphrase-fd, --key-env or "
          + "--key-command."
      )
    }
    guard unlockOptions.slot == nil, unlockOptions.expect == nil else {
      throw ValidationError(
        "--slot and --expect can't be used here: a new store has no slot and no anchor yet."
      )
    }
  }

  func run() throws {
    // SQLite takes such paths for databases in memory, and the file that is made below would stay.
    guard !store.isEmpty, !store.hasPrefix(":memory:") else {
      throw CommandFailure(
        .of(.cannotOpen),
        "a store has to be a file; the path “\(store.visible)” is none"
      )
    }
    // Check this first, so that nobody types a passphrase for nothing.
    guard !Store.exists(at: store) else { throw CommandFailure.exists(store) }
    let keyFile = NewKeyFile(unlockOptions.keyFile)
    let secret = try unlockOptions.unlock(for: .new)
    // Make the empty file first, so that the command never takes another process's store for its own.
    try NewFile(store).close()
    let description: StoreDescription
    do {
      var options = StoreOptions.existingOnly
      options.suite = suite.suite
      let made = try Store.open(store, unlock: secret, options: options)
      description = try made.inspect()
      try made.close()
    } catch {
      // The file is empty, or half a store that nobody has a secret for.
      try? Store.delete(at: store)
      throw error
    }
    let output = Output.standard
    output.show("Made \(store.visible), store \(description.storeID).")
    output.show(keyFile.lines)
  }
}
#endif
