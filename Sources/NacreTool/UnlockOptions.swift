import ArgumentParser
import NacreCore

/// Where the secret comes from; never from the command line itself, which every process can read.
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

  func validate() throws {
    guard given <= 1 else { throw ValidationError("Only one way to unlock can be given.") }
  }

  /// How many ways to unlock the command line names.
  var given: Int {
    [keyFile != nil, passphrase, passphraseFd != nil, keyEnv != nil, keyCommand != nil]
      .count { $0 }
  }

  /// How to unlock, or nil where the command line does not say.
  func unlock() throws -> Unlock? {
    if let keyFile { return .keyFile(keyFile) }
    if let keyEnv { return .environment(keyEnv) }
    if let keyCommand { return .command(keyCommand) }
    if let passphraseFd { return .passphrase(try SecretLine.read(from: passphraseFd)) }
    if passphrase { return .passphrase(try Terminal.askSecret("Passphrase: ")) }
    return nil
  }
}
