import NacreStore

extension Store {
  /// Deletes any number of objects in one transaction, each as ``Entity/delete(cascade:)-(Bool)`` does.
  ///
  /// A child of theirs stays if something outside of all that is deleted refers to it. An object that this store does not
  /// hold is left alone.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - cascade: Whether to delete the children too.
  /// - Throws: ``NacreError``, with the codes of ``Entity/delete(cascade:)-(Bool)``. Nothing is deleted then.
  public func delete<Objects: Sequence>(_ objects: Objects, cascade: Bool = false) throws
  where Objects.Element: Entity {
    try withWriter { try $0.entities.delete(objects, cascade: cascade) }
  }

  /// Deletes any number of objects as ``delete(_:cascade:)-(Objects,_)`` does, waiting for the writer without blocking a
  /// thread.
  ///
  /// The objects stay with the caller's task or actor.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - cascade: Whether to delete the children too.
  ///   - isolation: The caller's actor.
  /// - Throws: ``NacreError``, or `CancellationError` if the task is cancelled while it waits.
  public func delete<Objects: Sequence>(
    _ objects: Objects,
    cascade: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws where Objects.Element: Entity {
    try await withWriterAsync(isolation: isolation) { database in
      try database.entities.delete(objects, cascade: cascade)
    }
  }
}

extension EntitySession {
  fileprivate func delete<Objects: Sequence>(_ objects: Objects, cascade: Bool) throws
  where Objects.Element: Entity {
    try saving {
      var stored: [any Entity] = []
      for object in objects {
        let state = object.entityState
        guard state.isStored, state.store == home.number else { continue }
        note(object, state)
        stored.append(object)
      }
      if stored.isEmpty { return }
      try delete(stored, of: Objects.Element.entitySchema, cascade: cascade)
    }
  }
}
