import NacreStore

extension EntitySession {
  /// Deletes an object, and notes in memory which objects of its graph are deleted with it.
  func delete(_ object: any Entity, cascade: Bool) throws {
    note(object, object.entityState)
    // The mark for deletion stays: the next cascade that meets the object must not store it again.
    guard object.entityState.isStored else { return }
    try delete(CollectionOfOne(object), of: type(of: object).entitySchema, cascade: cascade)
  }

  /// Deletes stored objects of one entity, and notes in memory which objects of their graphs are deleted with them.
  func delete(
    _ objects: some Collection<any Entity>,
    of schema: EntitySchema,
    cascade: Bool
  ) throws {
    let graph = try DeletionGraph(
      self,
      schema,
      roots: objects.map(\.entityState.identity),
      rootsStay: false,
      cascade: cascade
    )
    // Compare before the first row is deleted: the deletes that follow can only be undone as a
    // whole.
    for object in objects { try refuseConflicts(below: object, graph) }
    try atomically(graph.isSingle ? .statement : .deletes) {
      try graph.run()
      let walk = borrowWalk(.cascade)
      defer { returnWalk(walk) }
      for object in objects { walk.note(object, at: 0) }
      while let object = walk.pending.popLast() {
        object.visitChildren(walk)
        guard graph.deletes(object), object.entityState.isStored else { continue }
        note(object, object.entityState)
        object.entityState.isStored = false
      }
    }
  }
}
