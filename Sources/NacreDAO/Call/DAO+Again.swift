import NacreCore

// Somebody can overtake a call before it comes to the store, by closing the store or by deleting the table that the
// call has just looked at. Such a call has changed nothing, and runs again:
//
// - on the store that is opened in place of the closed one;
// - inside of a transaction that makes the table, so that nobody can delete it in between; one such repeat is enough.

extension DAO {
  /// Runs an overtaken call again.
  ///
  /// - Throws: `failure` if it has another cause; otherwise the error that the repeated call fails with.
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
  /// The call to run in place of this one, if this one was overtaken; nil if `failure` has another cause.
  ///
  /// - Throws: ``NacreError`` if the closed store can't be opened again.
  fileprivate func next(after failure: any Error) throws -> DAOCall? {
    if let store = try dao.source.successor(of: store, after: failure) {
      return DAOCall(self, on: store, isSure: false)
    }
    // Inside of a read, everything sees the table as gone, so a repeat would not help.
    guard !isSure, dao.module.makesTable, !store.isReadOnThisThread,
      setup.compiled.isMissing(failure)
    else { return nil }
    return DAOCall(self, on: store, isSure: true)
  }
}
