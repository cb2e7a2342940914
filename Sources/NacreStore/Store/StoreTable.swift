import Foundation
import Synchronization

/// The stores of this process by number, and the default one.
///
/// Objects carry a number instead of a reference, which would cost two atomic operations an object.
enum StoreTable {
  private struct Entry {
    weak var store: Store?
    let path: String
    let name: String?
    /// The entities that the store was opened for.
    let entities: Set<ObjectIdentifier>
  }

  private struct State {
    var stores: [UInt32: Entry] = [:]
    var last: UInt32 = 0
    /// The store that `makeDefault()` chose; nil if none was chosen.
    var defaultStore: Store?
    /// The first store that was opened without a name, while it is open.
    var firstStore: UInt32?
    /// Which store each entity that an open store was opened for belongs to: the first one's.
    var homes: [ObjectIdentifier: UInt32] = [:]
  }

  private static let state = Mutex(State())

  static func reserve() -> UInt32 {
    state.withLock {
      $0.last += 1
      return $0.last
    }
  }

  /// Notes an open store.
  ///
  /// - Throws: `cannotOpen` where an open store has its name.
  static func enter(_ store: Store, _ number: UInt32) throws {
    let entry = Entry(
      store: store,
      path: URL(fileURLWithPath: store.path).standardizedFileURL.path,
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
    // The store is let go outside of the lock, for its end may come back here.
    let former = state.withLock { state -> Store? in
      state.stores[number] = nil
      if state.firstStore == number {
        state.firstStore = state.stores.filter { $0.value.name == nil }.keys.min()
      }
      for (entity, home) in state.homes where home == number {
        // Another store that was opened for the entity takes over.
        state.homes[entity] =
          state.stores.filter { $0.value.entities.contains(entity) }.keys.min()
      }
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

  static func named(_ name: String) -> Store? {
    state.withLock { $0.stores.values.first { $0.name == name }?.store }
  }

  /// The store that was opened for an entity, or else the default one.
  static func store(for type: ObjectIdentifier?) -> Store? {
    state.withLock { state in
      if !state.homes.isEmpty, let type, let home = state.homes[type] {
        return state.stores[home]?.store
      }
      return state.defaultStore ?? state.firstStore.flatMap { state.stores[$0]?.store }
    }
  }

  static var defaultStore: Store? {
    get {
      state.withLock { state in
        state.defaultStore ?? state.firstStore.flatMap { state.stores[$0]?.store }
      }
    }
    set {
      let former = state.withLock { state -> Store? in
        defer { state.defaultStore = newValue }
        return state.defaultStore
      }
      _ = former
    }
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

  /// The store that entities use when nothing else says which: that of `makeDefault()`, or else the first one that was
  /// opened without a name and is still open.
  public static var `default`: Store? { StoreTable.defaultStore }

  /// The open store of that name, or nil.
  ///
  /// - Parameter name: what ``StoreOptions/name`` said when it was opened.
  /// - Returns: the store.
  public static func named(_ name: String) -> Store? { StoreTable.named(name) }

  /// The store of the innermost `read` or `write` on this thread, or the one that was opened for a class, or else the
  /// default one.
  package static func current(for type: ObjectIdentifier?) throws -> Store {
    if let store = ThreadBinding.innermost?.store { return store }
    if let store = StoreTable.store(for: type) { return store }
    throw NacreError(.noDefaultStore)
  }

  /// The store of that number.
  package static func numbered(_ number: UInt32) throws -> Store {
    guard let store = StoreTable.store(number) else { throw NacreError(.storeClosed) }
    return store
  }
}
