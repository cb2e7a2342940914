#if Tool
import ArgumentParser
import NacreStore

/// `nacre key`: changes the data keys one at a time.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "List, add, promote, enable, disable or destroy data keys.",
    discussion: """
      Data keys seal the values (purpose 'field') and compute the blind indexes (purpose 'index'). 'nacre rotate' does \
      all that is needed to change them, values and all; these are its single steps.

        pending    opens, and seals nothing yet
        primary    seals
        enabled    opens what it has sealed
        disabled   is refused by name
        destroyed  is gone for good

        nacre key list garage.db
        nacre key disable garage.db 1f3a9c20 --key-file garage.key
      """,
    subcommands: [
      KeyList.self, KeyAdd.self, KeyPromote.self, KeyEnable.self, KeyDisable.self, KeyDestroy.self,
    ]
  )
}
#endif
