#if PostgreSQL
import NacreEngine

/// The settings of a store's connections to a PostgreSQL server.
public struct PostgresSettings: Sendable, Equatable {
  /// How long a connection waits for another connection's lock, in seconds.
  public var busyTimeout = 5.0
  /// Whether every commit is on the server's disk when it returns; otherwise the server's own setting holds.
  public var commitsDurably = false
  /// How long one statement may run, in seconds; 0 for the server's own limit.
  ///
  /// A connection waits ten seconds longer for an answer and then gives the server up.
  public var statementTimeout = 300.0
  /// How long a connection may take to open, in seconds.
  public var connectTimeout = 10.0
  /// Whether a server that is not on this machine has to prove who it is (`sslmode=verify-full`).
  ///
  /// If false, an `sslmode` of the URL, the service file or the environment holds, whatever it is.
  public var requiresVerifiedServer = true
  /// How long a pool between the store and its server lends a session.
  public var poolMode = PoolMode.detected
  /// Where the password comes from; nil if it is in the URL, the service file, the environment or the file of
  /// `PGPASSFILE`, or if the server wants none.
  ///
  /// `.callback` is called for each new connection, so it can return a token that is valid for some minutes.
  public var password: Password?

  /// The usual settings.
  public init() {}
}

extension PostgresSettings: EngineSettings {}

extension PostgresSettings {
  /// The timeout for statements in whole milliseconds, at most a day; 0 for none.
  var statementTimeoutMilliseconds: Int { Self.milliseconds(statementTimeout) }

  /// How long to wait for an answer.
  var answerLimit: Duration {
    let timeout = statementTimeoutMilliseconds
    return .milliseconds(timeout > 0 ? timeout + 10_000 : Self.longest)
  }

  /// How long to wait for a connection.
  var connectLimit: Duration { .milliseconds(max(Self.milliseconds(connectTimeout), 1)) }

  /// A day, the longest wait.
  private static let longest = 86_400_000

  private static func milliseconds(_ seconds: Double) -> Int {
    Int(min(max(seconds.isNaN ? 0 : seconds, 0), 86_400) * 1000)
  }
}
#endif
