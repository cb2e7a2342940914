public import NacreCrypto
import NacreEngine
import NacreStore
import Synchronization

/// The state that entities keep for one store: its migration steps, its observers, and the tables
/// that are known to exist.
final class StoreEntities: Sendable {
  let options: EntityOptions
  /// The steps that take the store from one version to the next.
  let versions: StoreVersions
  let observers: StoreObservers
  /// The entities whose tables are known to exist, each with the state at which that was checked.
  private let registered = Mutex<[Int: Registration]>([:])

  /// The numbers at which an entity was compared with the catalog; a conversion of rows changes
  /// both.
  private struct Registration: Equatable {
    let keys: UInt64
    let layout: Int64?
  }

  /// Makes the state of a store that is opened with options for entities.
  ///
  /// - Throws: `badDeclaration` if a migrator's pattern is no regular expression or two steps have
  ///   the same name.
  init(_ options: StoreOptions, _ entities: EntityOptions, path: String) throws {
    self.options = entities
    versions = try StoreVersions(options, entities, path: path)
    observers = StoreObservers(entities, usesHook: options.usesChangeReports)
  }

  /// Makes the state of a store that was opened without options for entities.
  init(of store: Store) {
    options = EntityOptions()
    versions = StoreVersions()
    observers = StoreObservers(options, usesHook: store.options.usesChangeReports)
    observers.store = store
  }

  // MARK: Tables

  /// Makes sure that an entity and every entity it reaches have their tables and columns, at the
  /// layout that was found last.
  func register(_ schema: EntitySchema, on session: EntitySession) throws {
    let (database, store) = (session.database, session.home)
    try database.refuseInsideMigration(schema.name)
    let state = Registration(keys: store.keys.version, layout: database.layout)
    if registered.withLock({ $0[schema.number] }) == state { return }
    if session.registering.contains(schema.number) { return }
    let schemas = schema.reachable.map { $0.entitySchema }
    try database.refuseForeignCatalog()
    // Read existing tables without the writers' lock, which others may hold. Tables that this very
    // transaction has made may still be rolled back.
    if try session.registering.isEmpty && !database.hasOwnTables
      && schemas.allSatisfy({ try TableBuilder(database, $0).isBuilt() })
    {
      return noteRegistered(schemas, at: state, in: store)
    }
    if database.isWriter {
      try register(schema, writingOn: database)
    } else {
      try store.withWriterApart { try self.register(schema, writingOn: $0) }
      try database.moveSnapshot()
    }
  }

  private func register(_ schema: EntitySchema, writingOn writer: Database) throws {
    let (store, session) = (writer.home, writer.entities)
    let schemas = schema.reachable.map { $0.entitySchema }
    let before = session.registering
    let sealedBefore = store.sealedColumns
    try writer.transaction(.immediate) { database in
      database.undo.note {
        store.changeSealedColumns { $0.become(sealedBefore) }
        session.registering = before
        database.forgetStatements()
      }
      try EntityMigration(schemas, on: database).run()
      session.registering.formUnion(schemas.map(\.number))
      noteSealedColumns(of: schemas, in: store)
      // Wait for the commit: other threads would look for the tables before they are there.
      database.undo.onCommit {
        let layout = try? database.connection.layoutNumber()
        let state = Registration(keys: store.keys.version, layout: layout)
        self.noteRegistered(schemas, at: state, in: store)
        session.registering.subtract(schemas.map(\.number))
      }
    }
  }

  /// Compares an entity with the catalog again, if it is registered.
  func registerAgain(_ schema: EntitySchema, in store: Store) throws {
    let wasRegistered = registered.withLock { $0.removeValue(forKey: schema.number) } != nil
    if wasRegistered { try store.withWriterApart { try register(schema, writingOn: $0) } }
  }

  private func noteRegistered(
    _ schemas: [EntitySchema],
    at registration: Registration,
    in store: Store
  ) {
    noteSealedColumns(of: schemas, in: store)
    registered.withLock { registered in
      for schema in schemas { registered[schema.number] = registration }
    }
  }

  private func noteSealedColumns(of schemas: [EntitySchema], in store: Store) {
    store.changeSealedColumns { columns in
      for schema in schemas { columns.insert(schema) }
    }
  }
}

extension SealedColumns {
  /// Adds the columns of a table's sealed properties, and of their blind indexes.
  package mutating func insert(_ schema: RowSchema) {
    for property in schema.properties where property.isSealed {
      insert(schema.table, property.column)
      if let index = property.indexColumn { insert(schema.table, index) }
    }
  }
}

extension Store {
  /// The state that entities keep for this store.
  var entities: StoreEntities {
    // Only `EntityOptions` and this property make delegates.
    unsafeDowncast(delegate { StoreEntities(of: self) }, to: StoreEntities.self)
  }

  /// Makes the tables of classes, or compares them with the catalog.
  ///
  /// - Parameters:
  ///   - entities: The classes. The classes that they reach are included.
  ///   - skipsPending: Whether to skip a class that waits for `migrate()`, which needs the open
  ///     store. Using such a class before that is an error.
  /// - Throws: ``NacreError``.
  func register(_ entities: [any Entity.Type], skipsPending: Bool = false) throws {
    try withReader { database in
      for entity in entities {
        do {
          _ = try database.entities.statements(for: entity.entitySchema)
        } catch let error as NacreError where skipsPending && error.code == .migrationPending {
          continue
        }
      }
    }
  }

  /// Installs a provider that seals and opens one property in place of the store's key ring.
  ///
  /// - Parameters:
  ///   - provider: Gets the entity, property and objectID with every value.
  ///   - property: A property marked `@Encrypted`.
  /// - Throws: ``NacreError`` if the property is not stored or not sealed.
  public func install<E: Entity, V>(
    _ provider: any CryptProvider,
    for property: KeyPath<E, V>
  ) throws {
    let schema = E.entitySchema
    guard let stored = schema.property(property), stored.isSealed else {
      throw NacreError(.noSuchProperty, entity: schema.name)
    }
    install(provider, entity: schema.name, property: stored.name)
    // The catalog records which properties a key rotation must leave alone.
    try entities.registerAgain(schema, in: self)
  }

  /// Returns the store of the innermost `read` or `write` on this thread, else the store that was
  /// opened for the entity, else the default store.
  static func current(for entity: any Entity.Type) throws -> Store {
    try current(for: ObjectIdentifier(entity))
  }

  /// Returns the store that an object comes from, or the current store if it comes from none.
  static func of(_ object: any Entity) throws -> Store {
    let number = object.entityState.store
    return try number == 0 ? current(for: type(of: object)) : numbered(number)
  }
}
