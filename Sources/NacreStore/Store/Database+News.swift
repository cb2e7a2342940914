import NacreEngine

// Observers are told of a transaction after its commit. They may use the store, so the writer is
// given back first. An action of the commit itself, such as that of `onCommit`, runs while the
// writer is still held.

extension Database {
  /// Runs an action on this thread once the outermost transaction is committed and the writer is
  /// given back.
  ///
  /// If the current part of the transaction is rolled back, the action does not run.
  package func afterCommit(_ action: @escaping () -> Void) {
    undo.onCommit { [unowned self] in news.append(action) }
  }

  fileprivate func takeNews() -> [() -> Void] {
    defer { if !news.isEmpty { news = [] } }
    return news
  }
}

extension ConnectionPool where Session == Database {
  /// Gives the writer back, and then tells observers what was committed on it.
  func giveBack(writer database: Database) {
    let news = database.takeNews()
    releaseWriter(database)
    for tell in news { tell() }
  }
}
