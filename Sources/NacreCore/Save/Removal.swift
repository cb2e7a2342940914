import NacreEngine
import NacreStore

/// The children that a save took out of a relationship that deletes such children.
struct Removal {
  let property: Property
  let children: [ObjectID]
  /// The relationship's children as they were loaded, if their rows have versions.
  let loaded: [FormerChildren.LoadedChild]
}

extension EntitySession {
  /// Deletes children that were taken out, with the objects that they own, unless something refers
  /// to them by now.
  ///
  /// - Parameters:
  ///   - removals: The children that were taken out.
  ///   - owners: The objects whose lists the save has written. A child in such a list was moved,
  ///     and stays.
  /// - Throws: `conflict` if somebody has changed a row to delete since it was loaded.
  func delete(_ removals: [Removal], besideThoseOf owners: [OwnerChange]) throws {
    if removals.isEmpty { return }
    let held = Set(owners.flatMap(\.listed))
    for removal in removals {
      guard let target = removal.property.relationship?.target.entitySchema else { continue }
      let graph = try DeletionGraph(
        self,
        target,
        roots: removal.children.filter { !held.contains($0) },
        rootsStay: true,
        cascade: true
      )
      for child in removal.loaded { try refuseConflict(of: child, target, graph) }
      try graph.run()
    }
  }

  /// Throws if the row of a child, or of an object in memory below it, was changed since it was
  /// loaded.
  private func refuseConflict(
    of child: FormerChildren.LoadedChild,
    _ schema: EntitySchema,
    _ graph: DeletionGraph
  ) throws {
    guard graph.deletes(child.identity, of: schema) else { return }
    if let object = child.object { return try refuseConflicts(below: object, graph) }
    let statements = try statements(for: schema)
    if let error = try conflict(of: child.identity, loadedAs: child.version, statements) {
      throw error
    }
  }
}
