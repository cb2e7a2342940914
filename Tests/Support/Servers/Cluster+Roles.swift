#if PostgreSQL
extension Cluster {
  /// Makes and starts a server that wants a password of everybody but its owner, with a schema of the user `ada`.
  ///
  /// - Parameter password: The password of `ada`.
  /// - Returns: The server.
  /// - Throws: An error if the server does not start.
  static func wanting(password: String) throws -> Cluster {
    let server = try Cluster(access: "local all nacre trust\nlocal all all scram-sha-256")
    try server.execute(
      "CREATE ROLE ada LOGIN PASSWORD '\(password)'",
      "CREATE SCHEMA ada AUTHORIZATION ada"
    )
    return server
  }

  /// Returns the URL of the database for another role, which can have a password after a colon.
  func url(of role: String) -> String { url.replacing("nacre@", with: "\(role)@") }
}
#endif
