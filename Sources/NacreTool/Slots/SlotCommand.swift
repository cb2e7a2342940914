#if Tool
import ArgumentParser
import NacreStore

/// `nacre slot`: the secrets that unlock the store.
struct SlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slot",
    abstract: "List, add, remove or change the secrets that unlock a store.",
    discussion: """
      A slot holds the store key under one secret. Changing slots takes milliseconds and touches no value.

        nacre slot list garage.db
        nacre slot add garage.db --key-file garage.key --new-passphrase

      Whoever had a secret that is removed or changed is shut out for good only after 'nacre rewrap' and 'nacre \
      rotate', in this order. 'nacre --help' says which case calls for what.
      """,
    subcommands: [SlotList.self, SlotAdd.self, SlotRemove.self, SlotChange.self]
  )

  /// Advice about what removing or changing a slot does not do.
  static let advice = """
    Whoever had the former secret is shut out for good only after 'nacre rewrap': they may have kept the store key, \
    or a copy of the file that the secret still opens. Then 'nacre rotate' gives data keys that they never had, and \
    'nacre rotate --purpose file' gives a sealed file another key of its pages. \
    Copies and backups from before stay readable with the former secret.
    """
}
#endif
