import NacreStore

extension Store {
  /// Stores any number of objects in one transaction, each as ``Entity/save(cascade:)-(Bool)`` does.
  ///
  /// The sequence is asked for its objects one after another. Objects of another store are stored here as new ones,
  /// as after ``Entity/use(_:)``.
  ///
  /// - Parameters:
  ///   - objects: the objects.
  ///   - cascade: whether to store the children too.
  /// - Throws: ``NacreError``; then nothing is written, and every object is as unsaved as before.
  public func save<Objects: Sequence>(_ objects: Objects, cascade: Bool = true) throws
  where Objects.Element: Entity {
    try write { try $0.entities.save(objects, cascade: cascade) }
  }

  /// The twin of ``save(_:cascade:)-(Objects,_)``; the objects stay with the caller's task or actor.
  ///
  /// - Parameters:
  ///   - objects: the objects.
  ///   - cascade: whether to store the children too.
  ///   - isolation: the caller's actor.
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  public func save<Objects: Sequence>(
    _ objects: Objects,
    cascade: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async throws where Objects.Element: Entity {
    try await withWriterAsync(isolation: isolation) { database in
      try database.transaction(.immediate) { try $0.entities.save(objects, cascade: cascade) }
    }
  }
}

extension EntitySession {
  func save<Objects: Sequence>(_ objects: Objects, cascade: Bool) throws
  where Objects.Element: Entity {
    for object in objects {
      adopt(object, object.entityState)
      try save(object, cascade: cascade)
    }
  }
}
