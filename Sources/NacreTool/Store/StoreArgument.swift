#if Tool
import ArgumentParser
import NacreOpen
import NacreStore

extension ArgumentHelp {
  /// The help of the store of a command that can also be on a server.
  static var store: ArgumentHelp {
    #if PostgreSQL
    return "The store's file, or the URL of its database on a server."
    #else
    return "The store's file."
    #endif
  }

  /// The help of a store that a command makes.
  static var newStore: ArgumentHelp {
    #if PostgreSQL
    return "The file to make, or the URL of a database on a server."
    #else
    return "The file to make."
    #endif
  }
}

/// The arguments of the command, before anything reads them.
enum ServerURLs {
  /// Throws if an argument is the URL of a server with a password in it.
  ///
  /// The parser's own messages can quote any argument, so nothing is parsed before.
  ///
  /// - Throws: `CommandFailure`; `NacreError` for a malformed URL. Neither shows the URL.
  static func refusePasswords(in arguments: [String]) throws {
    for argument in arguments {
      guard try Store.hasPassword(value(of: argument)) else { continue }
      throw CommandFailure(
        .usage,
        "a URL on the command line holds a password, which all users of this machine can read; "
          + "nothing was done. Type it when you are asked, or \(places), or let the server know you "
          + "by your user or by a certificate"
      )
    }
  }

  /// Where a server's password is kept for programs.
  static let places =
    "keep it in a file that PGPASSFILE names (~/.pgpass), or in a service file "
    + "(postgresql://?service=NAME)"

  /// The value of an option that is written as one word, such as `--into=URL`, or the whole argument.
  private static func value(of argument: String) -> String {
    guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else { return argument }
    return String(argument[argument.index(after: sign)...])
  }
}
#endif
