#if PostgreSQL
public import NacreCrypto
public import NacrePostgres
import NacreStore

extension PostgresSettings.Password {
  /// Uses a password that the application has, or gets on request, such as a token of a cloud.
  ///
  /// It takes the place of any other password. Nacre overwrites its own copy; libpq keeps one for as long as a
  /// connection is open.
  ///
  /// - Parameter provide: Returns the password. It is called before each new connection, by the thread that waits for
  ///   it, also after a lost connection; several threads may call it at once. Its error is that of the call that needs
  ///   the connection.
  /// - Returns: The source of the password.
  public static func callback(
    _ provide: @escaping @Sendable () throws -> SecretBytes
  ) -> PostgresSettings.Password {
    PostgresSettings.Password(isAskedLast: false) { try lend(provide(), $1) }
  }

  /// Uses a password that somebody is asked for, if the server wants one and libpq finds none.
  ///
  /// - Parameter ask: Returns the password of a user of the server; it is called for each new connection.
  /// - Returns: The source of the password.
  package static func asking(
    _ ask: @escaping @Sendable (_ user: String) throws -> SecretBytes
  ) -> PostgresSettings.Password {
    PostgresSettings.Password(isAskedLast: true) { try lend(ask($0), $1) }
  }

  /// Passes a password with the NUL that C wants at its end.
  private static func lend(
    _ password: SecretBytes,
    _ body: (UnsafePointer<CChar>) throws -> Void
  ) throws {
    try withUnsafeTemporaryAllocation(byteCount: password.count + 1, alignment: 1) { buffer in
      defer { SecureMemory.cleanse(buffer) }
      password.withUnsafeBytes { buffer.copyMemory(from: $0) }
      buffer[password.count] = 0
      guard buffer.firstIndex(of: 0) == password.count else {
        throw NacreError(.badSecret, detail: "the password for the server contains a NUL")
      }
      try buffer.withMemoryRebound(to: CChar.self) { characters in
        if let start = characters.baseAddress { try body(UnsafePointer(start)) }
      }
    }
  }
}
#endif
