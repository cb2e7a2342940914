#if PostgreSQL
extension PostgresSettings {
  /// The source of the password that a connection gives to its server.
  ///
  /// It has no description of its content, and is equal to its copies alone.
  public struct Password: Sendable, Equatable {
    /// Lends the password of a user, which ends with a NUL, for as long as the body runs.
    package typealias Lending =
      @Sendable (_ user: String, _ body: (UnsafePointer<CChar>) throws -> Void) throws -> Void

    private final class Source: Sendable {
      let isAskedLast: Bool
      let lend: Lending

      init(_ isAskedLast: Bool, _ lend: @escaping Lending) {
        (self.isAskedLast, self.lend) = (isAskedLast, lend)
      }
    }

    private let source: Source

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - isAskedLast: Whether it is asked only by a server that wants a password, and only if libpq has found none;
    ///     otherwise each connection begins with it.
    ///   - lend: Lends the password.
    package init(isAskedLast: Bool, _ lend: @escaping Lending) {
      source = Source(isAskedLast, lend)
    }

    var isAskedLast: Bool { source.isAskedLast }

    /// Lends the password of a user.
    ///
    /// - Throws: The source's error, or the body's.
    func lend(to user: String, _ body: (UnsafePointer<CChar>) throws -> Void) throws {
      try source.lend(user, body)
    }

    /// Whether both are one source.
    public static func == (one: Password, other: Password) -> Bool { one.source === other.source }
  }
}

extension PostgresSettings.Password: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The type's name.
  public var description: String { "Password" }
  /// The type's name.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
#endif
