#if Tool
import ArgumentParser
import NacreOpen
import NacreStore
import NacreUpkeep

/// `nacre check`: checks the file; a sealed file shows only its framing without a secret.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the file without a secret: SQLite's own check, the catalog, the tables.",
    discussion: """
        nacre check garage.db
        nacre check sealed.db
        nacre check sealed.db --key-file sealed.key

      Sealed values, the key ring and the catalog's MAC are not verified, for that takes a secret: 'nacre verify' does it.

      Of a sealed file only the framing can be checked without a secret: the copies of the header, whole pages, under \
      which keys pages and frames of the log are, and whose log it is. With its secret every page is opened, and the \
      tables are checked as well.

      EXIT STATUS: 0 nothing is wrong; 50 something is; others as in 'nacre --help'.
      """
  )

  @Argument(help: .store)
  var store: String

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let framing = try Store.isOnServer(store) ? nil : Store.framingIfSealed(store)
    if let framing {
      Output.standard.show(FramingLines(report: framing).lines)
      guard unlockOptions.given > 0 else {
        return try end(
          framing.faults,
          pages: framing.badPages,
          count: framing.badPageCount,
          unchecked: "whether header, pages and log are authentic, and all that lies in the pages "
            + "('nacre check' with a secret, and 'nacre verify')"
        )
      }
    }
    let open = try unlockOptions.openStoreLockedIfNeeded(at: store, options: .onlyLook)
    try end(
      (framing?.faults ?? []) + open.check(),
      unchecked: "sealed values, the key ring, and whether the catalog, on which this check "
        + "relied, is authentic ('nacre verify')"
    )
  }

  /// Shows what was found.
  ///
  /// - Throws: `CommandFailure` if anything is wrong.
  private func end(
    _ faults: [StoreFault],
    pages: [BadPage] = [],
    count: Int = 0,
    unchecked: String
  ) throws {
    // Unfinished work is not a fault, because it can be continued.
    let wrong = faults.count { $0.kind != .unfinished } + count
    Output.standard.show(faults.map(\.description.visible))
    Output.standard.show(BadPage.lines(pages, count: count))
    Output.standard.show([
      wrong == 0
        ? "Nothing is wrong with the \(Store.isOnServer(store) ? "store" : "file")."
        : "\(wrong.counted("fault")).",
      "Not verified \(unlockOptions.given > 0 ? "here" : "without a secret"): \(unchecked).",
    ])
    if wrong > 0 {
      throw CommandFailure(
        .of(.unsound),
        "\(wrong.counted("fault")) found; take the store from a backup, or see 'nacre verify'"
      )
    }
  }
}

extension Store {
  /// Looks at a sealed file from outside; nil if the file is not sealed.
  fileprivate static func framingIfSealed(_ path: String) throws -> FramingReport? {
    do {
      return try framing(of: path)
    } catch let error as NacreError where error.code == .notSealed {
      return nil
    }
  }
}
#endif
