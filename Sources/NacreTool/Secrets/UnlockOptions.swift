#if Tool
import ArgumentParser
import NacreStore

/// The secret that unlocks the store.
struct UnlockOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Unlock with this key file.", valueName: "file"))
  var keyFile: String?

  @Flag(help: "Ask for a passphrase on the terminal.")
  var passphrase = false

  @Option(
    help: ArgumentHelp(
      "Read a passphrase from this file descriptor, up to a line end.",
      valueName: "n"
    )
  )
  var passphraseFd: Int32?

  @Option(help: ArgumentHelp("Unlock with 64 hex digits in this variable.", valueName: "name"))
  var keyEnv: String?

  @Option(
    help: ArgumentHelp("Unlock with 64 hex digits that this command prints.", valueName: "command")
  )
  var keyCommand: String?

  @Option(
    help: ArgumentHelp(
      "Try the secret only on this slot, for example when somebody has added many others.",
      valueName: "n"
    )
  )
  var slot: Int64?

  @Option(
    help: ArgumentHelp(
      "Refuse a file that is older than this anchor, which 'nacre anchor' printed.",
      valueName: "anchor"
    )
  )
  var expect: Anchor?

  func validate() throws {
    guard sources.count <= 1 else { throw ValidationError("Only one way to unlock can be given.") }
    guard !sources.isEmpty || (slot == nil && expect == nil) else {
      throw ValidationError("\(slot == nil ? "--expect" : "--slot") needs a way to unlock.")
    }
  }

  /// How many ways to unlock the command line names.
  var given: Int { sources.count }

  /// Throws unless a way to unlock is given.
  func requireOne() throws {
    guard given > 0 else {
      throw ValidationError(
        "A way to unlock is needed: --key-file, --passphrase, --passphrase-fd, --key-env or "
          + "--key-command."
      )
    }
  }

  private var sources: [SecretSource] {
    var sources: [SecretSource] = []
    if let keyFile { sources.append(.keyFile(keyFile)) }
    if passphrase { sources.append(.passphrase) }
    if let passphraseFd { sources.append(.passphraseDescriptor(passphraseFd)) }
    if let keyEnv { sources.append(.environment(keyEnv)) }
    if let keyCommand { sources.append(.command(keyCommand)) }
    return sources
  }

  /// How to unlock; nil if the command line does not say.
  func unlock(for purpose: SecretSource.Purpose = .unlocking) throws -> Unlock? {
    let unlock = try sources.first?.unlock(for: purpose)
    guard let slot else { return unlock }
    return unlock?.slot(slot)
  }
}
#endif
