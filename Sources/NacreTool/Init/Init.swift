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
      The file must not exist; the schema of a database on a server must be empty. A key file is made, readable by its \
      owner alone, if there is none; a passphrase is asked twice. Entities come with the application's first save.

        nacre init garage.db --key-file garage.key
        nacre init garage.db --passphrase
        nacre init sealed.db --seal-file --key-file sealed.key
        nacre init 'postgresql://?service=garage' --key-file garage.key

      --seal-file seals every page of the file, and of what SQLite puts beside it: then not even the names of tables \
      can be read without a secret, and every command needs one. 'nacre convert' makes \
      a sealed file of a plain store later.

      Nothing opens the store without a secret of one of its slots: keep the key file apart from the store and its \
      backups, and keep a copy of it, or add another slot with 'nacre slot add'.
      """
  )

  @Argument(help: .newStore)
  var store: String

  @Option(help: "The suite that seals.")
  var suite = SuiteChoice.xaes

  @Flag(help: "Seal every page of the file, not only the values of sealed properties.")
  var sealFile = false

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws {
    try unlockOptions.requireOne()
    guard unlockOptions.slot == nil, unlockOptions.expect == nil else {
      throw ValidationError(
        "--slot and --expect can't be used here: a new store has no slot and no anchor yet."
      )
    }
  }

  func run() throws {
    try refuseExisting()
    let keyFile = NewKeyFile(unlockOptions.keyFile)
    let secret = try unlockOptions.unlock(for: .new)
    let description = try make(secret)
    let output = Output.standard
    let kind = sealFile ? ", a sealed file" : ""
    output.show("Made \(store.visible)\(kind), store \(description.storeID).")
    output.show(keyFile.lines)
  }

  /// Throws if no store can be made here; this comes first, so that nobody types a passphrase for nothing.
  private func refuseExisting() throws {
    if Store.isOnServer(store) { return try refuseExistingOnServer() }
    // SQLite takes such paths for databases in memory, and the file that is made below would stay.
    guard !store.isEmpty, !store.hasPrefix(":memory:") else {
      throw CommandFailure(
        .of(.cannotOpen),
        "a store has to be a file; the path “\(store.visible)” is none"
      )
    }
    guard !Store.exists(at: store) else {
      guard sealFile else { throw CommandFailure.exists(store) }
      throw CommandFailure.exists(
        store,
        "'nacre status' says whether it was made to its end, and what to do if not"
      )
    }
  }

  private func refuseExistingOnServer() throws {
    if sealFile {
      try Store.refuseServer(
        store,
        "the pages of a server can't be sealed by its client",
        advice: "Leave out --seal-file: sealed properties are sealed before they are sent."
      )
    }
    do {
      _ = try StoreInspection(path: store, options: .usual)
    } catch let error as NacreError where error.code == .notAStore {
      // An empty schema; if it holds something else, opening refuses it.
      return
    }
    throw CommandFailure.exists(store, "name another schema or database")
  }

  private func make(_ secret: Unlock?) throws -> StoreDescription {
    // A server makes a store as a whole or not at all. Of two who make one at once with different secrets, the second is
    // refused by the store of the first.
    if Store.isOnServer(store) { return try open(secret, .usual) }
    return try sealFile ? makeSealedFile(secret) : makeStore(secret)
  }

  private func makeStore(_ secret: Unlock?) throws -> StoreDescription {
    // Make the empty file first, so that the command never takes another process's store for its own.
    try NewFile(store).close()
    do {
      return try open(secret, .existingOnly)
    } catch {
      // The file is empty, or half a store that nobody has a secret for.
      try? Store.delete(at: store)
      throw error
    }
  }

  /// Makes a sealed file, which gets its name with a whole header, and never in place of another file.
  ///
  /// Nothing is deleted if it fails: the file may be another process's, and if not, it opens with the secret.
  private func makeSealedFile(_ secret: Unlock?) throws -> StoreDescription {
    // Find out first that a file can be made here, and make no folder.
    try NewFile(store).discard()
    var options = StoreOptions.usual
    options.seals = .file
    return try open(secret, options)
  }

  private func open(_ secret: Unlock?, _ options: StoreOptions) throws -> StoreDescription {
    var options = options
    options.suite = suite.suite
    let made = try Store.open(store, unlock: secret, options: options)
    let description = try made.inspect()
    try made.close()
    return description
  }
}
#endif
