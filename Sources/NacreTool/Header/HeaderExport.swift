#if Tool
import ArgumentParser
import NacreOpen
import NacreStore

/// `nacre header export`: saves a header in a new file.
struct HeaderExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Save the header of a sealed file in a new file, readable by its owner alone.",
    discussion: """
      Others go on reading and writing. With a secret the header is verified first.

      EXIT STATUS: 0 saved; 60 the file exists already; 75 the store is no sealed file; others as in 'nacre --help'.
      """
  )

  @Argument(help: "The store's file.")
  var store: String

  @Argument(help: "The file to make.")
  var file: String

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws { try unlockOptions.refuseAnchor() }

  func run() throws {
    try HeaderCommand.refuseServer(store, file)
    guard !Store.exists(at: file) else { throw CommandFailure.exists(file) }
    let report = try Store.exportHeader(of: store, to: file, unlock: unlockOptions.unlock())
    Output.standard.show([
      "Saved the header of store \(report.storeID), number \(report.sequence), in \(file.visible).",
      report.isAuthenticated
        ? "It was verified with the secret." : "It was not verified, for no secret was given.",
    ])
  }
}

extension UnlockOptions {
  /// Throws if an anchor was given, for a header has none.
  func refuseAnchor() throws {
    guard expect == nil else {
      throw ValidationError("--expect can't be used here: a header has no anchor.")
    }
  }
}
#endif
