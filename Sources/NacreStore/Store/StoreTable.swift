import Foundation
import Synchronization

/// The open stores of this process by number, and the default store.
///
/// Objects carry a store's number. A reference would cost two atomic operations for each object.
enum StoreTable {
  private struct Entry {
    weak var store: Store?
    let path: String
    let name: String?
    /// The entities for which the store was opened.
    let entities: Set<ObjectIdentifier>
  }

  private struct State {
    var stores: [UInt32: Entry] = [:]
    var last: UInt32 = 0
    /// The store that `makeDefault()` chose; nil if none was chosen.
    var defaultStore: Store?
    /// The first store among those that are open and have no name; nil if there is none.
    var firstStore: UInt32?
    /// The store of each entity for which stores were opened: the one that was opened first.
    var homes: [ObjectIdentifier: UInt32] = [:]

    /// The store that entities use if nothing else names one.
    var usualStore: Store? { defaultStore ?? firstStore.flatMap { stores[$0]?.store } }
  }

  private static let state = Mutex(State())

  static func reserve() -> UInt32 {
    state.withLock {
      $0.last += 1
      return $0.last
    }
  }

  /// Registers an open store.
  ///
  /// - Throws: `cannotOpen` if an open store has the same name.
  static func enter(_ store: Store, _ number: UInt32) throws {
    let entry = Entry(
      store: store,
      // The path of a store in memory is no file's, and so none that could be compared.
      path: store.isInMemory
        ? store.path : URL(fileURLWithPath: store.path).standardizedFileURL.path,
      name: store.options.name,
      entities: store.options.delegateOptions?.classes ?? []
    )
    let isTaken = state.withLock { state in
      if let name = entry.name, state.stores.values.contains(where: { $0.name == name }) {
        return true
      }
      state.stores[number] = entry
      if entry.name == nil && state.firstStore == nil { state.firstStore = number }
      for entity in entry.entities where state.homes[entity] == nil {
        state.homes[entity] = number
      }
      return false
    }
    if isTaken {
      let name = entry.name ?? ""
      throw NacreError(.cannotOpen, detail: "a store with the name “\(name)” is open already")
    }
  }

  static func leave(_ number: UInt32) {
    // Release the store outside the lock, because its `deinit` may come back here.
    _ = state.withLock { state -> Store? in
      state.stores[number] = nil
      if state.firstStore == number {
        state.firstStore = state.stores.filter { $0.value.name == nil }.keys.min()
      }
      for (entity, home) in state.homes where home == number {
        // Another store that was opened for the entity takes its place.
        state.homes[entity] =
          state.stores.filter { $0.value.entities.contains(entity) }.keys.min()
      }
      guard let store = state.defaultStore, store.number == number else { return nil }
      state.defaultStore = nil
      return store
    }
  }

  static func store(_ number: UInt32) -> Store? {
    state.withLock { $0.stores[number]?.store }
  }

  static func isOpen(_ path: String) -> Bool {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    let file = FileIdentity(path)
    // Compare the files themselves too: a link or another spelling is another path to the same
    // file.
    return state.withLock {
      $0.stores.values.contains { $0.path == path || file != nil && FileIdentity($0.path) == file }
    }
  }

  static func named(_ name: String) -> Store? {
    state.withLock { $0.stores.values.first { $0.name == name }?.store }
  }

  /// Returns the store that was opened for an entity, or else the default store.
  static func store(for type: ObjectIdentifier?) -> Store? {
    state.withLock { state in
      if !state.homes.isEmpty, let type, let home = state.homes[type] {
        return state.stores[home]?.store
      }
      return state.usualStore
    }
  }

  static var defaultStore: Store? {
    get { state.withLock { $0.usualStore } }
    set {
      // As in `leave`, release the former store outside the lock.
      _ = state.withLock { state -> Store? in
        defer { state.defaultStore = newValue }
        return state.defaultStore
      }
    }
  }
}

extension Store {
  /// Makes this the store that entities use if nothing else names one.
  ///
  /// - Throws: ``NacreError`` if the store is closed.
  public func makeDefault() throws {
    _ = try pool
    StoreTable.defaultStore = self
  }

  /// The store that entities use if nothing else names one, or nil if there is none.
  ///
  /// It is the store of the `asDefault` around the call, or else that of `makeDefault()`, or else
  /// the first one that was opened without a name and is still open.
  public static var `default`: Store? { ofTask ?? StoreTable.defaultStore }

  /// Returns the open store of that name, or nil if there is none.
  ///
  /// - Parameter name: The store's ``StoreOptions/name``.
  /// - Returns: The store.
  public static func named(_ name: String) -> Store? { StoreTable.named(name) }

  /// Returns the store of the innermost `read` or `write` on this thread, or else that of the
  /// `asDefault` around the call, or else the one that was opened for a class, or else the default
  /// store.
  package static func current(for type: ObjectIdentifier?) throws -> Store {
    if let store = ThreadBinding.innermost?.store { return store }
    if let store = ofTask { return store }
    if let store = StoreTable.store(for: type) { return store }
    throw NacreError(.noDefaultStore)
  }

  /// Returns the open store with a number.
  ///
  /// - Throws: `storeClosed` if there is none.
  package static func numbered(_ number: UInt32) throws -> Store {
    guard let store = StoreTable.store(number) else { throw NacreError(.storeClosed) }
    return store
  }
}
