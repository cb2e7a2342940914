import NacreStore

extension Store {
  /// Stores any number of objects in one transaction, each as ``Entity/save(cascade:)-(Bool)``
  /// does.
  ///
  /// The sequence gives its objects one after another. An object of another store is stored here as
  /// a new one, as after ``Entity/use(_:)``.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - cascade: Whether to store the children too.
  /// - Throws: ``NacreError``. Nothing is written then, and every object is as unsaved as before.
  public func save<Objects: Sequence>(_ objects: Objects, cascade: Bool = true) throws
  where Objects.Element: Entity {
    try withWriter { try $0.entities.save(objects, cascade: cascade) }
  }

  /// Stores any number of objects as ``save(_:cascade:)-(Objects,_)`` does, waiting for the writer
  /// without blocking a thread.
  ///
  /// The objects stay with the caller's task or actor.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - cascade: Whether to store the children too.
  ///   - isolation: The caller's actor.
  /// - Throws: ``NacreError``, or `CancellationError` if the task is cancelled while it waits.
  public func save<Objects: Sequence>(
    _ objects: Objects,
    cascade: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async throws where Objects.Element: Entity {
    try await withWriterAsync(isolation: isolation) { database in
      try database.entities.save(objects, cascade: cascade)
    }
  }
}

extension EntitySession {
  fileprivate func save<Objects: Sequence>(_ objects: Objects, cascade: Bool) throws
  where Objects.Element: Entity {
    // The first save that fails ends all, so none needs a savepoint of its own.
    let ownsAll = !connection.isInTransaction
    try database.transaction(.immediate) { _ in
      for object in objects {
        adopt(object, object.entityState)
        // The sequence's own code runs between the saves, and may do anything.
        ownsTransaction = ownsAll
        defer { ownsTransaction = false }
        try save(object, cascade: cascade)
      }
    }
  }
}
