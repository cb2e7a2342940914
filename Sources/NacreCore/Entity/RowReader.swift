import NacreSQLite

/// Gives an object its properties from the current row of a statement.
///
/// Column `base` is the objectID and column `base + 1 + i` is property i; where a property has no column
/// (to-many children) the row holds NULL in its place.
public final class RowReader {
  @usableFromInline var statement: any EngineStatement
  @usableFromInline var base: Int32
  /// The last index that was asked for, so that an error can name the property.
  @usableFromInline var lastIndex = -1
  /// The identity of the current row's object.
  @usableFromInline var identity = ObjectID(high: 0, low: 0)
  /// The number of the store that the row comes from.
  let store: UInt32
  private let schema: EntitySchema
  var opening: FieldSealing?

  init(
    statement: any EngineStatement, base: Int32, schema: EntitySchema, store: UInt32,
    opening: FieldSealing?
  ) {
    self.statement = statement
    self.base = base
    self.schema = schema
    self.store = store
    self.opening = opening
  }

  /// The state of an object that is as it is stored.
  public func entityState() -> EntityState {
    var state = EntityState()
    state.identity = identity
    state.store = store
    state.isStored = true
    return state
  }

  /// The column of the property at `index`; notes the index for errors.
  @inlinable
  func column(_ index: Int) -> Int32 {
    lastIndex = index
    return base &+ 1 &+ Int32(truncatingIfNeeded: index)
  }

  /// Reads a plain property.
  ///
  /// - Throws: ``ValueError`` when the column holds something else.
  @inlinable
  public func read<V: StorableValue>(_ value: inout V, at index: Int) throws {
    value = try V.read(from: statement, at: column(index))
  }

  /// Opens a sealed property; NULL is nil.
  ///
  /// - Throws: ``NacreError`` when the envelope does not open, ``ValueError`` when it holds something else.
  @inlinable
  public func open<V: StorableValue>(_ value: inout V, at index: Int) throws {
    value = try V(storedValue: openStored(at: index))
  }

  @usableFromInline
  func openStored(at index: Int) throws -> Value {
    let column = column(index)
    if statement.storageClass(at: column) == .null { return .null }
    guard let opening else { throw NacreError(.noKeyRing) }
    return try opening.open(statement, at: column, property: index, identity: identity)
  }
}

// MARK: - Children and links

extension RowReader {
  /// Reads nothing: children are attached once they are loaded.
  @inlinable
  public func read<C: Entity>(_ child: inout C?, at index: Int) throws {}

  /// Reads nothing: children are attached once they are loaded.
  @inlinable
  public func read<C: Entity>(_ children: inout [C], at index: Int) throws {}

  /// Reads the objectID that a link holds; the object is loaded when it is asked for.
  ///
  /// - Throws: ``ValueError`` when the column holds no objectID.
  public func read<T: Entity>(_ link: inout Link<T>?, at index: Int) throws {
    let column = column(index)
    if statement.storageClass(at: column) == .null {
      link = nil
    } else {
      link = Link(identity: try ObjectID.read(from: statement, at: column), store: store)
    }
  }

  /// Tells to-many links whose they are; their elements are loaded when asked for.
  public func read<T: Entity>(_ links: inout Links<T>, at index: Int) throws {
    links.belong(to: identity, store, schema, index)
  }
}
