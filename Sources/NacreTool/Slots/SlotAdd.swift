#if Tool
import ArgumentParser
import Foundation
import NacreOpen
import NacreStore
import NacreUpkeep

/// `nacre slot add`: lets one more secret unlock a store.
struct SlotAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Let one more secret unlock the store.",
    discussion: """
        nacre slot add garage.db --key-file garage.key --new-key-file laptop.key
        nacre slot add garage.db --key-file garage.key --new-passphrase

      A secret that opens a slot already is refused.
      """
  )

  @Argument(help: .store)
  var store: String

  @OptionGroup(title: "The new secret")
  var newSecret: NewSecretOptions

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let path = store
    let (store, unlock) = try unlockOptions.openStoreAndSecret(at: path)
    let secret = try newSecret.secret()
    let keyFile = NewKeyFile(newSecret.newKeyFile)
    try refuseKnown(secret, path, unlock)
    let output = Output.standard
    output.show(try StoreHeader(store).lines)
    let id = try store.addSlot(secret)
    output.show("Added slot \(id).")
    output.show(keyFile.lines)
  }

  /// Throws if the new secret opens a slot already: with two slots, it would still unlock after the removal of either.
  private func refuseKnown(_ secret: Unlock, _ path: String, _ unlock: Unlock) throws {
    if let file = newSecret.newKeyFile, !FileManager.default.fileExists(atPath: file) { return }
    let inspection = try StoreInspection(path: path, unlock: unlock, options: .usual)
    guard let slot = try slots(of: inspection, openedBy: secret).first else { return }
    throw CommandFailure(
      .badSecret,
      "the new secret opens slot \(slot) already; nothing was changed"
    )
  }

  private func slots(of inspection: StoreInspection, openedBy secret: Unlock) throws -> [Int64] {
    do {
      return try inspection.slots(openedBy: secret)
    } catch let error as NacreError where error.code == .slotsNotTried {
      throw CommandFailure(
        .of(error.code),
        "the store has too many slots to tell whether the new passphrase already opens one: "
          + "somebody may have added them; 'nacre rewrap --drop-slots' removes the slots whose "
          + "secrets are not given; nothing was changed"
      )
    }
  }
}
#endif
