#if Tool
import ArgumentParser
import NacreStore

/// The secrets that keep unlocking a store that is rewrapped or loses a slot, besides the one that unlocks it now.
struct KeptSecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep the slot of this key file. This and the other --keep options can be repeated.",
      valueName: "file"
    )
  )
  var keepKeyFile: [String] = []

  @Flag(help: "Ask for the passphrase of a slot to keep.")
  var keepPassphrase: Int

  @Option(
    help: ArgumentHelp(
      "Read the passphrase of a slot to keep from this file descriptor, up to a line end.",
      valueName: "n"
    )
  )
  var keepPassphraseFd: [Int32] = []

  @Option(
    help: ArgumentHelp("Keep the slot of the 64 hex digits in this variable.", valueName: "name")
  )
  var keepKeyEnv: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keep the slot of the 64 hex digits that this command prints.",
      valueName: "command"
    )
  )
  var keepKeyCommand: [String] = []

  /// Gets the secrets; asks for passphrases only now.
  func secrets() throws -> [Unlock] {
    var sources = keepKeyFile.map(SecretSource.keyFile)
    sources += Array(repeating: .passphrase, count: keepPassphrase)
    sources += keepPassphraseFd.map(SecretSource.passphraseDescriptor)
    sources += keepKeyEnv.map(SecretSource.environment)
    sources += keepKeyCommand.map(SecretSource.command)
    return try sources.map { try $0.unlock(for: .keeping) }
  }
}
#endif
