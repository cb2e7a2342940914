// Codes of stores on a server.
extension NacreError.Code {
  /// The path is the URL of a PostgreSQL server where only a file can be, or in a build without the trait PostgreSQL.
  public static let onServer = Self(
    "onServer",
    "The path is the URL of a server, which can't be opened here",
    "Give the path of a file, or add the trait PostgreSQL to the package."
  )
  /// A store on a server can't do something that one in a file can.
  public static let serverCannot = Self(
    "serverCannot",
    "A store on a server can't do this",
    "Do it to a store in a file."
  )
  /// The server's role lacks a right.
  public static let notPermitted = Self(
    "notPermitted",
    "The server's role may not do this",
    "Grant the right to the role, or use the role that owns the schema and its tables."
  )
  /// Other transactions have changed what this one has read or would change.
  public static let transactionConflict = Self(
    "transactionConflict",
    "The transaction conflicts with another one",
    "Nothing was changed; run it again from its beginning."
  )
  /// The transaction and another one waited for each other, and the server ended this one.
  public static let deadlock = Self(
    "deadlock",
    "The transaction and another one waited for each other",
    "Nothing was changed; run it again from its beginning."
  )
  /// A statement took longer than its timeout.
  public static let timedOut = Self(
    "timedOut",
    "The statement took longer than its timeout",
    "Nothing was changed; try again, or raise the timeout."
  )
  /// The connection to the server is gone, and with it the open transaction.
  public static let connectionLost = Self(
    "connectionLost",
    "The connection to the server is lost",
    "The transaction that was open is undone; try again."
  )
}
