import NacreStore

extension Entity {
  /// Deletes the object's row; links to it become nil.
  ///
  /// With `cascade`, its stored children are deleted too, to any depth, whether they are in memory
  /// or not. A child stays if something outside the deleted set refers to it; with
  /// ``DeleteRule/cascadeNullifyingLinks``, it stays only if something else owns it. An object that
  /// was never stored is left alone.
  ///
  /// If a class detects conflicts, the rows of this object, and of those children that it holds in
  /// memory, must be as they were loaded. Stored children that it does not hold are deleted as they
  /// are, because nobody has loaded them.
  ///
  /// - Parameter cascade: Whether to delete the children.
  /// - Throws: ``NacreError/Code/deleteDenied`` if a relationship's rule refuses the delete, or
  ///   ``NacreError/Code/conflict``. Nothing is deleted then.
  public func delete(cascade: Bool = false) throws {
    try Store.of(self).withWriter { database in
      let session = database.entities
      try session.saving { try session.delete(self, cascade: cascade) }
    }
  }

  /// Deletes the object as ``delete(cascade:)-(Bool)`` does, waiting for the writer without
  /// blocking a thread.
  ///
  /// - Parameters:
  ///   - cascade: Whether to delete the children.
  ///   - isolation: The caller's actor.
  /// - Throws: ``NacreError``, or `CancellationError` if the task is cancelled while it waits.
  public func delete(
    cascade: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let store = try Store.of(self)
    try await store.withWriterAsync(isolation: isolation) { database in
      let session = database.entities
      try session.saving { try session.delete(self, cascade: cascade) }
    }
  }

  /// Returns the objects that `delete(cascade:)` would delete now, and changes nothing.
  ///
  /// - Throws: ``NacreError/Code/deleteDenied`` if a relationship's rule would refuse the delete.
  public func deletionPlan(cascade: Bool = true) throws -> DeletionPlan {
    let schema = Self.entitySchema
    let roots = isStored ? [ensuredIdentity] : []
    return try Store.of(self).read { database in
      try DeletionGraph(database.entities, schema, roots: roots, rootsStay: false, cascade: cascade)
        .statements
    }
  }

  /// The async twin of ``deletionPlan(cascade:)-(Bool)``.
  ///
  /// - Throws: ``NacreError/Code/deleteDenied`` when a relationship's rule would refuse.
  public func deletionPlan(
    cascade: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> DeletionPlan {
    let roots = isStored ? [ensuredIdentity] : []
    let schema = Self.entitySchema
    return try await Store.of(self).readFresh { database in
      try DeletionGraph(database.entities, schema, roots: roots, rootsStay: false, cascade: cascade)
        .statements
    }
  }
}
