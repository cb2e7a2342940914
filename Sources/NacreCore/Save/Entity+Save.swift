import NacreStore

extension Entity {
  /// Stores the object, in one transaction, or in the one that is open on this thread.
  ///
  /// With `cascade` it goes on to the children, to their children, and to the new objects that links hold, through
  /// cycles and any depth; only what is new or changed is written. Without it, this row and its links are written.
  /// An object that `isMarkedForDeletion` is deleted instead.
  ///
  /// - Parameter cascade: whether to store the children too.
  /// - Throws: ``NacreError``; then nothing is written, and every object is as unsaved as before. With code `conflict`
  ///   where a class detects conflicts and a row that is to be written was changed since its object was loaded.
  public func save(cascade: Bool = true) throws {
    if let database = ThreadBinding.innermost, database.isWriter,
      entityState.store == database.home.number || entityState.store == 0
    {
      return try database.entities.saving { try database.entities.save(self, cascade: cascade) }
    }
    try Store.of(self).withWriter { database in
      try database.entities.saving { try database.entities.save(self, cascade: cascade) }
    }
  }

  /// Stores the object as ``save(cascade:)-(Bool)`` does, waiting for the store's writer without blocking a thread.
  ///
  /// The object stays with the caller's task or actor, on which the write itself runs.
  ///
  /// - Parameters:
  ///   - cascade: whether to store the children too.
  ///   - isolation: the caller's actor.
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  public func save(
    cascade: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let store = try Store.of(self)
    try await store.withWriterAsync(isolation: isolation) { database in
      try database.entities.saving { try database.entities.save(self, cascade: cascade) }
    }
  }
}
