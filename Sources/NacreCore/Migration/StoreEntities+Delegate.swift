import NacreStore

extension StoreEntities: StoreDelegate {
  func delegate(of database: Database) -> any DatabaseDelegate { EntitySession(database, self) }

  func opened(_ store: Store) throws {
    observers.store = store
    if store.isOnlyLookedAt { return }
    try store.migrateAtOpen()
    if options.entities.isEmpty || !options.migratesWhenOpened { return }
    try store.register(options.entities, skipsPending: true)
  }

  func willClose() { observers.close() }

  func reopened() { observers.reopen() }
}

extension EntityOptions: StoreDelegateOptions {
  var classes: Set<ObjectIdentifier> { Set(entities.map { ObjectIdentifier($0) }) }

  func delegate(of options: StoreOptions, at path: String) throws -> any StoreDelegate {
    try StoreEntities(options, self, path: path)
  }
}
