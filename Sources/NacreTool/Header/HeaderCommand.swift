#if Tool
import ArgumentParser

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
}
#endif
