import NacreStore

extension Entity {
  /// Makes `store` the one that the object is saved in.
  ///
  /// An object that comes from another store is new in this one: its next `save()` stores all of it here, sealed under
  /// this store's keys, and leaves the other store as it is.
  ///
  /// Its children go with it when the save cascades, at any depth: one that has a row here already is what that row
  /// becomes, any other is new here. Without cascade they have to be stored here before. The objects that it links to
  /// stay where they are: the links are kept, and what they refer to has to be stored here by the end of the
  /// transaction, which otherwise fails with ``NacreError/Code/constraint`` and names one. `Links` by an `inverse` are
  /// held by the linked objects' own rows, of which those that are here are linked. Children that the row here has
  /// beside those of the object stay its own: only what the object took out is taken out here.
  public func use(_ store: Store) {
    guard entityState.store != store.number else { return }
    if entityState.isStored { noteChildren() }
    entityState.store = store.number
    entityState.isStored = false
  }
}
