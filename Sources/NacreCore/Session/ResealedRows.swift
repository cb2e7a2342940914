import NacreEngine
import NacreStore
import Synchronization

/// The observed rows that a transaction only seals anew, with their hashes before and after.
///
/// It is how a rotation is told from a change where no hook names the rows of a transaction. An object that its observers
/// know by the hash before is taken by the hash after, and nobody is told. Whatever else somebody has done to it has
/// another hash, and is told.
struct ResealedRows {
  /// The version of the set of observers for whom the rows were read.
  let version: UInt64
  let table: String
  /// The hashes of each observed object before the transaction and at its end.
  var pairs: [ObjectID: (before: UInt64, after: UInt64)] = [:]
  fileprivate let tables: [ObservationSQL.Table]
  fileprivate let before: [ObjectID: UInt64]

  fileprivate var hashes: [UInt64: UInt64] {
    Dictionary(pairs.values.map { ($0.before, $0.after) }) { first, _ in first }
  }
}

extension EntitySession {
  /// Reads the observed ones of some rows, before they are sealed anew.
  package func transactionWillReseal(_ table: String, _ objects: () -> [ObjectID]) throws {
    let observers = entities.observers
    guard observers.isActive, !observers.usesHook else { return }
    let (version, watches) = observers.state.withLock { state in
      (state.version, state.watches.filter { $0.key.table == table })
    }
    guard let tables = watches.first?.value.tables else {
      resealed = ResealedRows(version: version, table: table, tables: [], before: [:])
      return
    }
    let wanted = watches.keys.map(\.object)
    let observed = wanted.contains(nil) ? objects() : objects().filter { wanted.contains($0) }
    let before = observed.isEmpty ? [:] : try RowHash.some(observed, tables, in: self)
    resealed = ResealedRows(version: version, table: table, tables: tables, before: before)
  }

  /// Reads the rows once more, right before the commit, from which on a scan may find them.
  ///
  /// - Returns: The rows; nil if they can't be read, so that the next scan tells of them.
  func lookAgain(at resealed: ResealedRows) -> ResealedRows? {
    var resealed = resealed
    if resealed.before.isEmpty { return resealed }
    guard let after = try? RowHash.some(Array(resealed.before.keys), resealed.tables, in: self)
    else { return nil }
    for (object, hash) in after {
      guard let before = resealed.before[object], before != hash else { continue }
      resealed.pairs[object] = (before, hash)
    }
    entities.observers.expect(resealed)
    return resealed
  }
}

extension StoreObservers {
  /// Prepares for rows that are sealed anew, which a scan may find before `report(_:)` is called.
  fileprivate func expect(_ resealed: ResealedRows) {
    let hashes = resealed.hashes
    state.withLock { state in
      for scope in Array(state.watches.keys) where scope.table == resealed.table {
        state.watches[scope]?.resealing = hashes
      }
    }
  }

  /// Forgets rows that were not sealed anew after all.
  func forget(_ resealed: ResealedRows) {
    state.withLock { state in
      for scope in Array(state.watches.keys) where scope.table == resealed.table {
        state.watches[scope]?.resealing = [:]
      }
    }
  }

  /// Takes the committed hashes of rows that were sealed anew.
  func report(_ resealed: ResealedRows) {
    let hashes = resealed.hashes
    let isWhole = state.withLock { state in
      let isScanning = state.during != nil
      for scope in Array(state.watches.keys) where scope.table == resealed.table {
        state.watches[scope]?.resealing = [:]
        state.watches[scope]?.reseal(resealed.pairs)
        if isScanning {
          state.watches[scope]?.resealed.merge(hashes) { _, later in later }
        }
      }
      return state.version == resealed.version
    }
    // An observer has joined meanwhile.
    if !isWhole { scanSoon() }
  }
}
