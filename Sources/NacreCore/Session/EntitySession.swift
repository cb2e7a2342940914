import NacreEngine
import NacreStore

/// The state that entities keep for one connection: prepared statements, and the working state of a
/// save or fetch.
///
/// Like its connection, one thread at a time uses it.
package final class EntitySession {
  // Unsafe holds: the connection owns the session.
  package unowned(unsafe) let database: Database
  /// The same for what is asked of it at every row, without counting the reference.
  private let uncounted: Unmanaged<Database>
  // These are the database's own. They are kept here as well, because each look at an unsafe
  // reference counts it up and down.
  /// The store of the connection.
  package unowned(unsafe) let home: Store
  /// The connection.
  package let connection: any EngineConnection
  /// The state that entities keep for the connection's store.
  // Unsafe holds: the store owns both.
  unowned(unsafe) let entities: StoreEntities
  /// Whether a statement that fails in a transaction undoes itself alone.
  let undoesFailedStatements: Bool
  /// Whether the connection sends writes without waiting for each.
  let sendsAhead: Bool
  /// Whether a row may refer to one that is written later in the same transaction.
  let defersReferences: Bool
  /// From how many rows on it can cost less to step through a table than to search for those that are wanted.
  ///
  /// On a server each of the two ways is a round trip.
  let walkMinimum: Int
  // Unchecked, like the statements: one thread at a time uses a connection, and it reads these at
  // every row.
  @exclusivity(unchecked) var walk: GraphWalk?
  /// Whether the open transaction was begun for one save or delete alone.
  @exclusivity(unchecked) var ownsTransaction = false
  /// Entities whose tables the open transaction has made.
  var registering: Set<Int> = []
  /// The rows that the open transaction has changed; nil while nobody observes.
  var touched: TouchedRows?
  /// The observed rows that the open transaction seals anew; nil if it does something else.
  var resealed: ResealedRows?
  /// The relationships that can refer to an entity's objects, by the number of the entity.
  var referrerCache: (version: Int64?, byEntity: [Int: [Referrer]]) = (nil, [:])
  /// The statements of other tables than those of entities, by the number of their schema.
  @exclusivity(unchecked) private var otherStatements: [Int: AnyObject] = [:]
  @exclusivity(unchecked) private var entityStatements: [EntityStatements?] = []
  /// Those of the entity that was asked for last, which mostly is asked for next.
  @exclusivity(unchecked) private var lastStatements: EntityStatements?

  init(_ database: Database, _ entities: StoreEntities) {
    self.database = database
    uncounted = .passUnretained(database)
    home = database.home
    connection = database.connection
    self.entities = entities
    undoesFailedStatements = home.engine.capabilities.contains(.undoesFailedStatements)
    sendsAhead = home.engine.capabilities.contains(.sendsAhead)
    defersReferences = home.engine.capabilities.contains(.defersReferences)
    walkMinimum = home.engine.capabilities.contains(.onServer) ? 1_000 : 32
  }

  /// Returns the prepared statements of an entity, and makes its tables if they are missing.
  func statements(for schema: EntitySchema) throws -> EntityStatements {
    let areCurrent = try uncounted._withUnsafeGuaranteedRef { try $0.hasCurrentStatements() }
    if areCurrent, let statements = keptStatements(for: schema) { return statements }
    try entities.register(schema, on: self)
    while entityStatements.count <= schema.number { entityStatements.append(nil) }
    let statements = EntityStatements(schema: schema, session: self)
    entityStatements[schema.number] = statements
    lastStatements = statements
    return statements
  }

  /// Returns the kept statements of an entity, which may be out of date; nil if there are none.
  func keptStatements(for schema: EntitySchema) -> EntityStatements? {
    if let lastStatements, lastStatements.schema === schema { return lastStatements }
    guard schema.number < entityStatements.count, let kept = entityStatements[schema.number] else {
      return nil
    }
    lastStatements = kept
    return kept
  }

  /// Notes an object's state before a save, delete or refresh changes it.
  func note(_ object: any Entity, _ state: EntityState) {
    let former = ObjectState(
      changes: state.changes,
      version: state.version,
      store: state.store,
      isStored: state.isStored,
      isMarkedForDeletion: state.isMarkedForDeletion
    )
    uncounted._withUnsafeGuaranteedRef { $0.note(object, former) }
  }

  /// Returns the kept statements of a table that is not an entity's; nil if there are none.
  package func otherStatements(_ number: Int) -> AnyObject? { otherStatements[number] }

  /// Keeps the statements of a table that is not an entity's, until they are forgotten.
  package func keep(_ statements: AnyObject, for number: Int) {
    otherStatements[number] = statements
  }

  /// Forgets the statements of tables that are rolled back or may have changed.
  package func forgetStatements() {
    entityStatements = []
    lastStatements = nil
    otherStatements = [:]
    // The next tables can have the same schema version as the tables that were rolled back.
    referrerCache = (nil, [:])
  }
}

extension EntitySession: DatabaseDelegate {}

extension Database {
  /// The state that entities keep for this connection.
  package var entities: EntitySession {
    // Only `StoreEntities` makes delegates.
    if let delegate { return unsafeDowncast(delegate, to: EntitySession.self) }
    let session = EntitySession(self, home.entities)
    delegate = session
    return session
  }

  /// Passes the same to `body`, without counting the reference.
  func withEntities<T>(_ body: (EntitySession) throws -> T) rethrows -> T {
    // The connection never lets go of its session.
    try Unmanaged.passUnretained(entities)._withUnsafeGuaranteedRef(body)
  }
}
