#if PostgreSQL
import Foundation
import NacreEngine
import Synchronization
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// The server that `script/postgres` has started.
enum TestServer {
  /// The URL of its database.
  static var url: String {
    get throws {
      try #require(
        ProcessInfo.processInfo.environment["NACRE_POSTGRES"],
        "run the tests by script/check NacrePostgres"
      )
    }
  }

  /// Opens a connection in a new schema.
  static func connect(_ settings: PostgresSettings = PostgresSettings()) throws
    -> PostgresConnection
  {
    try connect(to: TestPlace.newSchema(), settings)
  }

  /// Opens a connection.
  static func connect(
    to url: String,
    as role: ConnectionRole = .writer,
    _ settings: PostgresSettings = PostgresSettings()
  ) throws -> PostgresConnection {
    try PostgresConnection(ServerAddress(url: url), role: role, settings: settings)
  }
}

extension PostgresConnection {
  /// Returns the first column of all rows.
  func values(_ sql: String, _ arguments: [Value] = []) throws -> [Value] {
    let statement: PostgresStatement = try cached(sql)
    for (index, value) in arguments.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
    defer { statement.reset() }
    var values: [Value] = []
    while try statement.step() { values.append(statement.value(at: 0)) }
    return values
  }

  /// Runs a statement with arguments.
  func run(_ sql: String, _ arguments: [Value]) throws {
    let statement: PostgresStatement = try cached(sql)
    for (index, value) in arguments.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
    try statement.run()
  }

  /// The number of the server's process for this session.
  var processNumber: Int64 {
    get throws {
      guard case .integer(let number) = try values("SELECT pg_backend_pid()").first else {
        return 0
      }
      return number
    }
  }
}

/// Work on a thread of its own, because the tests' own threads may all wait for the server.
final class OwnThread<Result: Sendable>: Sendable {
  private let result = Mutex<Swift.Result<Result, any Error>?>(nil)
  private let end = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () throws -> Result) {
    let thread = Thread { [self] in
      let outcome = Swift.Result { try body() }
      result.withLock { $0 = outcome }
      end.signal()
    }
    thread.start()
  }

  /// Waits for the end of the work, at most a minute.
  func value() throws -> Result {
    try #require(end.wait(timeout: .now() + 60) == .success)
    return try #require(result.withLock { $0 }).get()
  }
}

/// An actor with a thread of its own, for closures that block until another task acts: two of them on the tests' own
/// threads would leave that task none.
actor OwnActor {
  private final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "OwnActor")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private nonisolated let executor = Executor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<T: Sendable>(
    _ body: @Sendable (isolated OwnActor) async throws -> T
  ) async rethrows -> T { try await body(self) }
}

/// Expects an engine's error of a kind.
func expect(
  _ kind: EngineErrorKind,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation, performing: body)
  let found = (error as? any EngineError)?.kind ?? (error as? HomeError)?.kind
  #expect(found == kind, "\(String(describing: error))", sourceLocation: sourceLocation)
}
#endif
