import NacreCore

/// One way to give a secret; never the command line itself, which every process can read.
enum SecretSource {
  case keyFile(String)
  case passphrase
  case passphraseDescriptor(Int32)
  case environment(String)
  case command(String)

  /// What the secret is for, which decides how it is asked for.
  enum Purpose {
    /// It unlocks the store.
    case unlocking
    /// It unlocks the store, and goes on doing so after a rewrap.
    case keeping
    /// A slot is made for it: a passphrase is asked twice, and a key file made where there is none.
    case new
  }

  /// Where the library gets the secret; a passphrase is read, or asked for, here and now.
  ///
  /// - Throws: `CommandFailure` when there is no passphrase to read, or nobody to ask.
  func unlock(for purpose: Purpose) throws -> Unlock {
    switch self {
    case .keyFile(let path): .keyFile(path, createIfMissing: purpose == .new)
    case .environment(let name): .environment(name)
    case .command(let command): .command(command)
    case .passphraseDescriptor(let number): .passphrase(try SecretLine.read(from: number))
    case .passphrase: .passphrase(try SecretSource.ask(for: purpose))
    }
  }

  private static func ask(for purpose: Purpose) throws -> SecretBytes {
    switch purpose {
    case .unlocking: return try Terminal.askSecret("Passphrase: ")
    case .keeping: return try Terminal.askSecret("Passphrase to keep: ")
    case .new:
      let secret = try Terminal.askSecret("New passphrase: ")
      guard try Terminal.askSecret("The same again: ").matches(secret) else {
        throw CommandFailure(
          status: .badSecret,
          message: "the two passphrases are not the same; nothing was changed"
        )
      }
      return secret
    }
  }
}
