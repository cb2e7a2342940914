import Dispatch
import NacreSQLite

// The async twins of what touches the file. They wait for a connection without blocking a thread, and run on threads
// of their own, not on the few that Swift's tasks share.

extension Store {
  /// Runs `body` on a connection that sees one state of the store, however many queries it makes.
  ///
  /// - Throws: ``NacreError``, what `body` throws, or `CancellationError` when cancelled while waiting.
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

  /// Runs `body` in a transaction: all of what it writes is stored, or, when it throws, nothing of it.
  ///
  /// - Throws: ``NacreError``, what `body` throws, or `CancellationError` when cancelled while waiting.
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

  /// Reads what nobody else has yet: values, and objects that a fetch has just made.
  package func readFresh<T>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> sending T {
    try await read { database in
      nonisolated(unsafe) let made = try body(database)
      return made
    }
  }

  /// Waits for the writer, then runs `body` on the caller's own actor: the objects that it saves stay there.
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

  /// Opens the store at `path`, and makes it if it does not exist; the twin of ``open(_:unlock:options:expecting:)-(_,Unlock?,_,_)``.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - unlock: where the secret comes from.
  ///   - options: durability, timeouts, limits.
  ///   - anchor: what the file must not be older than.
  /// - Returns: the open store.
  /// - Throws: ``NacreError``.
  public static func open(
    _ path: String,
    unlock: Unlock? = nil,
    options: StoreOptions = StoreOptions(),
    expecting anchor: Anchor? = nil
  ) async throws -> Store {
    try await onThread {
      try open(path, unlock: unlock, options: options, expecting: anchor)
    }
  }

  /// Closes the store, waiting for running reads and writes without blocking a thread of Swift's.
  ///
  /// - Throws: ``NacreError`` when a connection can't be closed.
  public func close() async throws { try await Self.onThread { try self.close() } }

  /// Copies the store, as it is now, into a new file, while others go on reading and writing.
  ///
  /// - Throws: ``NacreError`` when `path` exists or can't be written.
  public func backup(to path: String) async throws {
    try await Self.onThread { try self.backup(to: path) }
  }

  /// Runs blocking work on a thread that no task is waiting for.
  ///
  /// - Throws: what `body` throws.
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
