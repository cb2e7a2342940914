import NacreStore

extension Entity {
  /// Makes `store` the store that the object is saved in.
  ///
  /// An object from another store is new in this one. Its next `save()` stores all of it here,
  /// sealed under this store's keys, and leaves the other store as it is.
  ///
  /// If the save cascades, the object's children go with it, at any depth. A child that already has
  /// a row here overwrites that row; any other child is new here. Without cascade, the children
  /// must already be stored here.
  ///
  /// The objects that it links to stay where they are, and the links are kept. Their targets must
  /// be stored here by the end of the transaction. Otherwise the transaction fails with
  /// ``NacreError/Code/constraint``, and the error names one of them. `Links` by an `inverse` are
  /// stored in the linked objects' own rows, so only the objects that have a row here are linked.
  ///
  /// The row here may have children that the object does not have. They stay, because a save takes
  /// out only the children that the object took out.
  public func use(_ store: Store) {
    guard entityState.store != store.number else { return }
    if entityState.isStored { noteChildren() }
    entityState.store = store.number
    entityState.isStored = false
  }
}
