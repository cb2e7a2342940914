import NacreStore

extension StoreOptions {
  /// Whether a property that was added to a class adds its column; otherwise it is an error.
  ///
  /// Columns of the store's own, such as the places of children in a list, are added in any case.
  public var addsMissingColumns: Bool {
    get { forEntities.addsMissingColumns }
    set { forEntities.addsMissingColumns = newValue }
  }

  /// The classes whose tables are made, and compared with the catalog, when the store is opened; others are when they are
  /// first used.
  ///
  /// A class whose rows have to be converted does not keep the store from being opened, for `migrationPlan()` and
  /// `migrate()` need it open; the class can't be used before.
  public var entities: [any Entity.Type] {
    get { forEntities.entities }
    set { forEntities.entities = newValue }
  }

  /// The steps that take the store from one version to the next.
  public var migrator: Migrator? {
    get { forEntities.migrator }
    set { forEntities.migrator = newValue }
  }

  /// The steps of stores that are told apart by name; ``migrator`` is for the others.
  ///
  /// The first pattern that fits name, or else the file's, counts. It is the name itself, or a regular expression that fits all of
  /// it, in whatever case.
  public var migrators: [(pattern: String, migrator: Migrator)] {
    get { forEntities.migrators }
    set { forEntities.migrators = newValue }
  }

  /// Whether opening the store runs its pending steps and brings the tables of ``entities`` up to date; otherwise
  /// `migrationPlan()` says what `migrate()` will do, and no entity can be used before while steps are pending.
  public var migratesWhenOpened: Bool {
    get { forEntities.migratesWhenOpened }
    set { forEntities.migratesWhenOpened = newValue }
  }

  /// Where the store is copied to before it is migrated; nil makes no copy.
  ///
  /// Called when the store is opened and steps are pending, or tables of ``entities`` have to change, and by `migrate()`
  /// where it has something to do. A class that is first used later, and not among the entities, is not waited for. When
  /// no copy can be made, nothing is migrated; one is made at most while the store is open.
  public var backupBeforeMigrating: (@Sendable (MigrationPlan) throws -> String?)? {
    get { forEntities.backupBeforeMigrating }
    set { forEntities.backupBeforeMigrating = newValue }
  }

  /// How often what other processes commit is looked for, in seconds, while somebody observes.
  public var observationInterval: Double {
    get { forEntities.observationInterval }
    set { forEntities.observationInterval = newValue }
  }

  /// The options of entities.
  var forEntities: EntityOptions {
    get { delegateOptions as? EntityOptions ?? EntityOptions() }
    set { delegateOptions = newValue }
  }
}

/// How a store is opened, as far as entities are concerned.
struct EntityOptions: Sendable {
  var addsMissingColumns: Bool = true
  var entities: [any Entity.Type] = []
  var migrator: Migrator?
  var migrators: [(pattern: String, migrator: Migrator)] = []
  var migratesWhenOpened: Bool = true
  var backupBeforeMigrating: (@Sendable (MigrationPlan) throws -> String?)?
  var observationInterval: Double = 0.1
}
