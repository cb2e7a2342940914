#if Tool
import ArgumentParser
import NacreOpen
import NacreStore

/// `nacre header`: the header of a sealed file, without which nothing of it opens.
struct HeaderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "header",
    abstract: "Save the header of a sealed file elsewhere, or put it back.",
    discussion: """
      The header of a sealed file, its first 65,536 bytes, holds the slots and the file keys: if both of its copies are \
      lost, everything is. A header that was exported brings it back.

        nacre header export sealed.db sealed.header --key-file sealed.key
        nacre header import sealed.db sealed.header --key-file sealed.key

      Export it again whenever slots, the store key or the file key have changed. Keep it as you keep the store's file: a \
      secret that was removed since opens it still.
      """,
    subcommands: [HeaderExport.self, HeaderImport.self]
  )

  /// Throws for the URL of a server, before a secret is asked for.
  static func refuseServer(_ store: String, _ file: String) throws {
    try Store.refuseServer(
      store,
      "only a sealed file has a header",
      advice: "A store on a server needs none: its slots lie in its tables."
    )
    try Store.refuseServer(file, "a header is saved in a file")
  }
}
#endif
