import Foundation
import NacreCore
import NacreOpen
import Synchronization

// A call that has begun when its store is closed still finishes. If it has a connection, closing the store waits for
// it. If it has no connection yet, it has changed nothing, and begins again on the store that is opened next. A call
// that comes while the store is being closed waits until it is closed, and opens it again.

extension DataCenter {
  /// Closes the store of a place, and deletes its file; the next call that asks for the store makes a new one.
  ///
  /// - Parameter place: what the file is for.
  /// - Throws: ``NacreError`` inside of a read or write of it, when the file can't be deleted, and for a user whose name is
  ///   too long.
  public func removeFile(of place: Place) throws {
    // A link is followed: the file that it leads to is deleted, with SQLite's own files beside that file.
    let file = Self.resolved(try path(of: place))
    // Closing runs outside of the locks, because it may wait for a write that asks for a store.
    let open = openings.withLock { state.withLock { $0.store(ofFile: file) } }
    guard let open else { return try openings.withLock { try Self.delete(file) } }
    try close(open) {
      try openings.withLock {
        state.withLock { $0.forget(open) }
        try Self.delete(file)
      }
    }
  }

  /// Closes the store of a place, and deletes its file; the next call that asks for the store makes a new one.
  ///
  /// - Parameter place: what the file is for.
  /// - Throws: ``NacreError`` inside of a read or write of it, when the file can't be deleted, and for a user whose name is
  ///   too long.
  public func removeFile(of place: Place) async throws {
    try await Store.onThread { try self.removeFile(of: place) }
  }

  private static func delete(_ file: String) throws {
    if Store.exists(at: file) { try Store.delete(at: file) }
  }

  /// Closes all stores; each is opened again when it is asked for.
  ///
  /// Calls that have begun finish. Calls that come meanwhile wait, for up to the store's `busyTimeout`, and open it
  /// again.
  ///
  /// - Throws: ``NacreError`` inside of a read or write of one of the stores; the others are closed.
  public func close() throws {
    let stores = openings.withLock { state.withLock { $0.stores } }
    var failure: (any Error)?
    for store in stores {
      do {
        try close(store) { state.withLock { $0.forget(store) } }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Closes all stores; each is opened again when it is asked for.
  ///
  /// - Throws: ``NacreError``.
  public func close() async throws { try await Store.onThread { try self.close() } }

  /// Closes a store, and runs `finish` before another store on its file can be opened.
  private func close(_ store: Store, _ finish: () throws -> Void) throws {
    state.withLock { $0.beginClosing(store) }
    defer {
      state.withLock { $0.endClosing(store) }
      closings.withLock { closings.broadcast() }
    }
    do { try store.close() } catch {
      // If closing was refused, the store is still open. If closing failed halfway, the store can't be used any more.
      let isOpen = [.transactionState, .stillUsed].contains((error as? NacreError)?.code)
      if !isOpen { state.withLock { $0.forget(store) } }
      throw error
    }
    try finish()
  }

  /// Waits until a store that is being closed is closed.
  ///
  /// - Throws: ``NacreError`` with code `storeClosed` if that takes longer than the store's `busyTimeout`, and on a
  ///   thread that is inside of a read or write of another store, because the thread that closes might wait for this
  ///   one.
  func waitForEnd(of store: Store) throws {
    let closed = NacreError.dao(.storeClosed, "\(store.path) is being closed", advice: "Try again.")
    if Store.isInUseOnThisThread { throw closed }
    let deadline = Date(timeIntervalSinceNow: store.options.busyTimeout)
    closings.lock()
    defer { closings.unlock() }
    while state.withLock({ $0.isClosing(store) }) {
      guard closings.wait(until: deadline) else { throw closed }
    }
  }

  /// The store at the place of one that is closed or being closed.
  ///
  /// - Returns: the store; nil if the place is not known, and the same store if nobody has told the data center to
  ///   close it.
  /// - Throws: ``NacreError`` when it can't be opened.
  func successor(of store: Store) throws -> Store? {
    guard let place = state.withLock({ $0.place(of: store) }) else { return nil }
    return try self.store(at: place)
  }
}
