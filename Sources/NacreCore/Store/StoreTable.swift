import Foundation
import Synchronization

/// The stores of this process by number, and the default one.
///
/// Objects carry a number instead of a reference, which would cost two atomic operations an object.
enum StoreTable {
  private struct Entry {
    weak var store: Store?
    let path: String
  }

  private struct State {
    var stores: [UInt32: Entry] = [:]
    var last: UInt32 = 0
    var defaultStore: Store?
  }

  private static let state = Mutex(State())

  static func reserve() -> UInt32 {
    state.withLock {
      $0.last += 1
      return $0.last
    }
  }

  static func enter(_ store: Store, _ number: UInt32) {
    let path = URL(fileURLWithPath: store.path).standardizedFileURL.path
    state.withLock { $0.stores[number] = Entry(store: store, path: path) }
  }

  static func leave(_ number: UInt32) {
    // The store is let go outside of the lock, for its end may come back here.
    let former = state.withLock { state -> Store? in
      state.stores[number] = nil
      guard let store = state.defaultStore, store.number == number else { return nil }
      state.defaultStore = nil
      return store
    }
    _ = former
  }

  static func store(_ number: UInt32) -> Store? {
    state.withLock { $0.stores[number]?.store }
  }

  static func isOpen(_ path: String) -> Bool {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    let file = FileIdentity(path)
    // By the file itself, too: a link or another spelling leads to it under another name.
    return state.withLock {
      $0.stores.values.contains { $0.path == path || file != nil && FileIdentity($0.path) == file }
    }
  }

  static var defaultStore: Store? {
    get { state.withLock { $0.defaultStore } }
    set {
      let former = state.withLock { state -> Store? in
        defer { state.defaultStore = newValue }
        return state.defaultStore
      }
      _ = former
    }
  }
}

/// A file, by whatever name.
private struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil where there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

extension Store {
  /// Makes this the store that entities use when nothing else says which.
  ///
  /// - Throws: ``NacreError`` when the store is closed.
  public func makeDefault() throws {
    _ = try pool
    StoreTable.defaultStore = self
  }

  /// The store that entities use when nothing else says which.
  public static var `default`: Store? { StoreTable.defaultStore }

  /// The store of the innermost `read` or `write` on this thread, or the default one.
  static func current() throws -> Store {
    if let store = ThreadBinding.innermost?.store { return store }
    guard let store = StoreTable.defaultStore else { throw NacreError(.noDefaultStore) }
    return store
  }

  /// The store from which an object comes, or else the current one.
  static func of(_ object: any Entity) throws -> Store {
    let number = object.entityState.store
    if number == 0 { return try current() }
    guard let store = StoreTable.store(number) else { throw NacreError(.storeClosed) }
    return store
  }
}
