import NacreSQLite
import NacreStore

/// Children that a save took out of a relationship which deletes them then.
struct Removal {
  let property: Property
  let children: [ObjectID]
  /// The relationship's children as they were loaded, where rows of theirs have versions.
  let loaded: [FormerChildren.LoadedChild]
}

extension EntitySession {
  /// Deletes what was taken out, unless something refers to it by now, with what it owns.
  ///
  /// - Parameters:
  ///   - removals: what was taken out.
  ///   - owners: the objects whose lists the save has written: what they hold was moved.
  /// - Throws: `conflict` where somebody has changed a row that is to be deleted since it was loaded.
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

  /// Refuses to delete a child whose row was changed since it was loaded, or one below it that somebody holds.
  private func refuseConflict(
    of child: FormerChildren.LoadedChild,
    _ schema: EntitySchema,
    _ graph: DeletionGraph
  ) throws {
    guard graph.deletes(child.identity, of: schema) else { return }
    if let object = child.object { return try refuseConflicts(below: object, graph) }
    let plan = try plan(for: schema)
    if let error = try conflict(of: child.identity, loadedAs: child.version, plan) { throw error }
  }
}
