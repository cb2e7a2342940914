import NacreSQLite

/// Takes an object's properties, each at its index, and binds those that the statement writes.
///
/// Parameter 1 is the objectID and parameter i + 2 is property i, in inserts and in updates alike, so that a
/// property's place never depends on which others are written.
public final class RowBinder {
  @usableFromInline var statement: any EngineStatement
  /// The properties to bind: all for an insert, the changed ones for an update.
  @usableFromInline var mask: UInt64 = .max
  /// The last index that was asked for, so that an error can name the property.
  @usableFromInline var lastIndex = 0
  var sealing: FieldSealing?
  var identity = ObjectID(high: 0, low: 0)

  /// The number of the store that is written.
  let store: UInt32
  private let schema: EntitySchema

  init(
    statement: any EngineStatement, schema: EntitySchema, store: UInt32, sealing: FieldSealing?
  ) {
    self.statement = statement
    self.schema = schema
    self.store = store
    self.sealing = sealing
  }

  /// Whether the property at `index` is written; notes the index for errors.
  @inlinable
  func wants(_ index: Int) -> Bool {
    lastIndex = index
    return mask & EntityState.bit(index) != 0
  }

  /// Binds a plain property.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  @inlinable
  public func bind<V: StorableValue>(_ value: V, at index: Int) throws {
    guard wants(index) else { return }
    try value.bind(to: statement, at: Int32(truncatingIfNeeded: index &+ 2))
  }

  /// Seals a property and binds the envelope; nil is NULL.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form, ``NacreError`` when it can't be sealed.
  @inlinable
  public func seal<V: StorableValue>(_ value: V, at index: Int) throws {
    guard wants(index) else { return }
    try sealStored(try value.storedValue, at: index)
  }

  @usableFromInline
  func sealStored(_ value: Value, at index: Int) throws {
    let parameter = Int32(index + 2)
    if value == .null { return try statement.bindNull(at: parameter) }
    guard let sealing else { throw NacreError(.noKeyRing) }
    try sealing.seal(value, property: index, identity: identity, into: statement, at: parameter)
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
    try bindIdentity(child.map { $0.ensuredIdentity }, at: index)
  }

  /// Binds nothing: to-many children lie in a table of their own. It throws like its siblings, for `@Entity`
  /// calls them all alike.
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

  /// Binds nothing, for to-many links lie in a table of their own, and tells them whose they are.
  public func bind<T: Entity>(_ links: Links<T>, at index: Int) throws {
    links.belong(to: identity, store, schema, index)
  }

  @usableFromInline
  func bindIdentity(_ identity: ObjectID?, at index: Int) throws {
    let parameter = Int32(index + 2)
    guard let identity else { return try statement.bindNull(at: parameter) }
    try identity.bind(to: statement, at: parameter)
  }
}

extension Entity {
  /// The identity, made if the object has none yet.
  @usableFromInline var ensuredIdentity: ObjectID {
    if !entityState.hasIdentity { entityState.assignIdentity(Self.entitySchema.identifiers) }
    return entityState.identity
  }
}
