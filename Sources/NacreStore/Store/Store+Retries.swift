import Foundation
public import NacreEngine

extension Store {
  /// Runs `body` in a transaction, and runs it again if other transactions or the connection to a server kept it from
  /// being stored.
  /// ```swift
  /// try store.write(retries: 3) { _ in
  ///   let account = try Account.fetch(id: id)
  ///   account?.balance += amount
  ///   try account?.save()
  /// }
  /// ```
  /// `body` is run again after ``NacreError/Code/transactionConflict``, ``NacreError/Code/deadlock`` and
  /// ``NacreError/Code/connectionLost``, after which nothing of it is stored and its objects are as unsaved as before;
  /// never after ``NacreError/Code/commitUnknown``. What it does outside of the store it does each time. Between two
  /// tries the thread pauses for a random time, at most a second. In another `write` it runs once, because the outer
  /// transaction would have to run again.
  ///
  /// - Parameters:
  ///   - kind: When the transaction takes its locks.
  ///   - retries: How often `body` may run again.
  ///   - body: Runs with the writer.
  /// - Returns: The result of `body`.
  /// - Throws: The same errors as ``write(_:_:)``, of the last try.
  @discardableResult
  public func write<T>(
    _ kind: TransactionKind = .immediate,
    retries: Int,
    _ body: (Database) throws -> T
  ) throws -> T {
    var retries = Retries(retries, in: self)
    while true {
      do { return try write(kind, body) } catch {
        Thread.sleep(forTimeInterval: try retries.pause(after: error))
      }
    }
  }

  /// Runs `body` in a transaction on the caller's own actor, and runs it again if other transactions or the connection to
  /// a server kept it from being stored; the async version of ``write(_:retries:_:)``.
  ///
  /// - Parameters:
  ///   - kind: When the transaction takes its locks.
  ///   - retries: How often `body` may run again.
  ///   - isolation: The caller's actor, on which `body` runs.
  ///   - body: Runs with the writer.
  /// - Returns: The result of `body`.
  /// - Throws: The same errors as the `write` without retries, of the last try; `CancellationError` if the task is
  ///   cancelled between two tries.
  @discardableResult
  public func write<T>(
    _ kind: TransactionKind = .immediate,
    retries: Int,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Database) throws -> T
  ) async throws -> T {
    var retries = Retries(retries, in: self)
    while true {
      do { return try await write(kind, isolation: isolation, body) } catch {
        try await Task.sleep(for: .seconds(try retries.pause(after: error)))
      }
    }
  }

  /// Runs `body` in a transaction on a thread that no task shares, and runs it again if other transactions or the
  /// connection to a server kept it from being stored.
  ///
  /// See ``write(_:retries:_:)`` for when `body` runs again.
  ///
  /// - Parameters:
  ///   - kind: When the transaction takes its locks.
  ///   - retries: How often `body` may run again.
  ///   - body: Runs with the writer.
  /// - Returns: The result of `body`.
  /// - Throws: The same errors as ``writeInBackground(_:_:)``, of the last try; `CancellationError` if the task is
  ///   cancelled between two tries.
  @discardableResult
  public func writeInBackground<T>(
    _ kind: TransactionKind = .immediate,
    retries: Int,
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) async throws -> sending T {
    var retries = Retries(retries, in: self)
    while true {
      do { return try await writeInBackground(kind, body) } catch {
        try await Task.sleep(for: .seconds(try retries.pause(after: error)))
      }
    }
  }
}

/// How often a transaction may still run again, and how long it waits before.
private struct Retries {
  private var left: Int
  private var longest = 0.02

  init(_ count: Int, in store: Store) {
    // A part of a transaction can't run again: the server has undone the whole.
    if case .outside = ThreadBinding.place(in: store) { left = count } else { left = 0 }
  }

  /// Counts a try that has failed.
  ///
  /// - Parameter error: The error of the try.
  /// - Returns: The seconds to wait before the next try. They are random, so that transactions that met once don't meet
  ///   again.
  /// - Throws: The error, if there is no next try.
  mutating func pause(after error: any Error) throws -> Double {
    let codes: [NacreError.Code] = [.transactionConflict, .deadlock, .connectionLost]
    guard left > 0, let code = (error as? NacreError)?.code, codes.contains(code) else {
      throw error
    }
    left -= 1
    defer { longest = min(longest * 2, 1) }
    return .random(in: 0...longest)
  }
}
