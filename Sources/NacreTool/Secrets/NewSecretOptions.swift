#if Tool
import ArgumentParser
import NacreStore

/// The secret for a new or changed slot: exactly one.
struct NewSecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use this key file; if there is none, it is made, readable only by its owner.",
      valueName: "file"
    )
  )
  var newKeyFile: String?

  @Flag(help: "Ask for the new passphrase on the terminal, twice.")
  var newPassphrase = false

  @Option(
    help: ArgumentHelp(
      "Read the new passphrase from this file descriptor, up to a line end.",
      valueName: "n"
    )
  )
  var newPassphraseFd: Int32?

  @Option(help: ArgumentHelp("Use 64 hex digits in this variable.", valueName: "name"))
  var newKeyEnv: String?

  @Option(help: ArgumentHelp("Use 64 hex digits that this command prints.", valueName: "command"))
  var newKeyCommand: String?

  func validate() throws {
    guard sources.count == 1 else { throw NewSecretOptions.countIsWrong }
  }

  private static let countIsWrong = ValidationError(
    "Exactly one new secret is needed: --new-key-file, --new-passphrase, --new-passphrase-fd, "
      + "--new-key-env or --new-key-command."
  )

  private var sources: [SecretSource] {
    var sources: [SecretSource] = []
    if let newKeyFile { sources.append(.keyFile(newKeyFile)) }
    if newPassphrase { sources.append(.passphrase) }
    if let newPassphraseFd { sources.append(.passphraseDescriptor(newPassphraseFd)) }
    if let newKeyEnv { sources.append(.environment(newKeyEnv)) }
    if let newKeyCommand { sources.append(.command(newKeyCommand)) }
    return sources
  }

  /// Gets the secret; asks for a passphrase only now.
  func secret() throws -> Unlock {
    guard let source = sources.first else { throw NewSecretOptions.countIsWrong }
    return try source.unlock(for: .new)
  }
}
#endif
