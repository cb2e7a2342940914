#if Tool && PostgreSQL
import NacreStore
import Synchronization

/// The password of a server's user, which is asked for once, and kept for all connections of the command.
enum TypedPassword {
  private static let typed = Mutex<SecretBytes?>(nil)

  /// Returns the password; asks for it on the terminal at the first call.
  ///
  /// - Parameter user: the server's name of the user.
  /// - Returns: the password.
  /// - Throws: `CommandFailure` without a terminal.
  static func ask(of user: String) throws -> SecretBytes {
    try typed.withLock { typed in
      if let typed { return typed }
      let answer = try Terminal.askSecret(
        "Password for user \(user.visible): ",
        otherwise: CommandFailure(
          .of(.cannotOpen),
          "the server wants a password for user \(user), and there is no terminal on which to ask "
            + "for it: \(ServerURLs.places)"
        )
      )
      typed = answer
      return answer
    }
  }
}
#endif
