#if Tool
import ArgumentParser
import NacreStore
import NacreUpkeep

/// `nacre check`: checks the file; only a sealed file takes a secret for it.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the file without a secret: SQLite's own check, the catalog, the tables.",
    discussion: """
        nacre check garage.db
        nacre check sealed.db --key-file sealed.key

      Sealed values, the key ring and the catalog's MAC are not verified, for that takes a secret: 'nacre verify' does it. \
      A sealed file is checked with its secret, because nothing of it can be read without.

      EXIT STATUS: 0 nothing is wrong; 50 something is; others as in 'nacre --help'.
      """
  )

  @Argument(help: "The store's file.")
  var store: String

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store = try unlockOptions.openStoreLockedIfNeeded(at: store, options: .onlyLook)
    let faults = try store.check()
    // Unfinished work is not a fault, because it can be continued.
    let wrong = faults.count { $0.kind != .unfinished }
    Output.standard.show(faults.map(\.description.visible))
    Output.standard.show([
      (wrong == 0 ? "Nothing is wrong with the file." : "\(wrong.counted("fault"))."),
      "Not verified \(unlockOptions.given > 0 ? "here" : "without a secret"): sealed values, the "
        + "key ring, and whether the catalog, on which this check relied, is authentic ('nacre "
        + "verify').",
    ])
    if wrong > 0 {
      throw CommandFailure(
        .of(.unsound),
        "\(wrong.counted("fault")) found; take the store from a backup, or see 'nacre verify'"
      )
    }
  }
}
#endif
