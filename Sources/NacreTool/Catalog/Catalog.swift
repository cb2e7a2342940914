#if Tool
import ArgumentParser
import NacreStore

/// `nacre catalog`: checks the catalog against its MAC, and restores what was written, or accepts what is there.
struct Catalog: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Show how the catalog differs from what was last written under its MAC, and undo or accept "
      + "the differences.",
    discussion: """
        nacre catalog garage.db --key-file garage.key
        nacre catalog garage.db --key-file garage.key --restore
        nacre catalog garage.db --key-file garage.key --accept

      The catalog says which properties are sealed, where they lie and how. An older version of Nacre changes it without \
      its MAC, and so does whoever can write to the file: until the differences are undone or accepted, nothing is sealed \
      by it, and no key is changed. --restore writes what the MAC covers, of which the file has a copy; it changes no \
      table, value or key, and 'nacre verify' says whether they fit. Without a copy whose MAC holds, a backup is the way \
      back. Accept only what you, or an older version of your application, have changed. On a terminal both ask first; \
      elsewhere --yes is needed.

      EXIT STATUS: 0 it is as it was written, or was restored or accepted; 54 it is not; others as in 'nacre --help'.
      """
  )

  @Argument(help: .store)
  var store: String

  @Flag(help: "Accept the catalog as it is, and give it a new MAC.")
  var accept = false

  @Flag(help: "Put back what was last written under the MAC.")
  var restore = false

  @Flag(help: "Don't ask before it is restored or accepted.")
  var yes = false

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  private var confirmation: Confirmation {
    Confirmation(subject: "the catalog is \(restore ? "restored" : "accepted")", isGiven: yes)
  }

  func validate() throws {
    guard !accept || !restore else {
      throw ValidationError("--accept and --restore exclude each other.")
    }
    guard accept || restore || !yes else {
      throw ValidationError("--yes belongs to --accept or --restore.")
    }
  }

  func run() throws {
    if accept || restore { try confirmation.check() }
    let output = Output.standard
    // Print no header, because it would count by the catalog that is in doubt.
    let store = try unlockOptions.openStore(at: store)
    let review = try store.reviewCatalog()
    output.show([review.state.words] + review.differences.map { "  " + $0.description.visible })
    if review.state == .authentic { return }
    guard accept || restore else {
      throw failure(
        "the catalog is not as it was written; --restore undoes the changes, --accept accepts them"
      )
    }
    if restore { return try putBack(review, in: store, output) }
    try confirmation.askForYes(to: "accept")
    try store.acceptCatalog(review)
    output.show("Accepted: the catalog has its MAC again.")
  }

  private func putBack(_ review: CatalogReview, in store: Store, _ output: Output) throws {
    guard review.state == .changed else {
      throw failure(
        "nothing in the file tells what the catalog was before; take the store from a backup"
      )
    }
    try confirmation.askForYes(to: "restore")
    try store.restoreCatalog(review)
    output.show("Restored: the catalog is as it was written.")
  }

  private func failure(_ message: String) -> CommandFailure {
    CommandFailure(.of(.catalogTampered), message)
  }
}

extension CatalogReview.State {
  fileprivate var words: String {
    switch self {
    case .authentic: "The catalog is as it was written."
    case .unmarked: "The catalog has no MAC yet; all of its content:"
    case .changed: "Changed since the catalog was written:"
    case .unverifiable:
      "The catalog's MAC is gone or was made with another store key, so nobody can tell what was "
        + "changed; all of its content:"
    }
  }
}
#endif
