import Dispatch
import NacreEngine

// The async versions of the calls that access the file. They wait for a connection without blocking
// a thread. They run on separate threads, not on the few that Swift's tasks share.

extension Store {
  /// Runs `body` on a connection that sees one state of the store, however many queries it makes.
  ///
  /// - Throws: ``NacreError``, the error of `body`, or `CancellationError` if the task is cancelled
  ///   while it waits.
  public func read<T>(
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) async throws -> sending T {
    let pool = try pool
    nonisolated(unsafe) let database = try await Self.wrapping { try await pool.acquireReader() }
    return try await Self.onThread {
      defer { pool.releaseReader(database) }
      return try Self.bound(database) {
        try database.connection.transaction(.deferred) { try body(database) }
      }
    }
  }

  /// Runs `body` in a transaction: everything that it writes is stored, or nothing if it throws.
  ///
  /// - Throws: ``NacreError``, the error of `body`, or `CancellationError` if the task is cancelled
  ///   while it waits.
  @discardableResult
  public func write<T>(
    _ kind: TransactionKind = .immediate,
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) async throws -> sending T {
    let pool = try pool
    nonisolated(unsafe) let database = try await Self.wrapping { try await pool.acquireWriter() }
    return try await Self.onThread {
      defer { pool.giveBack(writer: database) }
      return try Self.bound(database) { try database.transaction(kind, body) }
    }
  }

  /// Reads something that nobody else has yet: values, or objects that a fetch has just made.
  package func readFresh<T>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> sending T {
    try await read { database in
      nonisolated(unsafe) let made = try body(database)
      return made
    }
  }

  /// Waits for the writer, then runs `body` on the caller's own actor, so that the objects that it
  /// saves stay there.
  package func withWriterAsync<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Database) throws -> T
  ) async throws -> T {
    if let bound = ThreadBinding.writer(of: self) {
      return try NacreError.wrapping { try body(bound) }
    }
    let pool = try pool
    nonisolated(unsafe) let database = try await Self.wrapping { try await pool.acquireWriter() }
    defer { pool.giveBack(writer: database) }
    return try Self.bound(database) { try body(database) }
  }

  /// Waits for a reader, then runs `body` on the caller's own actor.
  package func withReaderAsync<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Database) throws -> T
  ) async throws -> T {
    let pool = try pool
    nonisolated(unsafe) let database = try await Self.wrapping { try await pool.acquireReader() }
    defer { pool.releaseReader(database) }
    return try Self.bound(database) { try body(database) }
  }

  /// Closes the store, and waits for running reads and writes without blocking one of Swift's
  /// threads.
  ///
  /// - Throws: ``NacreError`` if a connection can't be closed.
  public func close() async throws { try await Self.onThread { try self.close() } }

  /// Copies the store's current state into a new file, while others go on reading and writing.
  ///
  /// - Throws: ``NacreError`` if `path` exists or can't be written.
  public func backup(to path: String) async throws {
    try await Self.onThread { try self.backup(to: path) }
  }

  /// Runs blocking work on a thread that Swift's tasks do not share.
  ///
  /// - Throws: The error of `body`.
  package static func onThread<T>(_ body: @escaping @Sendable () throws -> sending T) async throws
    -> sending T
  {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        do {
          continuation.resume(returning: try body())
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  private static func bound<T>(
    _ database: Database,
    _ body: () throws -> sending T
  ) throws -> sending T {
    ThreadBinding.push(database)
    defer { ThreadBinding.pop(database) }
    do {
      try database.home.settings.apply(to: database)
      return try body()
    } catch {
      throw NacreError.wrap(error)
    }
  }

  private static func wrapping<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> sending T
  ) async throws -> sending T {
    do { return try await body() } catch { throw NacreError.wrap(error) }
  }
}
