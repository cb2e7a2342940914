#if Tool
import NacreStore

/// A way to give a secret; never the command line itself, because every process can read that.
enum SecretSource {
  case keyFile(String)
  case passphrase
  case passphraseDescriptor(Int32)
  case environment(String)
  case command(String)

  /// The purpose of the secret, which decides how the command asks for it.
  enum Purpose {
    /// It unlocks the store.
    case unlocking
    /// It unlocks the store, and still does so after a rewrap.
    case keeping
    /// It gets a slot: the command asks for a passphrase twice, and creates a missing key file.
    case new
  }

  /// Tells the library where to get the secret; reads or asks for a passphrase here and now.
  ///
  /// - Throws: `CommandFailure` if there is no passphrase to read, or nobody to ask.
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
          .badSecret,
          "the two passphrases are not the same; nothing was changed"
        )
      }
      return secret
    }
  }
}
#endif
