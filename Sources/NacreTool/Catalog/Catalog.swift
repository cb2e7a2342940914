import ArgumentParser
import NacreCore

/// `nacre catalog`: holds the catalog against its MAC, and accepts what an older version has changed.
struct Catalog: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Show in what the catalog is not as it was written last under its MAC, and accept that.",
    discussion: """
        nacre catalog garage.db --key-file garage.key
        nacre catalog garage.db --key-file garage.key --accept

      The catalog says which properties are sealed, where they lie and how. An older version of Nacre changes it without \
      its MAC, and so does whoever can write to the file: until the differences are accepted, nothing is sealed by it, \
      and no key is changed. Accept only what you, or an older version of your application, have changed. On a terminal \
      --accept asks first; elsewhere --yes is needed.

      EXIT STATUS: 0 it is as it was written, or was accepted; 54 it is not; others as in 'nacre --help'.
      """
  )

  @Argument(help: "The store's file.")
  var store: String

  @Flag(help: "Accept the catalog as it is, and give it its MAC.")
  var accept = false

  @Flag(help: "Don't ask before it is accepted.")
  var yes = false

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  private var confirmation: Confirmation {
    Confirmation(subject: "the catalog is accepted", isGiven: yes)
  }

  func validate() throws {
    guard accept || !yes else { throw ValidationError("--yes belongs to --accept.") }
  }

  func run() throws {
    if accept { try confirmation.check() }
    let output = Output.standard
    let store = try unlockOptions.openStore(at: store, showingHeader: output)
    let review = try store.reviewCatalog()
    output.show([review.state.words] + review.differences.map { "  " + $0.description.visible })
    if review.state == .authentic { return }
    guard accept else {
      throw CommandFailure(
        status: .of(.catalogTampered),
        message: "the catalog is not as it was written; --accept takes it as it is"
      )
    }
    try confirmation.ask("Type yes to accept: ", otherwise: "that is not yes") { $0 == "yes" }
    try store.acceptCatalog(review)
    output.show("Accepted: the catalog has its MAC again.")
  }
}

extension CatalogReview.State {
  fileprivate var words: String {
    switch self {
    case .authentic: "The catalog is as it was written."
    case .unmarked: "The catalog has no MAC yet; all that it says:"
    case .changed: "Changed since the catalog was written:"
    case .unverifiable:
      "The catalog's MAC is gone or of another store key, so that nobody can tell what was changed; all that it says:"
    }
  }
}
