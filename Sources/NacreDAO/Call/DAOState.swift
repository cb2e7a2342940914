import NacreCore

/// The parts of a DAO that can change.
struct DAOState: Sendable {
  var compiled: CompiledModule {
    didSet { (setup, found) = (nil, nil) }
  }
  var globals: [String: any Sendable] = [:] {
    didSet { setup = nil }
  }
  var sealing = DAOSealing() {
    didSet { setup = nil }
  }
  /// The three properties above, put together for the next call.
  private var setup: DAOSetup?
  var lastInsertRowID: Int64 = 0
  var lastChangedRowCount = 0
  var eventHandler: (@Sendable (DAO, DAOEvent) -> Void)?
  /// The tables that are known to exist with the right version, each with the generation at which that was seen.
  var ready: [TableKey: UInt64] = [:]
  /// The store and generation in which the present table was seen last, because most calls ask for it again.
  private var found: (store: UInt32, generation: UInt64)?
  /// The tables for which the event handler was told that they should be upgraded.
  var announced: Set<TableKey> = []
  init(compiled: CompiledModule) { self.compiled = compiled }

  /// The setup for a call that begins now; `dao` is the DAO that has this state.
  mutating func current(of dao: DAO) -> DAOSetup {
    if let setup { return setup }
    let made = DAOSetup(
      compiled: compiled,
      globals: globals,
      sealing: sealing,
      crypts: dao.crypts
    )
    setup = made
    return made
  }

  /// Sets a value that belongs to the application.
  ///
  /// - Returns: the former value, which the caller must release outside of the lock, because its deinit is the
  ///   application's code.
  mutating func exchange<V>(
    _ property: WritableKeyPath<DAOState, V>,
    _ value: V
  ) -> (value: V, setup: DAOSetup?) {
    let former = (self[keyPath: property], setup)
    self[keyPath: property] = value
    return former
  }

  /// Whether the present table is known to exist in the store with that number, at that generation.
  mutating func isReady(in store: UInt32, _ generation: UInt64) -> Bool {
    if let found, found == (store, generation) { return true }
    guard ready[TableKey(store: store, table: compiled.tableName)] == generation else {
      return false
    }
    found = (store, generation)
    return true
  }

  struct TableKey: Hashable, Sendable {
    /// The store's number in this process; no later store gets the same.
    let store: UInt32
    let table: String
  }
}
