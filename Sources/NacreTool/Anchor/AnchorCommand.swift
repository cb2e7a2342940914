#if Tool
import ArgumentParser
import NacreStore

/// `nacre anchor`: takes an anchor, which reveals an older copy of the store.
struct AnchorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anchor",
    abstract: "Take an anchor to keep elsewhere; with it an older copy of the store is recognised.",
    discussion: """
        nacre anchor garage.db --key-file garage.key
        nacre verify garage.db --key-file garage.key --expect ANCHOR

      It prints one line, which is no secret. Keep it where who can write to the file can't: every command that unlocks \
      the store takes it as --expect, and an application as 'expecting:', and then a copy of the file from before is \
      refused. Each one is greater than those before it. It does not tell of single rows that were put back.
      """
  )

  @Argument(help: .store)
  var store: String

  @Option(
    help: ArgumentHelp(
      "Make the anchor greater than this one, which you kept: after a restore, or if the file's "
        + "own anchor was changed.",
      valueName: "anchor"
    )
  )
  var after: Anchor?

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store = try unlockOptions.openStore(at: store)
    Output.standard.show("\(try store.anchor(after: after))")
  }
}
#endif
