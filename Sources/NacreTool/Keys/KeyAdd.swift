#if Tool
import ArgumentParser
import NacreStore

/// `nacre key add`: adds a pending key.
struct KeyAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a fresh key, which seals nothing until it is promoted.",
    discussion: """
        nacre key add garage.db --key-file garage.key
      """
  )

  @Argument(help: .store)
  var store: String

  @Option(help: "What the key is for: field or index.")
  var purpose = PurposeChoice.field

  @Option(help: "The suite that the key seals with; by default that of the present primary key.")
  var suite: SuiteChoice?

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws {
    guard purpose != .file else {
      throw ValidationError("'nacre rotate --purpose file' gives a sealed file its next key.")
    }
  }

  func run() throws {
    let store = try unlockOptions.openStoreShowingHeader(at: store)
    let id = try store.addKey(purpose.purpose, suite: suite?.suite)
    Output.standard.show(
      "Added key \(id), which is pending: 'nacre key promote' makes it the key that seals."
    )
  }
}
#endif
