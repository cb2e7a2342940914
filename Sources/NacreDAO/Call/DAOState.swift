import NacreCore

/// What can change in a DAO.
struct DAOState: Sendable {
  var compiled: CompiledModule
  var globals: [String: any Sendable] = [:]
  var sealing = DAOSealing()
  var lastInsertRowID: Int64 = 0
  var lastChangedRowCount = 0
  var eventHandler: (@Sendable (DAO, DAOEvent) -> Void)?
  /// The tables that are known to be there and of the right version, each with the generation at which that was seen.
  var ready: [TableKey: UInt64] = [:]
  /// The tables of which the event handler was told that they should be upgraded.
  var announced: Set<TableKey> = []
  /// The stores in which this DAO has begun transactions by hand, each on the thread that has its writer.
  var begun: [Store] = []

  struct TableKey: Hashable, Sendable {
    /// The number of the store in the process, which no later one gets.
    let store: UInt32
    let table: String
  }
}
