#if Tool
import ArgumentParser
import NacreOpen
import NacreStore

/// `nacre rewrap`: gives the store a new store key.
struct Rewrap: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Give the store a new store key that only the secrets to keep unlock.",
    discussion: """
      It shuts out for good whoever had the secret of a slot that was removed or changed. The secret that unlocks the \
      store is kept, and those named by --keep-…; the slots of others are lost, and named before that happens: then \
      --drop-slots is needed. It takes milliseconds and touches no value.

        nacre rewrap garage.db --key-file garage.key --keep-passphrase
        nacre rewrap garage.db --key-file garage.key --drop-slots

      The data keys stay the same; 'nacre rotate' changes those. Copies and backups from before stay readable with \
      the former secrets.
      """
  )

  @Argument(help: .store)
  var store: String

  @Flag(help: "Remove the slots whose secrets are not given.")
  var dropSlots = false

  @OptionGroup(title: "Other secrets to keep")
  var keptSecrets: KeptSecretOptions

  @OptionGroup(title: "Ways to unlock, kept too")
  var unlockOptions: UnlockOptions

  func run() throws {
    let isOnServer = Store.isOnServer(store)
    let (store, secret) = try unlockOptions.openStoreAndSecret(at: store)
    let secrets = [secret] + (try keptSecrets.secrets())
    let output = Output.standard
    output.show(try StoreHeader(store).lines)
    do {
      let report = try store.rewrap(keeping: secrets, dropsOthers: dropSlots)
      output.show(lines(report, isOnServer: isOnServer))
    } catch let error as NacreError where error.code == .slotsWouldBeLost {
      throw CommandFailure(
        .of(error.code),
        "these slots would be lost: \(error.detail ?? "unknown"); give their secrets with "
          + "--keep-key-file, --keep-passphrase, …, or add --drop-slots; nothing was changed"
      )
    }
  }

  private func lines(_ report: RewrapReport, isOnServer: Bool) -> [String] {
    let kept = report.kept.map { "\($0)" }.joined(separator: ", ")
    let dropped = report.dropped.map { "\($0.id) (\($0.kind.visible))" }.joined(separator: ", ")
    var lines = [
      "Rewrapped: the store has a new store key, and the ring is generation \(report.generation)."
    ]
    lines.append("Slots kept: \(kept)." + (dropped.isEmpty ? "" : " Slots dropped: \(dropped)."))
    if !report.isLogEmptied {
      lines.append(
        "Somebody is reading the store: its write-ahead log holds the former slots until that "
          + "reader closes it."
      )
    }
    if isOnServer {
      lines.append(
        "The server's log, dead rows, replicas and backups may hold the former slots, as any copy "
          + "from before does."
      )
    }
    lines.append(
      "The data keys are the same: if somebody may have had them, 'nacre rotate' replaces them."
    )
    return lines
  }
}
#endif
