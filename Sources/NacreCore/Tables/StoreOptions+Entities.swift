import NacreStore

extension StoreOptions {
  /// Whether a property that was added to a class adds its column; if not, such a property is an
  /// error.
  ///
  /// The store's own columns are added in any case: those for the places of children in a list, and
  /// the one for the versions of rows.
  public var addsMissingColumns: Bool {
    get { forEntities.addsMissingColumns }
    set { forEntities.addsMissingColumns = newValue }
  }

  /// The classes whose tables are made, and compared with the catalog, when the store is opened.
  ///
  /// The same happens to other classes when they are first used. A class whose rows must be
  /// converted does not keep the store from being opened, because `migrationPlan()` and `migrate()`
  /// need it open. The class can't be used before.
  public var entities: [any Entity.Type] {
    get { forEntities.entities }
    set { forEntities.entities = newValue }
  }

  /// The steps that take the store from one version to the next.
  public var migrator: Migrator? {
    get { forEntities.migrator }
    set { forEntities.migrator = newValue }
  }

  /// The migrators of stores that are told apart by name; ``migrator`` is for all other stores.
  ///
  /// The first pattern that fits the store's name counts, or the file's name if the store has none.
  /// A pattern is the name itself, or a regular expression that matches all of it. Case is ignored.
  public var migrators: [(pattern: String, migrator: Migrator)] {
    get { forEntities.migrators }
    set { forEntities.migrators = newValue }
  }

  /// Whether opening the store runs its pending steps and brings the tables of ``entities`` up to
  /// date.
  ///
  /// If not, `migrationPlan()` says what `migrate()` will do, and no entity can be used while steps
  /// are pending.
  public var migratesWhenOpened: Bool {
    get { forEntities.migratesWhenOpened }
    set { forEntities.migratesWhenOpened = newValue }
  }

  /// Returns the path to which the store is copied before it is migrated, or nil to make no copy.
  ///
  /// Opening the store calls it if steps are pending or tables of ``entities`` have to change.
  /// `migrate()` calls it if there is anything to do. It is not called for a class outside of
  /// ``entities`` that is first used later. If the copy can't be made, nothing is migrated. At most
  /// one copy is made while the store is open. A store on a server can't be copied so (`serverCannot`).
  public var backupBeforeMigrating: (@Sendable (MigrationPlan) throws -> String?)? {
    get { forEntities.backupBeforeMigrating }
    set { forEntities.backupBeforeMigrating = newValue }
  }

  /// How often Nacre looks for commits of other processes while somebody observes, in seconds.
  ///
  /// Where it hears of them, on a server, it reads the observed rows at most that often, and looks by itself fifty times
  /// as seldom.
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

/// The options for opening a store that concern entities.
struct EntityOptions: Sendable {
  var addsMissingColumns: Bool = true
  var entities: [any Entity.Type] = []
  var migrator: Migrator?
  var migrators: [(pattern: String, migrator: Migrator)] = []
  var migratesWhenOpened: Bool = true
  var backupBeforeMigrating: (@Sendable (MigrationPlan) throws -> String?)?
  var observationInterval: Double = 0.1
}
