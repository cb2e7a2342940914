import NacreEngine
import NacreStore

/// A binder of an object's properties: the object offers each at its index, and the binder binds
/// those that the statement writes.
///
/// Parameter 1 is the objectID and parameter i + 2 is property i, in inserts and in updates alike.
/// So a property's parameter never depends on which other properties are written.
public final class RowBinder {
  @usableFromInline let statement: any EngineStatement
  /// The same statement for envelopes; nil if it is another one's adapter, which has no place for them.
  private let prepared: (any PreparedStatement)?
  /// The properties to bind: all for an insert, the changed ones for an update.
  @usableFromInline let mask: UInt64
  /// The number of the store that is written.
  private let store: UInt32
  private let schema: EntitySchema
  private let sealing: FieldSealing
  /// The references that wait for their targets; nil where a row may refer to one that comes later.
  // Unchecked, as the identity.
  @exclusivity(unchecked) var later: LaterReferences?
  /// The identity of the object that is bound.
  // Unchecked, because one thread sets it before it binds an object and reads it while it does.
  @exclusivity(unchecked) private var identity = ObjectID(high: 0, low: 0)

  init(
    statement: any EngineStatement,
    prepared: (any PreparedStatement)?,
    mask: UInt64,
    schema: EntitySchema,
    store: UInt32,
    sealing: FieldSealing
  ) {
    self.statement = statement
    self.prepared = prepared
    self.mask = mask
    self.schema = schema
    self.store = store
    self.sealing = sealing
  }

  /// Writes an object's row.
  func write(_ object: any Entity, _ identity: ObjectID) throws {
    self.identity = identity
    do {
      try identity.bind(to: statement, at: 1)
      try object.bindProperties(to: self)
      try statement.run()
    } catch {
      throw failure(error, at: nil)
    }
  }

  /// Sends the write of an object's row, where the engine sends ahead.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - identity: Its identity.
  ///   - isInsert: Whether the row is new.
  ///   - lost: Returns the error for a write that has written no row.
  /// - Throws: What binding throws; the error of a write that was sent before.
  func send(
    _ object: any Entity,
    _ identity: ObjectID,
    isInsert: Bool,
    lost: @escaping () -> any Error
  ) throws {
    guard let prepared else { return try write(object, identity) }
    self.identity = identity
    do {
      try identity.bind(to: statement, at: 1)
      try object.bindProperties(to: self)
    } catch {
      throw failure(error, at: nil)
    }
    let schema = schema
    try prepared.send(
      .row(isNew: isInsert) { error in
        guard let error else { return lost() }
        return NacreError.wrap(error, at: schema, property: nil, identity: identity)
      }
    )
  }

  /// Binds the version that the row gets and, in an update, the version that it must have.
  ///
  /// - Throws: The error that SQLite reports.
  func bind(version: Int64, replacing former: Int64?) throws {
    try statement.bind(version, at: schema.versionParameter)
    if let former { try statement.bind(former, at: schema.versionParameter + 1) }
  }

  /// Whether the property at `index` is written.
  @inlinable
  func wants(_ index: Int) -> Bool { mask & EntityState.bit(index) != 0 }

  @inlinable
  func parameter(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: index &+ 2) }

  /// Maps an error to `NacreError` and adds the object and, unless `index` is nil, the property.
  @inline(never)
  @usableFromInline
  func failure(_ error: any Error, at index: Int?) -> any Error {
    NacreError.wrap(error, at: schema, property: index, identity: identity)
  }

  /// Binds a plain property.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` if the value has no stored form.
  @inlinable
  public func bind<V: StorableValue>(_ value: V, at index: Int) throws {
    guard wants(index) else { return }
    do {
      try value.bind(to: statement, at: parameter(index))
    } catch {
      throw failure(error, at: index)
    }
  }

  /// Seals a property and binds the envelope.
  ///
  /// Nil is bound as NULL, unless the property hides nil.
  ///
  /// - Throws: ``NacreError`` if the value has no stored form or can't be sealed.
  @inlinable
  public func seal<V: StorableValue>(_ value: V, at index: Int) throws {
    guard wants(index) else { return }
    do {
      try sealStored(try value.storedValue, at: index)
    } catch {
      throw failure(error, at: index)
    }
  }

  @usableFromInline
  func sealStored(_ value: Value, at index: Int) throws {
    // The entity's code can offer a property from the 64th on without being asked for it.
    guard let prepared else { return }
    try sealing.seal(value, property: index, identity: identity, into: prepared)
  }
}

// MARK: - Children and links

extension RowBinder {
  /// Binds the objectID of a to-one child, or NULL.
  ///
  /// - Throws: ``SQLiteError`` when the statement refuses it.
  @inlinable
  public func bind<C: Entity>(_ child: C?, at index: Int) throws {
    guard wants(index) else { return }
    // This save deletes a child that is marked for deletion.
    let kept = child.flatMap { $0.entityState.isMarkedForDeletion ? nil : $0 }
    try bindIdentity(kept.map { $0.ensuredIdentity }, at: index)
  }

  /// Binds nothing: to-many children are stored in a table of their own.
  ///
  /// It is declared to throw, because `@Entity` writes the same call for every property.
  @inlinable
  public func bind<C: Entity>(_ children: [C], at index: Int) throws {}

  /// Binds the objectID that a link holds, or NULL.
  ///
  /// - Throws: ``SQLiteError`` when the statement refuses it.
  @inlinable
  public func bind<T: Entity>(_ link: Link<T>?, at index: Int) throws {
    guard wants(index) else { return }
    try bindIdentity(link.map { $0.identity }, at: index)
  }

  /// Binds nothing and tells the links who owns them; to-many links are stored in a table of their
  /// own.
  public func bind<T: Entity>(_ links: Links<T>, at index: Int) throws {
    links.belong(to: identity, store, schema, index)
  }

  @usableFromInline
  func bindIdentity(_ identity: ObjectID?, at index: Int) throws {
    guard let identity, later?.postpone(identity, from: self.identity, schema, index) != true else {
      return try statement.bindNull(at: parameter(index))
    }
    try identity.bind(to: statement, at: parameter(index))
  }
}

extension Entity {
  /// The object's identity, which is assigned if the object has none yet.
  @usableFromInline var ensuredIdentity: ObjectID {
    if !entityState.hasIdentity { entityState.assignIdentity(Self.entitySchema.identifiers) }
    return entityState.identity
  }
}
