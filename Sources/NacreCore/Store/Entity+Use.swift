extension Entity {
  /// Makes `store` the one that the object is saved in.
  ///
  /// An object that comes from another store is new in this one: its next `save()` stores all of it here, sealed under
  /// this store's keys, and leaves the other store as it is. Its children go with it when the save cascades and they
  /// are new, too.
  public func use(_ store: Store) {
    guard entityState.store != store.number else { return }
    entityState.store = store.number
    entityState.isStored = false
  }
}
