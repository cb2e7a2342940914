import NacreStore

extension Entity {
  /// Reads the object's row anew, and discards what was not saved.
  ///
  /// The object's properties, children and links become those that are stored: its unsaved changes, what was added to and
  /// removed from its links, new children and a mark for deletion are gone, and `hasChanges` is false. Who observes the
  /// object is told. Children that it holds and still has stay the same instances and keep what they hold; those that it
  /// got meanwhile are loaded. With `cascade` the children that it holds are refreshed, too, to any depth.
  /// ```swift
  /// do {
  ///   try car.save()
  /// } catch let error as NacreError where error.code == .conflict {
  ///   try car.refresh()  // somebody has changed the car: look at it, change it again and save
  /// }
  /// ```
  /// Inside of a `write` it reads what that has written. A rollback takes the refresh back: the object has its former
  /// values and changes again, but for what was set after the refresh, which stays and is unsaved.
  ///
  /// - Parameter cascade: whether to refresh the children, too.
  /// - Throws: ``NacreError/Code/notFound`` for an object that was never stored, ``NacreError/Code/objectDeleted`` where its
  ///   row is gone; then nothing in memory is changed.
  public func refresh(cascade: Bool = false) throws {
    try requireStored()
    try Store.of(self).withReader { try $0.entities.readAnew(self, cascade: cascade) }.assign()
  }

  /// Reads the object anew as ``refresh(cascade:)-(Bool)`` does, waiting for a reader without blocking a thread.
  ///
  /// The object stays with the caller's task or actor, on which the read itself runs.
  ///
  /// - Parameters:
  ///   - cascade: whether to refresh the children, too.
  ///   - isolation: the caller's actor.
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  public func refresh(
    cascade: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try requireStored()
    let store = try Store.of(self)
    if let bound = ThreadBinding.database(of: store) {
      return try NacreError.wrapping { try bound.entities.readAnew(self, cascade: cascade) }
        .assign()
    }
    let graph = try await store.withReaderAsync(isolation: isolation) { database in
      try database.entities.readAnew(self, cascade: cascade)
    }
    graph.assign()
  }

  private func requireStored() throws {
    if entityState.isStored { return }
    throw NacreError(
      .notFound,
      entity: Self.entitySchema.name,
      objectID: entityState.hasIdentity ? objectID : nil,
      detail: "an object that is not stored can't be refreshed",
      advice: "Save it first."
    )
  }
}
