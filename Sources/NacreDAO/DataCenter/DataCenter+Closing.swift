import Foundation
import NacreCore
import Synchronization

// A call that has begun when its store is closed finishes: where it has a connection, whoever closes the store waits for
// it; where it has none yet it has changed nothing, and begins anew on the store that is opened next. A call that comes
// while the store is being closed waits for the end of that and opens it again.

extension DataCenter {
  /// Closes the store of a place, and deletes its file; the next who asks for it makes a new one.
  ///
  /// - Parameter place: what the file is for.
  /// - Throws: ``NacreError`` inside of a read or write of it, when the file can't be deleted, and for a user whose name is
  ///   too long.
  public func removeFile(of place: Place) throws {
    // Of a link the file to which it leads, with SQLite's own files beside that.
    let file = Self.resolved(try path(of: place))
    // Not within a lock: a write that it waits for may ask for a store.
    let open = openings.withLock { state.withLock { $0.store(ofFile: file) } }
    guard let open else { return try openings.withLock { try Self.delete(file) } }
    try close(open) {
      try openings.withLock {
        state.withLock { $0.forget(open) }
        try Self.delete(file)
      }
    }
  }

  private static func delete(_ file: String) throws {
    if Store.exists(at: file) { try Store.delete(at: file) }
  }

  /// Closes all stores; each is opened again when it is asked for.
  ///
  /// Calls that have begun finish. Those that come meanwhile wait, for up to the store's `busyTimeout`, and open it again.
  ///
  /// - Throws: ``NacreError`` inside of a read or write of one of them; the others are closed.
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

  /// Closes a store, and runs `finish` before another one of its file can be opened.
  private func close(_ store: Store, _ finish: () throws -> Void) throws {
    state.withLock { $0.beginClosing(store) }
    defer {
      state.withLock { $0.endClosing(store) }
      closings.withLock { closings.broadcast() }
    }
    do { try store.close() } catch {
      // One that was refused is open as before. One that could not be closed to its end can't be used, either.
      let isOpen = [.transactionState, .stillUsed].contains((error as? NacreError)?.code)
      if !isOpen { state.withLock { $0.forget(store) } }
      throw error
    }
    try finish()
  }

  /// Waits until a store that is being closed has been.
  ///
  /// - Throws: ``NacreError`` with code `storeClosed` where that takes longer than the store's `busyTimeout`, and for a
  ///   thread that is inside of a read or write of another store: whoever closes might wait for that thread.
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

  /// The store that is opened for the place of one that is closed, or being closed.
  ///
  /// - Returns: nil where the place is not known; the store itself where nobody has told the data center to close it.
  /// - Throws: ``NacreError`` when it can't be opened.
  func successor(of store: Store) throws -> Store? {
    guard let place = state.withLock({ $0.place(of: store) }) else { return nil }
    return try self.store(at: place)
  }
}
