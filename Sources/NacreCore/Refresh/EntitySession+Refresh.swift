import NacreEngine
import NacreStore

extension EntitySession {
  /// Loads the stored state of an object, and with `cascade` of the children that it holds.
  ///
  /// It does not change the object and these children.
  ///
  /// - Throws: `objectDeleted` if the object's row is gone.
  func readAnew(_ root: any Entity, cascade: Bool) throws -> RefreshedGraph {
    let writer = database.isWriter && connection.isInTransaction ? database : nil
    let schema = type(of: root).entitySchema
    let identity = root.entityState.identity
    return try database.consistently {
      let held = HeldGraph(root, in: home.number)
      let unread = cascade ? [] : held.objects
      guard let fresh = try fetch(schema.type, identity, beside: unread) else {
        throw NacreError(.objectDeleted, entity: schema.name, objectID: identity.uuid)
      }
      return RefreshedGraph(pairs: held.pairs(with: fresh), store: home.number, writer: writer)
    }
  }
}
