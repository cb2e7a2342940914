import NacreCore

/// What can change in a DAO.
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
  /// The three of them for the next call.
  private var setup: DAOSetup?
  var lastInsertRowID: Int64 = 0
  var lastChangedRowCount = 0
  var eventHandler: (@Sendable (DAO, DAOEvent) -> Void)?
  /// The tables that are known to be there and of the right version, each with the generation at which that was seen.
  var ready: [TableKey: UInt64] = [:]
  /// Where the present table was seen last: a call asks for it again.
  private var found: (store: UInt32, generation: UInt64)?
  /// The tables of which the event handler was told that they should be upgraded.
  var announced: Set<TableKey> = []
  init(compiled: CompiledModule) { self.compiled = compiled }

  /// What a call of the DAO whose state this is works with, if it begins now.
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

  /// Sets a value of the application's own.
  ///
  /// - Returns: what goes for it, for the caller to let go of outside of the lock: its end is code of the application.
  mutating func exchange<V>(
    _ property: WritableKeyPath<DAOState, V>,
    _ value: V
  ) -> (value: V, setup: DAOSetup?) {
    let former = (self[keyPath: property], setup)
    self[keyPath: property] = value
    return former
  }

  /// Whether the present table is known to be there in a store of that number, at that generation.
  mutating func isReady(in store: UInt32, _ generation: UInt64) -> Bool {
    if let found, found == (store, generation) { return true }
    guard ready[TableKey(store: store, table: compiled.tableName)] == generation else {
      return false
    }
    found = (store, generation)
    return true
  }

  struct TableKey: Hashable, Sendable {
    /// The number of the store in the process, which no later one gets.
    let store: UInt32
    let table: String
  }
}

/// What a call works with to its end, whatever is set meanwhile.
final class DAOSetup: Sendable {
  let compiled: CompiledModule
  let globals: [String: any Sendable]
  let sealing: DAOSealing
  let crypts: CryptRules

  init(
    compiled: CompiledModule,
    globals: [String: any Sendable],
    sealing: DAOSealing,
    crypts: CryptRules
  ) {
    (self.compiled, self.globals, self.sealing) = (compiled, globals, sealing)
    self.crypts = crypts
  }
}
