#if Tool
import ArgumentParser
import NacreOpen
import NacreStore

/// `nacre header import`: puts a saved header back.
struct HeaderImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Put a saved header back into its store, whose own was damaged.",
    discussion: """
      Nobody may have the store open. The header has to fit: it is refused where the file's own header, if it is whole, is \
      that of another store or newer, and where no page is under a key of it. With a secret, pages have to open as well, \
      and the header may not be older than they say.

      --replace-newer also replaces a header that is whole and newer; that takes the secret.

      EXIT STATUS: 0 the store has the header; 70 it is that of another store; 76 the saved header is damaged; 81 it is \
      older than the store; 82 somebody has the store open; others as in 'nacre --help'.
      """
  )

  @Argument(help: "The store's file.")
  var store: String

  @Argument(help: "The file with the header.")
  var file: String

  @Flag(help: "Replace a newer header that is whole.")
  var replaceNewer = false

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws {
    try unlockOptions.refuseAnchor()
    guard !replaceNewer || unlockOptions.given > 0 else {
      throw ValidationError("--replace-newer needs a way to unlock.")
    }
  }

  func run() throws {
    try HeaderCommand.refuseServer(store, file)
    let report = try Store.importHeader(
      from: file,
      into: store,
      unlock: unlockOptions.unlock(),
      replacesNewer: replaceNewer
    )
    let header = "the header of store \(report.storeID), number \(report.sequence)"
    guard report.isWritten else {
      return Output.standard.show("\(store.visible) has \(header), already; nothing was changed.")
    }
    Output.standard.show("Put \(header), into \(store.visible), and read it back.")
    if !report.isAuthenticated {
      Output.standard.show("It was not verified, for no secret was given.")
    }
    if report.strangePageCount > 0 {
      let pages = report.strangePageCount.counted("page does not fit", "pages do not fit")
      Output.standard.show("\(pages) it; 'nacre check' names them.")
    }
  }
}
#endif
