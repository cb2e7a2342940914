import NacreStore

extension Entity {
  /// Reads the object's row again, and discards the object's unsaved changes.
  ///
  /// The object's properties, children and links become the stored ones. Unsaved changes are gone,
  /// and with them new children, additions to and removals from links, and a mark for deletion;
  /// `hasChanges` is false. Observers of the object are notified.
  ///
  /// Children that the object holds, and that it still has in the store, stay the same instances
  /// and keep their values. Children that it got meanwhile are loaded. With `cascade` the children
  /// that it holds are refreshed too, to any depth.
  /// ```swift
  /// do {
  ///   try car.save()
  /// } catch let error as NacreError where error.code == .conflict {
  ///   try car.refresh()  // somebody has changed the car: look at it, change it again and save
  /// }
  /// ```
  /// Inside a `write` it reads what that transaction has written. A rollback undoes the refresh:
  /// the object gets its former values and changes back. Properties that were set after the refresh
  /// keep their values and are unsaved.
  ///
  /// - Parameter cascade: whether to refresh the children, too.
  /// - Throws: ``NacreError/Code/notFound`` for an object that was never stored,
  ///   ``NacreError/Code/objectDeleted`` if its row is gone; then nothing in memory is changed.
  public func refresh(cascade: Bool = false) throws {
    try requireStored()
    try Store.of(self).withReader { try $0.entities.readAnew(self, cascade: cascade) }.assign()
  }

  /// Does the same as ``refresh(cascade:)-(Bool)``, but waits for a reader without blocking a
  /// thread.
  ///
  /// The object stays with the caller's task or actor, and the read itself runs there too.
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
