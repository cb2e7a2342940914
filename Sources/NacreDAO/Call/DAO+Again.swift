import NacreCore

// A call can be overtaken before it comes to the store: somebody closes that, or deletes the table at which the call has
// just looked. Such a call has changed nothing, and runs again:
//
// - on the store that is opened in the closed one's place;
// - inside of a transaction that makes the table, so that nobody can take it away in between: once is enough.

extension DAO {
  /// Runs a call again that was overtaken.
  ///
  /// - Throws: `failure` where that is about something else, or what the call fails with now.
  @inline(never)
  func perform(
    _ id: String,
    _ arguments: [Any?],
    _ call: DAOCall,
    after failure: any Error
  ) throws -> DAOResult {
    var (call, failure) = (call, failure)
    for _ in 1..<StoreSource.attemptLimit {
      guard let next = try call.next(after: failure) else { throw failure }
      do {
        if !next.isSure { return try perform(id, arguments, next) }
        return try next.store.write { _ in try perform(id, arguments, next) }
      } catch {
        (call, failure) = (next, error)
      }
    }
    throw failure
  }
}

extension DAOCall {
  /// The call that runs in place of one that was overtaken; nil where it was not.
  ///
  /// - Throws: ``NacreError`` where the store that was closed can't be opened again.
  fileprivate func next(after failure: any Error) throws -> DAOCall? {
    if let store = try dao.source.successor(of: store, after: failure) {
      return DAOCall(self, on: store, isSure: false)
    }
    // Inside of a read the table is as gone as it is for whatever else reads there.
    guard !isSure, dao.module.makesTable, !store.isReadOnThisThread,
      setup.compiled.isMissing(failure)
    else { return nil }
    return DAOCall(self, on: store, isSure: true)
  }
}

extension CompiledModule {
  /// Whether an error is that the module's table is not there.
  func isMissing(_ error: any Error) -> Bool {
    NacreError.isMissing(table: tableName, error)
  }
}
