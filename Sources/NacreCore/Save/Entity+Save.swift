import NacreStore

extension Entity {
  /// Stores the object, in one transaction or in the one that is open on this thread.
  ///
  /// With `cascade`, it also stores the children, their children, and the new objects that links
  /// hold, through cycles and to any depth. It writes only objects that are new or changed. Without
  /// `cascade`, it writes this row and its links. An object that `isMarkedForDeletion` is deleted
  /// instead.
  ///
  /// - Parameter cascade: Whether to store the children too.
  /// - Throws: ``NacreError``. Nothing is written then, and every object is as unsaved as before.
  ///   The code is `conflict` if a class detects conflicts and a row to write was changed since its
  ///   object was loaded.
  public func save(cascade: Bool = true) throws {
    if let innermost = ThreadBinding.uncountedInnermost,
      try innermost._withUnsafeGuaranteedRef({ try save(on: $0, cascade: cascade) })
    {
      return
    }
    try Store.of(self).withWriter { database in
      let session = database.entities
      try session.saving { try session.save(self, cascade: cascade) }
    }
  }

  /// Stores the object on this thread's connection; returns false if that is not the one to store it.
  private func save(on database: Database, cascade: Bool) throws -> Bool {
    guard database.isWriter, entityState.store == 0 || entityState.store == database.home.number
    else { return false }
    try database.withEntities { session in
      try session.saving { try session.save(self, cascade: cascade) }
    }
    return true
  }

  /// Stores the object as ``save(cascade:)-(Bool)`` does, waiting for the store's writer without
  /// blocking a thread.
  ///
  /// The object stays with the caller's task or actor, on which the write itself runs.
  ///
  /// - Parameters:
  ///   - cascade: Whether to store the children too.
  ///   - isolation: The caller's actor.
  /// - Throws: ``NacreError``, or `CancellationError` if the task is cancelled while it waits.
  public func save(
    cascade: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let store = try Store.of(self)
    try await store.withWriterAsync(isolation: isolation) { database in
      let session = database.entities
      try session.saving { try session.save(self, cascade: cascade) }
    }
  }
}
